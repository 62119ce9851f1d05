/// The first line and the fields of a request, and nothing that two readers might read differently.
///
/// libmicrohttpd is lenient: it lets pass bare line feeds, folded lines, zeros, blanks before colons, several lengths and
/// several hosts. So the head is read once more, where libmicrohttpd has left it: as it came, with a zero in place of the
/// blank behind the method, of the one behind the target, of each field's first colon, and of each CR and LF that ended a
/// line. What can't be told apart there is a zero before a bare LF and a CR: everything else is seen.
struct RequestHead: Sendable {
  /// How a body comes.
  enum Framing: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
  }

  /// What it is answered with instead.
  struct Refusal: Error, Equatable {
    let status: Int
  }

  let method: String
  let path: String
  let query: String?
  let headers: [(name: String, value: String)]
  let framing: Framing
  /// Whether it is of HTTP/1.0: the connection ends with the answer.
  let isOld: Bool

  /// - Parameters:
  ///   - bytes: from the method up to and with the empty line.
  ///   - target: as it came, without what follows a zero in it.
  ///   - targetOffset: where it stood.
  ///   - versionOffset: where the version stands.
  /// - Throws: `Refusal`: 400, 501 or 505.
  init(
    _ bytes: UnsafeRawBufferPointer, target: [UInt8], targetOffset: Int, versionOffset: Int
  ) throws(Refusal) {
    let bad = Refusal(status: 400)
    guard targetOffset > 1, versionOffset == targetOffset + target.count + 1, versionOffset + 12 <= bytes.count,
      bytes[targetOffset - 1] == 0, bytes[..<(targetOffset - 1)].allSatisfy(HTTPText.isToken),
      bytes[versionOffset + 8] == 0, bytes[versionOffset + 9] == 0
    else { throw bad }
    let method = String(decoding: bytes[..<(targetOffset - 1)], as: UTF8.self)
    let version = bytes[versionOffset..<(versionOffset + 8)]
    guard version.elementsEqual("HTTP/1.1".utf8) || version.elementsEqual("HTTP/1.0".utf8) else {
      throw Refusal(status: 505)
    }
    isOld = version.last == UInt8(ascii: "0")
    // There is nothing to be tunnelled to.
    guard method != "CONNECT" else { throw Refusal(status: 501) }
    guard target.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }),
      target.first == UInt8(ascii: "/") || (target == [UInt8(ascii: "*")] && method == "OPTIONS")
    else { throw bad }
    let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    self.method = method
    path = String(decoding: parts[0], as: UTF8.self)
    query = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil
    guard let headers = Self.fields(bytes[(versionOffset + 10)...]) else { throw bad }
    self.headers = headers
    guard Self.namesOneHost(headers, isOld: isOld) else { throw bad }
    framing = try Self.framing(headers, isOld: isOld)
  }

  /// - Returns: nil where a line is no field, or ends otherwise than with CR and LF.
  private static func fields(_ bytes: Slice<UnsafeRawBufferPointer>) -> [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    var rest = bytes
    while !(rest.count == 2 && rest.allSatisfy({ $0 == 0 })) {
      let name = rest.prefix(while: HTTPText.isToken)
      rest = rest[name.endIndex...]
      guard !name.isEmpty, rest.popFirst() == 0 else { return nil }
      rest = rest.drop(while: HTTPText.isBlank)
      var value = rest.prefix(while: HTTPText.isValue)
      rest = rest[value.endIndex...]
      guard rest.popFirst() == 0, rest.popFirst() == 0 else { return nil }
      let key = String(decoding: name, as: UTF8.self).lowercased()
      // libmicrohttpd compares the coding with what follows it.
      while key != "transfer-encoding", value.last.map(HTTPText.isBlank) == true { value.removeLast() }
      fields.append((key, String(decoding: value, as: UTF8.self)))
    }
    return fields
  }

  private static func namesOneHost(_ headers: [(name: String, value: String)], isOld: Bool) -> Bool {
    let hosts = headers.filter { $0.name == "host" }
    guard let host = hosts.first?.value else { return isOld }
    return hosts.count == 1 && !host.utf8.contains { HTTPText.isBlank($0) || "/\\@?#,".utf8.contains($0) }
  }

  private static func framing(
    _ headers: [(name: String, value: String)], isOld: Bool
  ) throws(Refusal) -> Framing {
    let lengths = headers.filter { $0.name == "content-length" }
    let codings = headers.filter { $0.name == "transfer-encoding" }
    guard lengths.count + codings.count <= 1, codings.isEmpty || !isOld else { throw Refusal(status: 400) }
    if let coding = codings.first {
      guard coding.value.lowercased() == "chunked" else { throw Refusal(status: 501) }
      return .chunked
    }
    guard let length = lengths.first?.value else { return .none }
    guard (1...18).contains(length.utf8.count), length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(length)
    else { throw Refusal(status: 400) }
    return count == 0 ? .none : .length(count)
  }
}
