/// The claims of an ID token that are looked at (OpenID Connect Core 1.0, 2 and 3.1.3.7).
struct IDTokenClaims: Decodable {
  /// One audience, or several.
  struct Audience: Decodable {
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
