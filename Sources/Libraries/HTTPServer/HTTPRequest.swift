/// A request whose head has come. Its body comes when it is asked for.
public final class HTTPRequest: Sendable {
  /// Such as "POST", in the letters in which it came.
  public let method: String
  /// As it was sent, percent-encoded, without the query.
  public let path: String
  /// As it was sent, without the question mark; nil if there is none.
  public let query: String?
  /// In the order in which they came, names in small letters.
  public let headers: [(name: String, value: String)]
  /// Who is at the other end, as gRPC writes it: "ipv4:192.0.2.1:50123", "ipv6:%5B::1%5D:50123".
  public let peer: String
  private let body: any HTTPBodySource

  init(_ head: RequestHead, peer: String, body: any HTTPBodySource) {
    method = head.method
    path = head.path
    query = head.query
    headers = head.headers
    self.peer = peer
    self.body = body
  }

  /// A request that came over no connection, for the tests of who answers.
  /// - Parameter headers: names in small letters.
  public convenience init(
    method: String, path: String, query: String? = nil, headers: [(name: String, value: String)] = [],
    peer: String = "ipv4:127.0.0.1:1", body: [UInt8] = []
  ) {
    self.init(method: method, path: path, query: query, headers: headers, peer: peer, from: BodyInMemory(body))
  }

  init(
    method: String, path: String, query: String? = nil, headers: [(name: String, value: String)] = [],
    peer: String = "ipv4:127.0.0.1:1", from body: any HTTPBodySource
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.peer = peer
    self.body = body
  }

  /// The first value of a field, by its name in any letters.
  public func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name == name }?.value
  }

  /// All values of a field, in their order, by its name in any letters.
  public func headers(_ name: String) -> [String] {
    let name = name.lowercased()
    return headers.filter { $0.name == name }.map(\.value)
  }

  /// The next part of the body as it came; nil at its end. To be called by one task at a time.
  ///
  /// One part waits at most: while nobody reads, nothing more is read from the connection. Whoever sent
  /// `Expect: 100-continue` gets its answer with the first call. An answer that is made before the end of the body drops
  /// the rest of it. If nothing of it was asked for, the answer does not wait for it, and the connection ends with it;
  /// otherwise the rest has `HTTPLimits.leftoverTime`.
  ///
  /// - Throws: `HTTPBodyError`; again with each call. `.cancelled` when the task is cancelled, and
  ///   after `stopReading()`.
  public func nextPart() async throws(HTTPBodyError) -> [UInt8]? { try await body.nextPart() }

  /// Ends the reading of the body: `nextPart()` throws `.cancelled`, now and later, unless the body is there as a whole. Safe
  /// from any thread.
  public func stopReading() { body.stopReading() }

  /// The whole body.
  /// - Parameters:
  ///   - max: in bytes.
  ///   - grow: told with each part how many bytes there are.
  /// - Throws: `HTTPBodyError`; `.tooLarge` as soon as that is known, which is before the first byte where the length was
  ///   said.
  public func body(
    atMost max: Int, growing grow: (Int) -> Void = { _ in }
  ) async throws(HTTPBodyError) -> [UInt8] {
    guard body.announcedBytes ?? 0 <= max else { throw .tooLarge }
    var whole: [UInt8] = []
    while let part = try await body.nextPart() {
      guard whole.count + part.count <= max else { throw .tooLarge }
      if whole.isEmpty { whole = part } else { whole += part }
      grow(whole.count)
    }
    return whole
  }
}

/// Where a request's body comes from.
protocol HTTPBodySource: Sendable {
  /// Its length where it was said.
  var announcedBytes: Int? { get }
  func nextPart() async throws(HTTPBodyError) -> [UInt8]?
  func stopReading()
}
