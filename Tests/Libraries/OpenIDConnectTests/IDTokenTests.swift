import COpenSSL
import Testing

@testable import OpenIDConnect

struct IDTokenTests {
  private func keys(_ all: String...) throws -> IssuerKeys {
    try #require(IssuerKeys(json: Array(#"{"keys": [\#(all.joined(separator: ", "))]}"#.utf8)))
  }

  /// What is wrong with a token where these are the issuer's keys; nil if nothing is.
  private func fault(_ text: String, _ keys: IssuerKeys) -> TokenFault? {
    do throws(OpenIDError) {
      let token = try IDToken(text)
      guard let key = keys.key(for: token) else { return .key }
      _ = try token.claims(signedWith: key)
      return nil
    } catch {
      guard case .tokenInvalid(let fault) = error else { return nil }
      return fault
    }
  }

  private func parts(_ token: String) -> [String] { token.split(separator: ".").map { String($0) } }

  /// The same token with one bit of a part the other way round.
  private func tampered(_ token: String, part: Int, byte: Int) throws -> String {
    var parts = parts(token)
    var bytes = try #require(Base64URL.bytes(parts[part]))
    bytes[byte < 0 ? bytes.count + byte : byte] ^= 1
    parts[part] = encoded(bytes)
    return parts.joined(separator: ".")
  }

  @Test(arguments: PublishedSignature.all)
  func publishedSignaturesAreVerified(_ published: PublishedSignature) throws {
    let keys = try keys(published.key)
    let token = try IDToken(published.token)
    #expect(token.algorithm.rawValue == published.algorithm)
    #expect(token.isSigned(with: try #require(keys.key(for: token))))
    for (part, byte) in [(1, 0), (1, -1), (2, 0), (2, -1)] {
      let other = try IDToken(tampered(published.token, part: part, byte: byte))
      #expect(!other.isSigned(with: try #require(keys.key(for: other))))
    }
  }

