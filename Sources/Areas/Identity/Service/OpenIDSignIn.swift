internal import Domain
internal import OpenIDConnect
internal import RPCRuntime
internal import ServiceKit

// A sign-in that has begun is nowhere but in its nonce, which is sealed: whoever begins many takes nothing from others.

extension IdentityService {
  /// How long a sign-in may take.
  private static let signInTime: Duration = .seconds(600)

  /// A nonce that no other server's client can make, with the time of its making.
  func newNonce() -> String { seal.text(.signIn, clock(), .random(in: .min ... .max)) }

  /// When the time of a nonce is over; nil if it is over, or no server of this database has made the nonce.
  private func end(ofNonce nonce: String) -> Microseconds? {
    let now = clock()
    guard let made = seal.numbers(.signIn, in: nonce, count: 2)?.first,
      case let end = made + Self.signInTime.components.seconds * 1_000_000, end > now
    else { return nil }
    return end
  }

  /// The issuer, if one is configured.
  /// - Throws: FAILED_PRECONDITION.
  func openIDProvider() throws -> OpenIDProvider {
    guard let openID else {
      throw RPCStatus.failure(
        .failedPrecondition, reason: "OPENID_NOT_CONFIGURED", message: "this server has no OpenID Connect issuer")
    }
    return openID
  }

  /// Who has signed in, as an ID token proves that is used here for the first time.
  ///
  /// - Throws: INVALID_ARGUMENT, FAILED_PRECONDITION, UNAVAILABLE if the issuer can't be asked, UNAUTHENTICATED without
  ///   a word about which check failed.
  func identity(idToken: String) async throws -> VerifiedIdentity {
    guard !idToken.isEmpty, idToken.utf8.count <= OpenIDProvider.tokenBytesMax else {
      throw RPCStatus.invalidArgument(
        field: "id_token", problem: "must be 1 to \(OpenIDProvider.tokenBytesMax) bytes")
    }
    let provider = try openIDProvider()
    let identity: VerifiedIdentity
    do throws(OpenIDError) { identity = try await provider.verify(idToken) } catch { throw Self.status(of: error) }
    // Last, and by whoever comes first: a token that is used twice is a stolen one.
    guard let end = end(ofNonce: identity.nonce),
      try await storage.openID.useNonce(hash: TokenHash(identity.nonce).bytes, until: end)
    else { throw Self.status(of: .tokenInvalid(.nonce)) }
    return identity
  }

  static func status(of error: OpenIDError) -> RPCStatus {
    switch error {
    case .issuerUnavailable:
      .failure(
        .unavailable, reason: "OPENID_ISSUER_UNAVAILABLE", message: "the issuer can't be asked now; try again later")
    case .tokenInvalid, .codeRefused:
      .failure(.unauthenticated, reason: "OPENID_TOKEN_INVALID", message: "the ID token is not valid here and now")
    }
  }
}

extension Seal.Kind {
  /// The nonce of a sign-in at an issuer.
  static let signIn = Seal.Kind(6)
}
