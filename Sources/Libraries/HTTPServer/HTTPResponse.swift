/// What is answered.
///
/// The server itself says how long a body is, when it was sent and what becomes of the connection: `Content-Length`,
/// `Transfer-Encoding`, `Date`, `Connection` and what belongs to them are not among the headers. A header without a value
/// is left out. Where there is no `Cache-Control`, nobody is to keep it.
public struct HTTPResponse: Sendable {
  enum Body: Sendable {
    case whole([UInt8])
    case stream(@Sendable (HTTPBodyWriter) async -> Void)
  }

  /// 200 to 599.
  public let status: Int
  public let headers: [(String, String)]
  let body: Body

  /// The body; nil of an answer that is written bit by bit.
  public var bytes: [UInt8]? { if case .whole(let bytes) = body { bytes } else { nil } }

  /// - Parameters:
  ///   - headers: name and value. A name that is no token, a control character in a value, and a name that is the server's
  ///     are errors of the programmer. With more than 1.5 KiB of them, 500 is answered instead.
  ///   - body: not sent to HEAD, nor with 204 and 304.
  public init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
    self.init(status, headers, .whole(body))
  }

  /// An answer that is written bit by bit, in chunks; to a client of HTTP/1.0 until the connection ends.
  ///
  /// - Parameter stream: runs in the handler's task once the head is on its way; the answer ends when it returns. Not
  ///   called for HEAD, 204 and 304. Its task is cancelled when the connection is known to have ended. libmicrohttpd does
  ///   not look at a connection that has nothing to send: that the client has gone is noticed with the next writes.
  public init(
    status: Int, headers: [(String, String)] = [], stream: @escaping @Sendable (HTTPBodyWriter) async -> Void
  ) {
    self.init(status, headers, .stream(stream))
  }

  private init(_ status: Int, _ headers: [(String, String)], _ body: Body) {
    precondition((200...599).contains(status), "\(status) is no final status")
    for (name, value) in headers {
      precondition(!name.isEmpty && name.utf8.allSatisfy(HTTPText.isToken), "\(name) is no name of a header")
      precondition(value.utf8.allSatisfy(HTTPText.isValue), "a control character in the header \(name)")
      precondition(!Self.ours.contains(name.lowercased()), "\(name) is set by the server")
    }
    self.status = status
    self.headers = headers.filter { !$0.1.isEmpty }
    self.body = body
  }

  private static let ours: Set<String> = [
    "connection", "content-length", "date", "keep-alive", "trailer", "transfer-encoding", "upgrade",
  ]

  /// The same with more headers, behind those that it has.
  public func adding(_ more: [(String, String)]) -> HTTPResponse { HTTPResponse(status, headers + more, body) }

  /// A line of text for people and programs, or nothing, which nobody is to keep.
  public static func plain(_ status: Int, _ text: String = "") -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
      body: text.isEmpty ? [] : Array("\(text)\n".utf8))
  }

  /// With what is sent of an answer that does not say who may keep it: nobody.
  var sentHeaders: [(String, String)] {
    headers.contains { $0.0.lowercased() == "cache-control" } ? headers : headers + [("Cache-Control", "no-store")]
  }

  /// What the headers take on the wire.
  var headerBytes: Int { headers.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 4 } }
}

/// Which bytes may stand where in a head (RFC 9110, 5.5 and 5.6.2).
enum HTTPText {
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"),
      UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  static func isValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f || byte == 9 }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 }
}