  @Test(arguments: SignatureAlgorithm.allCases)
  func everyAlgorithmOfAPrivateKeyIsTaken(_ algorithm: SignatureAlgorithm) throws {
    let signer = Signer.shared(algorithm.keyKind)
    let token = signer.token(algorithm)
    for key in [signer.jwk(), signer.jwk(["alg": algorithm.rawValue, "use": "sig"])] {
      #expect(fault(token, try keys(key)) == nil)
    }
    let claims = try IDToken(token).claims(signedWith: try #require(keys(signer.jwk()).key(for: IDToken(token))))
    #expect(claims.sub == "s")
    #expect(claims.aud.values == ["me"])
  }

  @Test(arguments: SignatureAlgorithm.allCases)
  func whatTheKeyHasNotSignedIsNotBelieved(_ algorithm: SignatureAlgorithm) throws {
    let signer = Signer.shared(algorithm.keyKind)
    let keys = try keys(signer.jwk())
    let token = signer.token(algorithm)
    for (part, byte) in [(1, 0), (1, 40), (1, -1), (2, 0), (2, 20), (2, -1)] {
      #expect(fault(try tampered(token, part: part, byte: byte), keys) == .signature)
    }
    // One byte less, one more, nothing but zeros.
    let (signed, signature) = (
      parts(token)[...1].joined(separator: "."), try #require(Base64URL.bytes(parts(token)[2]))
    )
    let others: [[UInt8]] = [signature.dropLast(), signature + [0], [0] + signature, signature.map { _ in 0 }]
    for other in others {
      #expect(fault(signed + "." + encoded(other), keys) == .signature)
    }
    #expect(fault(Signer(algorithm.keyKind).token(algorithm), keys) == .signature)
    // Signed, but with another header.
    #expect(
      fault(
        encoded(#"{"alg": "\#(algorithm.rawValue)", "typ": "x"}"#) + "." + parts(token)[1...].joined(separator: "."),
        keys)
        == .signature)
  }

  @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512])
  func aSignatureOfACurveIsTwoNumbersOfFullLength(_ algorithm: SignatureAlgorithm) throws {
    let signer = Signer.shared(algorithm.keyKind)
    let parts = parts(signer.token(algorithm))
    let signature = try #require(Base64URL.bytes(parts[2]))
    let half = signature.count / 2
    // As other programs write it, and with zeros where they change no number.
    let others = [
      DER.sequence(DER.integer(signature[..<half]), DER.integer(signature[half...])),
      [0] + signature[..<half] + [0] + signature[half...],
      signature[..<half] + [0] + signature[half...],
    ]
    for other in others {
      #expect(fault(parts[0] + "." + parts[1] + "." + encoded(other), try keys(signer.jwk())) == .signature)
    }
  }

  @Test(arguments: ["none", "None", "NONE", "", "HS256", "HS384", "HS512", "ES256K", "RS1", "rs256", "dir", "RSA-OAEP"])
  func algorithmsThatProveNothingAreRefused(_ name: String) throws {
    let parts = parts(Signer.shared(.rsa).token(.rs256, header: #"{"alg": "\#(name)"}"#))
    #expect(fault(parts.joined(separator: "."), try keys(Signer.shared(.rsa).jwk())) == .algorithm)
  }

  /// The header says which; neither another one of the same key nor one of another key is tried.
  @Test func onlyTheAlgorithmThatTheHeaderNamesIsTried() throws {
    let rsa = Signer.shared(.rsa)
    let open = try keys(rsa.jwk())
    for (signed, named) in [
      (SignatureAlgorithm.rs256, SignatureAlgorithm.ps256), (.ps256, .rs256), (.rs512, .rs256), (.ps256, .ps384),
    ] {
      #expect(fault(rsa.token(signed, header: #"{"alg": "\#(named.rawValue)"}"#), open) == .signature)
    }
    // Nor one that is not the key's.
    #expect(fault(rsa.token(.rs256), try keys(rsa.jwk(["alg": "RS512"]))) == .key)
    #expect(fault(rsa.token(.ps256), try keys(rsa.jwk(["alg": "RS256"]))) == .key)
    let p384 = Signer.shared(.ec(.p384))
    #expect(fault(p384.token(.es384, header: #"{"alg": "ES256"}"#), try keys(p384.jwk())) == .key)
    #expect(fault(rsa.token(.rs256, header: #"{"alg": "EdDSA"}"#), open) == .key)
    // Nor where the key can do it: its kind is the algorithm's.
    let key = try #require(open.key(for: IDToken(rsa.token(.rs256))))
    #expect(try !IDToken(rsa.token(.rs256, header: #"{"alg": "EdDSA"}"#)).isSigned(with: key))
    let curve = try #require(keys(p384.jwk()).key(for: IDToken(p384.token(.es384))))
    #expect(try !IDToken(p384.token(.es256)).isSigned(with: curve))
  }

  @Test func theSaltIsAsLongAsTheHash() throws {
    let rsa = Signer.shared(.rsa)
    #expect(fault(rsa.token(.ps256, saltBytes: 32), try keys(rsa.jwk())) == nil)
    for bytes: Int32 in [0, 20, 31, 33, 222] {
      #expect(fault(rsa.token(.ps256, saltBytes: bytes), try keys(rsa.jwk())) == .signature)
    }
  }

  @Test func whatIsNoTokenHasTheWrongForm() throws {
    let rsa = Signer.shared(.rsa)
    let keys = try keys(rsa.jwk())
    let token = rsa.token(.rs256)
    let parts = parts(token)
    for text in [
      "", "..", "a", "\(parts[0]).\(parts[1])", "\(token).", "\(token).e30", ".\(token)", "\(parts[0]).\(parts[1]).",
      "\(token)=", "\(token) ", " \(token)", token.replacing(".", with: "\u{301}."), "é.é.é", "AAAA.AAAA.AAAA",
      "\(encoded("[]")).\(parts[1]).\(parts[2])", "\(encoded("{}")).\(parts[1]).\(parts[2])",
    ] {
      #expect(fault(text, keys) == .form, "\(text)")
    }
    for header in [
      #"{"alg": 7}"#, #"{"alg": "RS256", "kid": 7}"#, #"{"alg": "RS256", "crit": ["exp"]}"#,
      #"{"alg": "RS256", "crit": []}"#, #"{"alg": "RS256", "crit": null}"#, #"{"alg": "RS256", "crit": 7}"#,
    ] {
      #expect(fault(rsa.token(.rs256, header: header), keys) == .form, "\(header)")
    }
    for payload in ["{}", "[]", "hello", #"{"iss": "i", "sub": "s", "aud": "me", "exp": "2", "iat": 1}"#] {
      #expect(fault(rsa.token(.rs256, payload: payload), keys) == .form, "\(payload)")
    }
  }

  @Test func aTokenOfMoreThan16KiBIsNotLookedAt() throws {
    let rsa = Signer.shared(.rsa)
    func token(_ bytes: Int) -> String {
      // Three bytes of blanks are four of base64.
      var blanks = (bytes - rsa.token(.rs256).utf8.count) / 4 * 3
      while rsa.token(.rs256, payload: Signer.claims + String(repeating: " ", count: blanks)).utf8.count < bytes {
        blanks += 1
      }
      return rsa.token(.rs256, payload: Signer.claims + String(repeating: " ", count: blanks))
    }
    #expect(IDToken.bytesMax == 16_384)
    #expect(fault(token(16_380), try keys(rsa.jwk())) == nil)
    #expect(fault(token(16_385), try keys(rsa.jwk())) == .form)
  }

  /// Two texts of one token could be used twice.
  @Test func bitsThatMeanNothingAreZero() throws {
    #expect(Base64URL.bytes("AA") == [0])
    #expect(Base64URL.bytes("AB") == nil)
    #expect(Base64URL.bytes("AAA") == [0, 0])
    #expect(Base64URL.bytes("AAB") == nil)
    #expect(Base64URL.bytes("_-8") == [0xff, 0xef])
    for text in ["A", "A=", "AA==", "+/8", "AA A", "AA\n", "Ａ"] { #expect(Base64URL.bytes(text) == nil) }
  }

  /// What stays would be taken for an error of a TLS connection that the same thread serves.
  @Test func openSSLKeepsNoErrorOfAWrongToken() throws {
    ERR_clear_error()
    let keys = try keys(
      Signer.shared(.rsa).jwk(), Signer.shared(.ec(.p256)).jwk(), #"{"kty": "RSA", "n": "AA", "e": "AQAB"}"#,
      Signer.shared(.ec(.p384)).jwk(["x": encoded([UInt8](repeating: 7, count: 48))]))
    for algorithm in [SignatureAlgorithm.rs256, .ps256, .es256] {
      #expect(fault(Signer(algorithm.keyKind).token(algorithm), keys) == .signature)
      let zeros = encoded([UInt8](repeating: 0, count: 64))
      let parts = parts(Signer.shared(algorithm.keyKind).token(algorithm))
      #expect(fault("\(parts[0]).\(parts[1]).\(zeros)", keys) == .signature)
    }
    #expect(ERR_peek_error() == 0)
  }
}
