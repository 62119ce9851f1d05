/// An address on this server, "/races?near=45.5,9.2": whatever a browser makes of it, it stays here.
package struct LocalAddress: Sendable, Hashable {
  /// The most bytes.
  package static let bytesMax = 256
  /// The first page.
  package static let home = LocalAddress(unchecked: "/")
  /// The page where an account is linked with a sign-in at an issuer.
  package static let link = LocalAddress(unchecked: "/linked-sign-in")

  /// Fit for a header and for a cookie: what has a meaning there is percent-encoded.
  package let text: String

  /// - Parameter wanted: by whoever made a link.
  /// - Returns: nil for what is longer, names a host, or could be taken for it.
  package init?(_ wanted: String) {
    let bytes = Array(wanted.utf8)
    // Browsers take "//host" and "/\host" for a host, and leave out tabs and line ends before they look.
    guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"),
      !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") })
    else { return nil }
    let text = bytes.map { Self.plain.contains($0) ? String(UnicodeScalar($0)) : Self.encoded($0) }.joined()
    guard text.utf8.count <= Self.bytesMax else { return nil }
    self.text = text
  }

  private init(unchecked text: String) { self.text = text }

  /// As the value of a parameter of another address.
  package var asParameter: String { Self.parameter(text) }

  /// A text as the value of a parameter.
  package static func parameter(_ text: String) -> String {
    text.utf8.map { Self.unreserved.contains($0) ? String(UnicodeScalar($0)) : Self.encoded($0) }.joined()
  }

  /// Without the query.
  package var path: String { String(text.prefix { $0 != "?" }) }

  /// What stands for itself in a path or a query, and means nothing in a cookie.
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+/:=?@%".utf8)

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  private static func encoded(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + (digits.utf8.count < 2 ? "0" : "") + digits
  }
}
