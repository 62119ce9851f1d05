/// Why a sign-in is not believed.
public enum OpenIDError: Error, Sendable, Equatable {
  /// The issuer can't be reached, or does not say what an issuer must.
  case issuerUnavailable(String)
  /// The issuer does not take the code that a browser came with.
  case codeRefused
  /// The token is not one that the issuer made for this server, or its time is over. Which check failed is for the
  /// server's own eyes: strangers are told nothing.
  case tokenInvalid(TokenFault)
}

/// What is wrong with an ID token.
public enum TokenFault: String, Sendable {
  case form, algorithm, key, signature, issuer, audience, subject, expired, time, nonce
}

/// Who has signed in at the issuer, as a token proves that has passed every check but the nonce's.
public struct VerifiedIdentity: Sendable, Equatable {
  public let issuer: String
  /// Never given to another person by this issuer; at most 255 bytes, without control characters.
  public let subject: String
  /// Whoever takes this for a sign-in makes sure that the nonce is one of its own, and used once.
  public let nonce: String
}
