internal import Crypto

/// The secret of a race's private link: 256 random bits. It is shown when it is made; what is kept is its SHA-256.
struct InvitationSecret: Sendable {
  /// 43 characters of base64url (RFC 4648), without padding.
  let text = Base64URL.text(of: SecureRandom.bytes(32))
}
