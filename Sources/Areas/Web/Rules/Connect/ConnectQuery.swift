/// A call by GET: an RPC without side effects, whose message stands in the address.
package struct ConnectQuery: Sendable, Hashable {
  package enum Fault: Error, Sendable, Hashable {
    /// The parameter is not there, or means nothing.
    case parameter(String)
    /// Messages that are compressed.
    case compressed
  }

  package let codec: ConnectContent.Codec
  package let message: [UInt8]

  /// - Parameter query: of the address, as it came.
  package init(_ query: String) throws(Fault) {
    let parameters: QueryParameters
    do throws(QueryParameters.Fault) { parameters = try QueryParameters(query) } catch {
      throw .parameter(error.parameter)
    }
    guard parameters.text("connect") == "v1" else { throw .parameter("connect") }
    guard let codec = parameters.text("encoding").flatMap(ConnectContent.Codec.init) else {
      throw .parameter("encoding")
    }
    guard ["", "identity"].contains(parameters.text("compression") ?? "") else { throw .compressed }
    guard let message = parameters.bytes("message") else { throw .parameter("message") }
    self.codec = codec
    switch parameters.text("base64") {
    case nil: self.message = message
    case "1":
      guard let bytes = Self.base64(message) else { throw .parameter("message") }
      self.message = bytes
    default: throw .parameter("base64")
    }
  }

  /// Of either alphabet (RFC 4648, 4 and 5), with or without padding.
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var digits = text[...]
    for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    guard digits.count % 4 != 1 else { return nil }
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
