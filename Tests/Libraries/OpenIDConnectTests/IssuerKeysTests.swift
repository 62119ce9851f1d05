import Testing

@testable import OpenIDConnect

struct IssuerKeysTests {
  private func keys(_ all: [String]) throws -> IssuerKeys {
    try #require(IssuerKeys(json: Array(#"{"keys": [\#(all.joined(separator: ", "))]}"#.utf8)))
  }

  private func isThere(_ key: String, _ algorithm: SignatureAlgorithm) throws -> Bool {
    try keys([key]).key(for: token(algorithm)) != nil
  }

  /// A token as far as the choice of a key goes.
  private func token(_ algorithm: SignatureAlgorithm, _ id: String? = nil) throws -> IDToken {
    let kid = id.map { #", "kid": "\#($0)""# } ?? ""
    return try IDToken(encoded(#"{"alg": "\#(algorithm.rawValue)"\#(kid)}"#) + ".e30.AA")
  }

  @Test func theKeyIsTheOneThatTheHeaderNames() throws {
    let rsa = Signer.shared(.rsa)
    let keys = try keys([
      rsa.jwk(["kid": "a", "alg": "RS256"]), Signer(.rsa).jwk(["kid": "b"]),
      Signer.shared(.ec(.p256)).jwk(["kid": "a"]), Signer.shared(.ec(.p256)).jwk(["kid": "c", "alg": "ES256"]),
      Signer.shared(.ec(.p384)).jwk(),
    ])
    func isThere(_ algorithm: SignatureAlgorithm, _ id: String?) throws -> Bool {
      try keys.key(for: token(algorithm, id)) != nil
    }
    #expect(try isThere(.rs256, "a"))
    #expect(try !isThere(.rs512, "a"))
    #expect(try isThere(.es256, "a"))
    #expect(try isThere(.rs512, "b"))
    #expect(try !isThere(.es256, "b"))
    #expect(try !isThere(.rs256, "c"))
    #expect(try !isThere(.rs256, "d"))
    #expect(try !isThere(.edDSA, "a"))
    // Without a name: if no other fits.
    #expect(try isThere(.rs512, nil))
    #expect(try !isThere(.rs256, nil))
    #expect(try !isThere(.es256, nil))
    #expect(try isThere(.es384, nil))
    #expect(try !isThere(.es384, "a"))
    let first = try #require(keys.key(for: token(.rs256, "a")))
    #expect(try IDToken(rsa.token(.rs256)).isSigned(with: first))
    let second = try #require(keys.key(for: token(.rs256, "b")))
    #expect(try !IDToken(rsa.token(.rs256)).isSigned(with: second))
  }

  @Test func keysThatNobodyCanUseDoNotSpoilTheOthers() throws {
    let good = Signer.shared(.rsa).jwk(["kid": "good"])
    let keys = try keys([
      "7", "null", "[]", "{}", #"{"kty": "XYZ", "kid": "good"}"#, #"{"kty": 7}"#, #"{"kty": "RSA"}"#,
      #"{"kty": "oct", "k": "AAAA", "kid": "good", "alg": "RS256"}"#, #"{"kty": "RSA", "n": "AA", "e": "AQAB"}"#,
      #"{"kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA"}"#, #"{"kty": "OKP", "crv": "Ed25519", "x": "AA"}"#,
      good.replacing(#""kid": "good""#, with: #""kid": 7"#), good,
    ])
    #expect(try keys.key(for: token(.rs256, "good")) != nil)
    #expect(try keys.key(for: token(.rs256)) != nil)
    #expect(try keys.key(for: token(.es256, "good")) == nil)
    for text in ["[]", "{}", #"{"keys": {}}"#, "", "hello"] { #expect(IssuerKeys(json: Array(text.utf8)) == nil) }
  }

  @Test func keysForOtherUsesAreLeftOut() throws {
    let rsa = Signer.shared(.rsa)
    #expect(try isThere(rsa.jwk(["use": "sig"]), .rs256))
    #expect(try !isThere(rsa.jwk(["use": "enc"]), .rs256))
    #expect(try !isThere(rsa.jwk(["use": ""]), .rs256))
    let operations = { (list: String) in rsa.jwk(["key_ops": "?"]).replacing(#""?""#, with: list) }
    #expect(try isThere(operations(#"["verify"]"#), .rs256))
    #expect(try !isThere(operations(#"["encrypt", "wrapKey"]"#), .rs256))
    #expect(try !isThere(operations("[]"), .rs256))
    // For no signature, or not for one of this kind of key.
    for name in ["RSA-OAEP", "HS256", "none", "ES256", "EdDSA"] {
      #expect(try !isThere(rsa.jwk(["alg": name]), .rs256), "\(name)")
    }
  }

  @Test func anRSAKeyHas2048BitsAtLeast() throws {
    for (bits, isTaken) in [(1_024, false), (2_040, false), (2_048, true), (3_072, true)] as [(Int32, Bool)] {
      #expect(try isThere(Signer(.rsa, rsaBits: bits).jwk(), .rs256) == isTaken, "\(bits)")
    }
    // Zeros in front make no number larger.
    let small = Signer(.rsa, rsaBits: 1_024).jwk()
    let n = try #require(small.firstMatch(of: /"n": "([^"]+)"/)).1
    let padded = [UInt8](repeating: 0, count: 128) + (try #require(Base64URL.bytes(n)))
    #expect(try !isThere(small.replacing(n, with: encoded(padded)), .rs256))
    let endless = encoded([UInt8](repeating: 0xff, count: 1_025))
    #expect(try !isThere(Signer.shared(.rsa).jwk(["n": endless]), .rs256))
  }

  @Test func anExponentThatProvesNothingIsRefused() throws {
    let rsa = Signer.shared(.rsa)
    for exponent: [UInt8] in [[], [0], [1], [0, 0, 1], [2], [1, 0, 0], [1, 0, 0, 0, 1]] {
      #expect(try !isThere(rsa.jwk(["e": encoded(exponent)]), .rs256), "\(exponent)")
    }
    for exponent: [UInt8] in [[3], [1, 0, 1], [0, 1, 0, 1]] {
      #expect(try isThere(rsa.jwk(["e": encoded(exponent)]), .rs256), "\(exponent)")
    }
  }

  @Test func aPointLiesOnItsCurve() throws {
    for (curve, algorithm) in [
      (PublicKey.Curve.p256, SignatureAlgorithm.es256), (.p384, .es384), (.p521, .es512),
    ] {
      let signer = Signer.shared(.ec(curve))
      let text = try #require(signer.jwk().firstMatch(of: /"x": "([^"]+)"/)).1
      let x = try #require(Base64URL.bytes(text))
      #expect(try isThere(signer.jwk(), algorithm))
      // The same bytes, cut elsewhere.
      let y = try #require(Base64URL.bytes(signer.jwk().firstMatch(of: /"y": "([^"]+)"/)?.1 ?? ""))
      let shifted = signer.jwk(["x": encoded(x.dropLast()), "y": encoded([x.last!] + y)])
      #expect(try !isThere(shifted, algorithm))
      // A point beside it, none at all, and numbers of another length than the curve's.
      let others: [[UInt8]] = [
        x.dropLast() + [x.last! ^ 1], x.map { _ in 0 }, x.map { _ in 0xff }, x + [0], [0] + x, x.dropLast(), [],
      ]
      for other in others {
        #expect(try !isThere(signer.jwk(["x": encoded(other), "y": encoded(x)]), algorithm))
        #expect(try !isThere(signer.jwk(["x": encoded(other)]), algorithm))
      }
    }
    let p256 = Signer.shared(.ec(.p256))
    #expect(try !isThere(p256.jwk(["crv": "P-384"]), .es384))
    #expect(try !isThere(p256.jwk(["crv": nil]), .es256))
    let ed25519 = Signer.shared(.ed25519)
    #expect(try !isThere(ed25519.jwk(["crv": "X25519"]), .edDSA))
    for count in [0, 31, 33, 57] {
      #expect(try !isThere(ed25519.jwk(["x": encoded([UInt8](repeating: 7, count: count))]), .edDSA))
    }
  }

  @Test func moreThanAHundredKeysAreNotKept() throws {
    let key = Signer.shared(.ed25519)
    let keys = try keys(["7"] + (1...101).map { key.jwk(["kid": "\($0)"]) })
    #expect(try keys.key(for: token(.edDSA, "100")) != nil)
    #expect(try keys.key(for: token(.edDSA, "101")) == nil)
  }
}
