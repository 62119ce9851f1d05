internal import FoundationEssentials

/// The keys with which an issuer signs (RFC 7517). Keys of other kinds and for other uses are left out.
struct IssuerKeys: Sendable {
  static let keysMax = 100

  private struct Document: Decodable {
    let keys: [Entry]
  }

  /// A key that may be of a kind nobody here knows.
  private struct Entry: Decodable {
    let key: IssuerKey?

    init(from decoder: any Decoder) { key = (try? JSONWebKey(from: decoder)).flatMap { IssuerKey($0) } }
  }

  private let keys: [IssuerKey]

  /// - Returns: nil if the text is no set of keys.
  init?(json: [UInt8]) {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)) else { return nil }
    keys = Array(document.keys.lazy.compactMap(\.key).prefix(Self.keysMax))
  }

  /// The key that a token was signed with, as far as its header says; nil if there is none or no telling.
  func key(for token: IDToken) -> PublicKey? {
    let fitting = keys.filter {
      $0.key.kind == token.algorithm.keyKind && ($0.algorithm == nil || $0.algorithm == token.algorithm)
    }
    guard let id = token.keyID else { return fitting.count == 1 ? fitting[0].key : nil }
    return fitting.first { $0.id == id }?.key
  }
}

/// A key that an issuer signs with.
private struct IssuerKey: Sendable {
  let id: String?
  /// The only one that the issuer uses it with, if it says so.
  let algorithm: SignatureAlgorithm?
  let key: PublicKey

  /// - Returns: nil if the key is not for signatures, or none that can be relied on.
  init?(_ json: JSONWebKey) {
    guard json.use == nil || json.use == "sig", json.key_ops?.contains("verify") ?? true, let key = json.publicKey
    else { return nil }
    if let name = json.alg {
      guard let algorithm = SignatureAlgorithm(rawValue: name) else { return nil }
      self.algorithm = algorithm
    } else {
      algorithm = nil
    }
    id = json.kid
    self.key = key
  }
}

/// A key as RFC 7517, RFC 7518, 6 and RFC 8037, 2 write it: the members that are looked at.
private struct JSONWebKey: Decodable {
  let kty: String
  let kid: String?
  let use: String?
  let key_ops: [String]?
  let alg: String?
  let crv: String?
  let n: String?
  let e: String?
  let x: String?
  let y: String?

  var publicKey: PublicKey? {
    func bytes(_ member: String?) -> [UInt8] { member.flatMap { Base64URL.bytes($0) } ?? [] }
    return switch (kty, crv) {
    case ("RSA", _): PublicKey(modulus: bytes(n), exponent: bytes(e))
    case ("EC", "P-256"): PublicKey(.p256, x: bytes(x), y: bytes(y))
    case ("EC", "P-384"): PublicKey(.p384, x: bytes(x), y: bytes(y))
    case ("EC", "P-521"): PublicKey(.p521, x: bytes(x), y: bytes(y))
    case ("OKP", "Ed25519"): PublicKey(ed25519: bytes(x))
    default: nil
    }
  }
}
