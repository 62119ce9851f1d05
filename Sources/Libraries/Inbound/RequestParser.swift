/// Reads requests of HTTP/1.1 and 1.0 (RFC 9112), those alone whose length is plain: with Content-Length or without a
/// body. What two readers might understand differently is refused: folded lines, spaces before a colon, bare line feeds,
/// two lengths, and every transfer coding.
struct RequestParser {
  enum Outcome: Equatable {
    case incomplete
    case request(InboundRequest)
    /// It can't be served; answered with this status, and the connection ends.
    case refused(Int)
  }

  let limits: InboundLimits
  /// Whether the client waits for "100 Continue" before it sends the body (RFC 9110, 10.1.1).
  private(set) var awaitsContinue = false
  private var head: (method: String, path: String, headers: [String: String], end: Int, length: Int)?

  init(limits: InboundLimits) { self.limits = limits }

  /// Looks at everything that has come so far.
  mutating func parse(_ bytes: [UInt8]) -> Outcome {
    if head == nil {
      let area = bytes.prefix(limits.headerBytes)
      guard let end = Self.endOfHead(area) else {
        return bytes.count > limits.headerBytes ? .refused(431) : .incomplete
      }
      if let status = readHead(bytes[..<end]) { return .refused(status) }
    }
    guard let head else { return .incomplete }
    guard bytes.count >= head.end + head.length else { return .incomplete }
    return .request(
      InboundRequest(
        method: head.method, path: head.path, headers: head.headers,
        body: Array(bytes[head.end..<head.end + head.length])))
  }

  /// Behind the empty line; nil if it has not come.
  private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      for index in 3..<bytes.count
      where bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10 && bytes[index - 3] == 13 {
        return index + 1
      }
      return nil
    }
  }

  /// - Returns: the status to refuse it with; nil if it is a good one.
  private mutating func readHead(_ bytes: ArraySlice<UInt8>) -> Int? {
    let text = bytes.dropLast(4)
    guard text.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == 9 || $0 == 13 || $0 == 10 }) else { return 400 }
    var lines: [String] = []
    var line: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text {
      if byte == 10 {
        guard previous == 13 else { return 400 }
        line.removeLast()
        lines.append(String(decoding: line, as: UTF8.self))
        line = []
      } else {
        guard previous != 13 else { return 400 }
        line.append(byte)
      }
      previous = byte
    }
    lines.append(String(decoding: line, as: UTF8.self))
    guard lines.count <= 101 else { return 431 }

    let first = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard first.count == 3, !first[0].isEmpty, first[0].utf8.allSatisfy(Self.isTokenByte), first[1].hasPrefix("/")
    else {
      return 400
    }
    guard first[2] == "HTTP/1.1" || first[2] == "HTTP/1.0" else { return first[2].hasPrefix("HTTP/") ? 505 : 400 }
    var headers: [String: String] = [:]
    var length: Int?
    for line in lines.dropFirst() {
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return 400 }
      let name = line[..<colon]
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else { return 400 }
      let value = Self.trimmed(line[line.utf8.index(after: colon)...])
      let key = name.lowercased()
      if key == "content-length" {
        guard length == nil, (1...12).contains(value.utf8.count),
          value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value)
        else { return 400 }
        length = number
      }
      if headers[key] == nil { headers[key] = value }
    }
    if headers["transfer-encoding"] != nil { return 411 }
    if (length ?? 0) > limits.bodyBytes { return 413 }
    awaitsContinue = headers["expect"]?.lowercased() == "100-continue"
    let path = first[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)[0]
    head = (String(first[0]), String(path), headers, bytes.endIndex, length ?? 0)
    return nil
  }

  /// RFC 9110, 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    return String(String(text.drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
  }
}
