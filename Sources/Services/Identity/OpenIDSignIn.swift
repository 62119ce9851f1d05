internal import OpenIDConnect
internal import RPCRuntime

extension IdentityService {
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
    guard try await storage.openID.useNonce(hash: TokenHash(identity.nonce).bytes) else {
      throw Self.status(of: .tokenInvalid(.nonce))
    }
    return identity
  }

  static func status(of error: OpenIDError) -> RPCStatus {
    switch error {
    case .issuerUnavailable:
      .failure(
        .unavailable, reason: "OPENID_ISSUER_UNAVAILABLE", message: "the issuer can't be asked now; try again later")
    case .tokenInvalid:
      .failure(.unauthenticated, reason: "OPENID_TOKEN_INVALID", message: "the ID token is not valid here and now")
    }
  }
}
