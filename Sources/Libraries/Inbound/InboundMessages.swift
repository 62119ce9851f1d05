/// A request that has come as a whole.
public struct InboundRequest: Sendable, Equatable {
  /// Such as "POST".
  public let method: String
  /// Without the query, not decoded.
  public let path: String
  /// Of each name the first value, by the name in small letters.
  public let headers: [String: String]
  public let body: [UInt8]

  public init(method: String, path: String, headers: [String: String] = [:], body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }

  /// The value of a header, by its name in any letters.
  public func header(_ name: String) -> String? { headers[name.lowercased()] }
}

/// What is answered.
public struct InboundResponse: Sendable, Equatable {
  /// 200 to 599.
  public let status: Int
  public let contentType: String
  public let body: [UInt8]

  public init(status: Int, contentType: String = "text/plain; charset=utf-8", body: [UInt8] = []) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  public init(status: Int, text: String) {
    self.init(status: status, body: Array("\(text)\n".utf8))
  }

  /// As it is sent; the connection ends with it.
  var bytes: [UInt8] {
    Array(
      """
      HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")\r
      Content-Type: \(contentType)\r
      Content-Length: \(body.count)\r
      Cache-Control: no-store\r
      Connection: close\r
      \r

      """.utf8) + body
  }

  private static let phrases = [
    200: "OK", 201: "Created", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
    413: "Content Too Large", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}

/// What a listener puts up with.
public struct InboundLimits: Sendable {
  /// Of a request's body.
  public var bodyBytes = 64 << 10
  /// Of a request's first line and headers.
  public var headerBytes = 16 << 10
  /// Open connections; further ones wait in the system's queue.
  public var connections = 256
  /// Requests that are worked on at once; further ones are answered with 503.
  public var requests = 32
  /// From the connection to the end of the request, and for the taking of the answer.
  public var transfer: Duration = .seconds(10)
  /// For the making of an answer; then it is 503.
  public var answer: Duration = .seconds(20)

  public init() {}
}
