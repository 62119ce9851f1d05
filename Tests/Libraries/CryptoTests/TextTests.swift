import Crypto
import Testing

@Suite struct TextTests {
  /// RFC 4648, 10, without padding; and bytes that need the letters of addresses.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func base64(_ text: String, _ expected: String) {
    #expect(Base64URL.text(of: Array(text.utf8)) == expected)
  }

  @Test func base64IsThatOfAddresses() {
    #expect(Base64URL.text(of: [0xfb, 0xff, 0xfe]) == "-__-")
    #expect(Base64URL.text(of: [UInt8](repeating: 0xff, count: 32)) == String(repeating: "_", count: 42) + "8")
  }

  @Test func hexadecimalGoesThereAndBack() {
    let bytes = [UInt8](0...255)
    let text = Hexadecimal.text(of: bytes)
    #expect(text.hasPrefix("000102030405060708090a") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
    #expect(Hexadecimal.bytes(in: text) == bytes && Hexadecimal.bytes(in: text.uppercased()) == bytes)
    for wrong in ["0", "0g", "g0", "-1", "0x", " 0", "é"] { #expect(Hexadecimal.bytes(in: wrong) == nil, "\(wrong)") }
    #expect(Hexadecimal.bytes(in: "") == [])
  }

  @Test func randomBytesAreAsManyAsWereAskedForAndNeverTheSame() {
    #expect(SecureRandom.bytes(0) == [] && SecureRandom.bytes(1).count == 1)
    let secrets = (0..<100).map { _ in SecureRandom.bytes(16) }
    #expect(secrets.allSatisfy { $0.count == 16 } && Set(secrets).count == 100)
  }

  @Test func randomNumbersStayBelowTheirBoundAndReachAll() {
    let numbers = (0..<2_000).map { _ in SecureRandom.number(below: 31) }
    #expect(Set(numbers) == Set(0..<31))
  }
}
