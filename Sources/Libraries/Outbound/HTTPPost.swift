/// Who is asking, as an HTTP server wants to know it.
public enum HTTPCredentials: Sendable, Equatable {
  case bearer(String)
  /// The user has no colon.
  case basic(user: String, password: String)

  /// The header's line; nil for what libcurl makes itself.
  var headerLine: String? {
    if case .bearer(let token) = self { "Authorization: Bearer \(token)" } else { nil }
  }
}

/// Something to hand over to an HTTP server.
public struct HTTPPost: Sendable {
  public var url: OutboundURL
  /// Such as "application/json".
  public var contentType: String
  public var content: [UInt8]
  public var credentials: HTTPCredentials?
  /// The same for every attempt to hand over the same thing, so that the server takes it once.
  public var idempotencyKey: String?
  /// Further headers.
  public var headers: [(name: String, value: String)]

  public init(
    url: OutboundURL, contentType: String, content: [UInt8], credentials: HTTPCredentials? = nil,
    idempotencyKey: String? = nil, headers: [(name: String, value: String)] = []
  ) {
    self.url = url
    self.contentType = contentType
    self.content = content
    self.credentials = credentials
    self.idempotencyKey = idempotencyKey
    self.headers = headers
  }

  /// A form, as `application/x-www-form-urlencoded`.
  public static func form(_ fields: [(name: String, value: String)]) -> [UInt8] {
    Array(fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&").utf8)
  }

  /// The header's lines; nil if one of them would not be one line.
  var headerLines: [String]? {
    // libcurl waits for "100 Continue" before larger contents if it is not told otherwise.
    var lines = ["Content-Type: \(contentType)", "Expect:"]
    if let idempotencyKey { lines.append("Idempotency-Key: \(idempotencyKey)") }
    if let line = credentials?.headerLine { lines.append(line) }
    lines += headers.map { "\($0.name): \($0.value)" }
    return lines.allSatisfy(Self.isLine) ? lines : nil
  }

  /// Whether a text stays one line of a header.
  static func isLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }

  /// A name or a value of a form, with what stands for something else there written as its number.
  public static func encoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        encoded.append(byte)
      case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
