internal import FoundationEssentials

/// An ID token (OpenID Connect Core 1.0, 2) in its compact form (RFC 7515, 7.1), before its signature is checked.
struct IDToken {
  /// What the token says of its signature, before anything is believed.
  private struct Header: Decodable {
    let alg: String
    let kid: String?
    /// Whether it names extensions that must be understood, in whatever form: none is.
    let hasExtensions: Bool

    private enum Field: String, CodingKey { case alg, kid, crit }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Field.self)
      alg = try fields.decode(String.self, forKey: .alg)
      kid = try fields.decodeIfPresent(String.self, forKey: .kid)
      hasExtensions = fields.contains(.crit)
    }
  }

  static let bytesMax = 16 << 10

  let algorithm: SignatureAlgorithm
  /// The name of the key that it is signed with.
  let keyID: String?
  private let signed: [UInt8]
  private let payload: [UInt8]
  private let signature: [UInt8]

  init(_ text: String) throws(OpenIDError) {
    guard text.utf8.count <= Self.bytesMax else { throw .tokenInvalid(.form) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[2].isEmpty, let json = Base64URL.bytes(parts[0]),
      let payload = Base64URL.bytes(parts[1]), let signature = Base64URL.bytes(parts[2]),
      let header = try? JSONDecoder().decode(Header.self, from: Data(json)), !header.hasExtensions
    else { throw .tokenInvalid(.form) }
    guard let algorithm = SignatureAlgorithm(rawValue: header.alg) else { throw .tokenInvalid(.algorithm) }
    self.algorithm = algorithm
    keyID = header.kid
    signed = Array(text.utf8.dropLast(parts[2].utf8.count + 1))
    self.payload = payload
    self.signature = signature
  }

  /// The claims, if the key has signed them with the algorithm that the header names.
  func claims(signedWith key: PublicKey) throws(OpenIDError) -> IDTokenClaims {
    guard isSigned(with: key) else { throw .tokenInvalid(.signature) }
    do { return try JSONDecoder().decode(IDTokenClaims.self, from: Data(payload)) } catch {
      throw .tokenInvalid(.form)
    }
  }

  func isSigned(with key: PublicKey) -> Bool { key.verifies(signature, of: signed, with: algorithm) }
}
