import COpenSSL
import FoundationEssentials

@testable import OpenIDConnect

/// A key pair of an issuer, which signs whatever it is asked to.
final class Signer: @unchecked Sendable {
  let kind: PublicKey.Kind
  private let pair: OpaquePointer

  /// - Parameter rsaBits: of an RSA key.
  init(_ kind: PublicKey.Kind, rsaBits: Int32 = 2_048) {
    self.kind = kind
    let (type, curve): (Int32, String?) =
      switch kind {
      case .rsa: (EVP_PKEY_RSA, nil)
      case .ec(.p256): (EVP_PKEY_EC, "P-256")
      case .ec(.p384): (EVP_PKEY_EC, "P-384")
      case .ec(.p521): (EVP_PKEY_EC, "P-521")
      case .ed25519: (EVP_PKEY_ED25519, nil)
      }
    let context = EVP_PKEY_CTX_new_id(type, nil)
    defer { EVP_PKEY_CTX_free(context) }
    precondition(EVP_PKEY_keygen_init(context) == 1)
    if kind == .rsa { precondition(EVP_PKEY_CTX_set_rsa_keygen_bits(context, rsaBits) == 1) }
    if let curve { precondition(EVP_PKEY_CTX_set_group_name(context, curve) == 1) }
    var pair: OpaquePointer?
    precondition(EVP_PKEY_keygen(context, &pair) == 1)
    self.pair = pair!
  }

  deinit { EVP_PKEY_free(pair) }

  /// Of each kind one, made when it is first needed.
  static func shared(_ kind: PublicKey.Kind) -> Signer {
    switch kind {
    case .rsa: rsa
    case .ec(.p256): p256
    case .ec(.p384): p384
    case .ec(.p521): p521
    case .ed25519: ed25519
    }
  }

  private static let rsa = Signer(.rsa)
  private static let p256 = Signer(.ec(.p256))
  private static let p384 = Signer(.ec(.p384))
  private static let p521 = Signer(.ec(.p521))
  private static let ed25519 = Signer(.ed25519)

  /// The public key as a JSON Web Key.
  /// - Parameter changes: members that are added or replaced; left out where nil.
  func jwk(_ changes: [String: String?] = [:]) -> String {
    var members: [String: String?] =
      switch kind {
      case .rsa: ["kty": "RSA", "n": number("n"), "e": number("e")]
      case .ec(let curve):
        [
          "kty": "EC", "crv": ["P-256", "P-384", "P-521"][[.p256, .p384, .p521].firstIndex(of: curve)!],
          "x": number("qx", curve.byteCount), "y": number("qy", curve.byteCount),
        ]
      case .ed25519: ["kty": "OKP", "crv": "Ed25519", "x": rawPublicKey]
      }
    members.merge(changes) { $1 }
    return "{" + members.compactMap { name, value in value.map { "\"\(name)\": \"\($0)\"" } }.joined(separator: ", ")
      + "}"
  }

  /// A token in its compact form.
  ///
  /// - Parameters:
  ///   - algorithm: what it is signed with.
  ///   - header: what it says instead of the algorithm's name.
  ///   - saltBytes: of a PSS signature; as long as the hash where nil.
  func token(
    _ algorithm: SignatureAlgorithm, header: String? = nil, payload: String = Signer.claims, saltBytes: Int32? = nil
  ) -> String {
    let text = encoded(header ?? #"{"alg": "\#(algorithm.rawValue)"}"#) + "." + encoded(payload)
    return text + "." + encoded(signature(of: Array(text.utf8), algorithm, saltBytes))
  }

  static let claims = #"{"iss": "https://issuer.example", "sub": "s", "aud": "me", "exp": 2, "iat": 1, "nonce": "n"}"#

  private func signature(of message: [UInt8], _ algorithm: SignatureAlgorithm, _ saltBytes: Int32?) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    let hash =
      switch algorithm.hash {
      case .sha256: EVP_sha256()
      case .sha384: EVP_sha384()
      case .sha512: EVP_sha512()
      case nil: OpaquePointer?.none
      }
    precondition(EVP_DigestSignInit(context, &parameters, hash, nil, pair) == 1)
    if algorithm.padding == .pss {
      precondition(EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1)
      precondition(EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, saltBytes ?? RSA_PSS_SALTLEN_DIGEST) == 1)
    }
    var count = 0
    precondition(EVP_DigestSign(context, nil, &count, message, message.count) == 1)
    var signature = [UInt8](repeating: 0, count: count)
    precondition(EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
    signature.removeLast(signature.count - count)
    guard case .ec(let curve) = kind else { return signature }
    return halves(signature, curve.byteCount)
  }

  /// A signature of a curve as RFC 7518, 3.4 writes it.
  private func halves(_ signature: [UInt8], _ byteCount: Int) -> [UInt8] {
    let pair = signature.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_ECDSA_SIG(nil, &next, bytes.count)
    }
    defer { ECDSA_SIG_free(pair) }
    return [ECDSA_SIG_get0_r(pair), ECDSA_SIG_get0_s(pair)].flatMap { number in
      var bytes = [UInt8](repeating: 0, count: byteCount)
      precondition(BN_bn2binpad(number, &bytes, Int32(byteCount)) == Int32(byteCount))
      return bytes
    }
  }

  private func number(_ name: String, _ byteCount: Int? = nil) -> String {
    var number: OpaquePointer?
    precondition(EVP_PKEY_get_bn_param(pair, name, &number) == 1)
    defer { BN_free(number) }
    let count = byteCount ?? Int(BN_num_bits(number) + 7) / 8
    var bytes = [UInt8](repeating: 0, count: count)
    precondition(BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count))
    return encoded(bytes)
  }

  private var rawPublicKey: String {
    var bytes = [UInt8](repeating: 0, count: 32)
    var count = bytes.count
    precondition(EVP_PKEY_get_raw_public_key(pair, &bytes, &count) == 1 && count == 32)
    return encoded(bytes)
  }
}

/// Base64 for addresses.
func encoded(_ bytes: some Sequence<UInt8>) -> String {
  Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").filter { $0 != "=" }
}

func encoded(_ text: String) -> String { encoded(text.utf8) }
