package import HTTPServer

/// What an area answers over HTTP. One server listens at each address, whichever areas have routes there.
package struct HTTPRoute: Sendable {
  /// Where it listens.
  package let address: ListenAddress
  /// Such as "/v1/payment-events". Of several routes that a request fits, the longest answers it; if it fits none, it is
  /// answered with 404.
  package let path: String
  /// Whether every path that begins so is meant, and not this one alone.
  package let isPrefix: Bool
  /// What the server at the address puts up with; nil: the defaults. One route of an address says so at most.
  package let limits: HTTPLimits?
  /// Whether the address gets the connections of `limits` even where descriptors are few, rather than a part of them.
  package let reservesConnections: Bool
  /// Answers a request; its task is cancelled when it takes too long.
  package let answer: @Sendable (HTTPRequest) async -> HTTPResponse

  /// A route for one path.
  package init(
    _ address: ListenAddress, _ path: String, answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.init(address, path, isPrefix: false, nil, false, answer)
  }

  /// A route for all paths that begin with one.
  package init(
    _ address: ListenAddress, prefix: String, limits: HTTPLimits? = nil, reservesConnections: Bool = false,
    answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.init(address, prefix, isPrefix: true, limits, reservesConnections, answer)
  }

  private init(
    _ address: ListenAddress, _ path: String, isPrefix: Bool, _ limits: HTTPLimits?, _ reservesConnections: Bool,
    _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.address = address
    self.path = path
    self.isPrefix = isPrefix
    self.limits = limits
    self.reservesConnections = reservesConnections
    self.answer = answer
  }

  /// Whether it is for a path.
  package func fits(_ path: String) -> Bool {
    isPrefix ? path.utf8.starts(with: self.path.utf8) : path == self.path
  }
}

extension Sequence<HTTPRoute> {
  /// The longest route for a path; of two that are as long, the one for this path alone.
  package func best(for path: String) -> HTTPRoute? {
    filter { $0.fits(path) }.max {
      ($0.path.utf8.count, $0.isPrefix ? 0 : 1) < ($1.path.utf8.count, $1.isPrefix ? 0 : 1)
    }
  }
}
