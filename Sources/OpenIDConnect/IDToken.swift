internal import FoundationEssentials
internal import JWTKit

/// An ID token (OpenID Connect Core 1.0, 2 and 3.1.3.7) before and after its signature is checked.
struct IDToken {
  /// What the token says of its signature, before anything is believed.
  struct Header: Decodable {
    let alg: String
    let kid: String?
    /// Extensions that must be understood: none is.
    let crit: [String]?
  }

  static let bytesMax = 16 << 10
  /// Signed with a private key: everything else could be signed by whoever knows the public one.
  static let algorithms: Set<String> = [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
  ]

  let text: String
  let header: Header

  init(_ text: String) throws(OpenIDError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.bytesMax, parts.count == 3, parts.allSatisfy({ Self.isBase64URL($0) }),
      let json = Self.bytes(parts[0]), let header = try? JSONDecoder().decode(Header.self, from: json),
      header.crit == nil
    else { throw .tokenInvalid(.form) }
    guard Self.algorithms.contains(header.alg) else { throw .tokenInvalid(.algorithm) }
    self.text = text
    self.header = header
  }

  private static func isBase64URL(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private static func bytes(_ text: Substring) -> Data? {
    var base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    return Data(base64Encoded: base64)
  }
}

/// The claims that are looked at. `verify` is called by `JWTKit` after the signature was found good; the claims are
/// checked by `check`, which knows the time and the configuration.
struct IDTokenClaims: JWTPayload {
  /// One audience, or several.
  struct Audience: Codable {
    let values: [String]

    init(values: [String]) { self.values = values }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let one = try? container.decode(String.self) {
        values = [one]
      } else {
        values = try container.decode([String].self)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(values)
    }
  }

  /// How far the issuer's clock may be from ours, in seconds.
  static let skewSeconds = 60.0
  /// A token is used soon after it was made, whatever its own end.
  static let ageSecondsMax = 86_400.0

  let iss: String
  let sub: String
  let aud: Audience
  let azp: String?
  let exp: Double
  let iat: Double
  let nbf: Double?
  let nonce: String?

  func verify(using algorithm: some JWTAlgorithm) async throws {}

  /// - Parameter now: seconds since the Unix epoch.
  func check(issuer: String, clientID: String, now: Double) throws(OpenIDError) -> VerifiedIdentity {
    guard iss == issuer else { throw .tokenInvalid(.issuer) }
    guard aud.values.contains(clientID), aud.values.count == 1 || azp != nil, azp == nil || azp == clientID else {
      throw .tokenInvalid(.audience)
    }
    guard exp > now - Self.skewSeconds else { throw .tokenInvalid(.expired) }
    guard iat <= now + Self.skewSeconds, iat >= now - Self.ageSecondsMax,
      nbf.map({ $0 <= now + Self.skewSeconds }) ?? true
    else { throw .tokenInvalid(.time) }
    guard (1...255).contains(sub.utf8.count), sub.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw .tokenInvalid(.subject)
    }
    guard let nonce, (1...255).contains(nonce.utf8.count) else { throw .tokenInvalid(.nonce) }
    return VerifiedIdentity(issuer: iss, subject: sub, nonce: nonce)
  }
}
