/// As much of ASN.1's distinguished encoding (X.690) as keys and signatures need on their way to OpenSSL.
enum DER {
  static func sequence(_ members: [UInt8]...) -> [UInt8] { tagged(0x30, members.flatMap(\.self)) }

  /// A number that is not negative, given with the most significant byte first.
  static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    // The first bit is the sign's.
    let isPadded = digits.first.map { $0 >= 0x80 } ?? true
    return tagged(0x02, (isPadded ? [0] : []) + digits)
  }

  static func bitString(_ bytes: [UInt8]) -> [UInt8] { tagged(0x03, [0] + bytes) }

  static let null = tagged(0x05, [])

  /// - Parameter encoded: the identifier as X.690, 8.19 writes it.
  static func objectIdentifier(_ encoded: [UInt8]) -> [UInt8] { tagged(0x06, encoded) }

  private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(count)] + content }
    let digits = (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }.drop { $0 == 0 }
    return [tag, 0x80 | UInt8(digits.count)] + digits + content
  }
}
