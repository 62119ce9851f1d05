internal import FoundationEssentials
internal import JWTKit

/// The keys with which an issuer signs (RFC 7517). Keys of other kinds and for other uses are left out.
struct IssuerKeys: Sendable {
  static let keysMax = 100

  private struct Document: Decodable {
    let keys: [Entry]
  }

  /// A key that may be of a kind nobody here knows.
  private struct Entry: Decodable {
    private enum Field: String, CodingKey { case use }
    let key: JWK?

    init(from decoder: any Decoder) throws {
      let use = try? decoder.container(keyedBy: Field.self).decode(String.self, forKey: .use)
      key = use == nil || use == "sig" ? try? JWK(from: decoder) : nil
    }
  }

  private let keys: [JWK]

  /// - Returns: nil if the text is no set of keys.
  init?(json: [UInt8]) {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)) else { return nil }
    keys = Array(document.keys.lazy.compactMap(\.key).prefix(Self.keysMax))
  }

  /// The key that a token was signed with, as far as its header says; nil if there is none or no telling.
  func key(for header: IDToken.Header) -> JWK? {
    let fitting = keys.filter { key in
      Self.type(of: header.alg) == key.keyType && (key.algorithm == nil || key.algorithm?.rawValue == header.alg)
    }
    guard let kid = header.kid else { return fitting.count == 1 ? fitting[0] : nil }
    return fitting.first { $0.keyIdentifier?.string == kid }
  }

  private static func type(of algorithm: String) -> JWK.KeyType {
    if algorithm.hasPrefix("ES") { return .ecdsa }
    return algorithm == "EdDSA" ? .octetKeyPair : .rsa
  }
}

extension IDToken {
  /// The claims, if the key has signed them with the algorithm that the header names.
  func claims(signedWith key: JWK) async throws(OpenIDError) -> IDTokenClaims {
    var key = key
    // With the algorithm put down, nothing else is tried.
    key.algorithm = JWK.Algorithm(rawValue: header.alg)
    key.keyIdentifier = JWKIdentifier(string: header.kid ?? "only")
    let keys = JWTKeyCollection()
    do { try await keys.add(jwk: key, isDefault: true) } catch { throw .tokenInvalid(.key) }
    do {
      return try await keys.verify(text, as: IDTokenClaims.self)
    } catch is DecodingError {
      throw .tokenInvalid(.form)
    } catch {
      throw .tokenInvalid(.signature)
    }
  }
}
