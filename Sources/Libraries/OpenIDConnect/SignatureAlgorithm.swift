/// How an issuer may sign (RFC 7518, 3.1; RFC 8037, 3.1). Each of these takes a private key: with any other, whoever
/// knows the public key could sign.
enum SignatureAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  case edDSA = "EdDSA"

  enum Hash: Sendable {
    case sha256, sha384, sha512
  }

  enum Padding: Sendable {
    case pkcs1, pss
  }

  /// The only kind of key that it works with. Of the curves of EdDSA only Ed25519 is known here.
  var keyKind: PublicKey.Kind {
    switch self {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
    case .es256: .ec(.p256)
    case .es384: .ec(.p384)
    case .es512: .ec(.p521)
    case .edDSA: .ed25519
    }
  }

  /// What is signed instead of the message; nil where the algorithm does that itself.
  var hash: Hash? {
    switch self {
    case .rs256, .ps256, .es256: .sha256
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .es512: .sha512
    case .edDSA: nil
    }
  }

  /// nil where the key is not an RSA key.
  var padding: Padding? {
    switch self {
    case .rs256, .rs384, .rs512: .pkcs1
    case .ps256, .ps384, .ps512: .pss
    case .es256, .es384, .es512, .edDSA: nil
    }
  }
}
