import Crypto
import Testing

@Suite struct HashTests {
  /// FIPS 180-4's examples.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func sha256(_ message: String, _ expected: String) {
    var hash = [UInt8](repeating: 0, count: 32)
    hash.withUnsafeMutableBytes { SHA256.write(of: Array(message.utf8), to: $0) }
    #expect(Hexadecimal.text(of: hash) == expected)
  }

  /// RFC 4231, 4.2, 4.3 and 4.7.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func hmac(_ key: [UInt8], _ message: String, _ expected: String) {
    #expect(Hexadecimal.text(of: SHA256.hmac(of: Array(message.utf8), key: key)) == expected)
  }

  /// Those of Python's hashlib: blake2b(message, digest_size=size, key=bytes(range(32))).
  @Test(arguments: [
    ("", "3daf97bce7888fd59773c66bf647459c"),
    ("abc", "1a64be47e4729d951c302ee543f97cf3"),
    ("abc", "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f"),
  ])
  func keyedHash(_ message: String, _ expected: String) {
    let keyed = KeyedHash(key: (0..<32).map { $0 })
    var hash = [UInt8](repeating: 0, count: expected.utf8.count / 2)
    Array(message.utf8).withUnsafeBufferPointer { message in
      hash.withUnsafeMutableBufferPointer { keyed.write(of: message, to: $0) }
    }
    #expect(Hexadecimal.text(of: hash) == expected)
  }

  @Test func passwordsAreHashedWithTheCostThatWasAskedFor() throws {
    let argon2id = Argon2id(passes: 2, memoryBytes: 1 << 20)
    let hash = try #require(argon2id.hash("pässword 🔒"))
    #expect(hash.hasPrefix("$argon2id$v=19$m=1024,t=2,p=1$") && hash.utf8.count <= 127)
    #expect(Argon2id.verify("pässword 🔒", against: hash))
    #expect(!Argon2id.verify("pässword", against: hash) && !Argon2id.verify("", against: hash))
    #expect(!Argon2id.verify("pässword 🔒", against: "no hash"))
    #expect(argon2id.hash("pässword 🔒") != hash, "each has a salt of its own")
  }

  /// Of the tests of the reference implementation (phc-winner-argon2, test.c).
  @Test func whatOthersHaveHashedIsKnown() {
    let hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
    #expect(Argon2id.verify("password", against: hash) && !Argon2id.verify("Password", against: hash))
  }

  @Test func twoAreEqualIfAllTheirBytesAre() {
    let bytes = [UInt8](0..<100)
    #expect(ConstantTime.equal(bytes, bytes) && ConstantTime.equal([], []))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      #expect(!ConstantTime.equal(bytes, other))
    }
    #expect(!ConstantTime.equal(bytes, Array(bytes.dropLast())) && !ConstantTime.equal([], [0]))
  }
}
