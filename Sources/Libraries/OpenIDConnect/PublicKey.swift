internal import COpenSSL

/// A public key that OpenSSL checks signatures with.
final class PublicKey {
  enum Curve: Sendable {
    case p256, p384, p521

    /// Of a coordinate, and of each half of a signature.
    var byteCount: Int {
      switch self {
      case .p256: 32
      case .p384: 48
      case .p521: 66
      }
    }

    /// SEC 2, and RFC 5480, 2.1.1.1.
    fileprivate var identifier: [UInt8] {
      switch self {
      case .p256: DER.objectIdentifier([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07])
      case .p384: DER.objectIdentifier([0x2b, 0x81, 0x04, 0x00, 0x22])
      case .p521: DER.objectIdentifier([0x2b, 0x81, 0x04, 0x00, 0x23])
      }
    }
  }

  enum Kind: Sendable, Equatable {
    case rsa, ec(Curve), ed25519
  }

  /// RFC 7518, 3.3 forbids less; more costs time and makes nothing safer.
  static let rsaBits = 2_048...8_192
  /// More than any exponent in use; a check takes time in proportion.
  private static let exponentBytesMax = 4

  let kind: Kind
  private let handle: OpaquePointer

  /// RFC 8017, A.1. Both numbers with the most significant byte first.
  convenience init?(modulus: [UInt8], exponent: [UInt8]) {
    let digits = exponent.drop { $0 == 0 }
    // With 1, everything is a signature of itself.
    guard digits.count <= Self.exponentBytesMax, let last = digits.last, last & 1 == 1, Array(digits) != [1] else {
      return nil
    }
    let rsaEncryption = DER.objectIdentifier([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01])
    self.init(
      .rsa, algorithm: DER.sequence(rsaEncryption, DER.null),
      key: DER.sequence(DER.integer(modulus), DER.integer(digits)))
    guard Self.rsaBits.contains(Int(EVP_PKEY_get_bits(handle))) else { return nil }
  }

  /// A point of a curve; nil if it is none (OpenSSL looks).
  convenience init?(_ curve: Curve, x: [UInt8], y: [UInt8]) {
    // RFC 7518, 6.2.1.2: of full length.
    guard x.count == curve.byteCount, y.count == curve.byteCount else { return nil }
    let ecPublicKey = DER.objectIdentifier([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01])
    self.init(.ec(curve), algorithm: DER.sequence(ecPublicKey, curve.identifier), key: [0x04] + x + y)
  }

  /// RFC 8410, 4; nil if it has not the length of one (OpenSSL looks).
  convenience init?(ed25519 bytes: [UInt8]) {
    self.init(.ed25519, algorithm: DER.sequence(DER.objectIdentifier([0x2b, 0x65, 0x70])), key: bytes)
  }

  /// A SubjectPublicKeyInfo (RFC 5280, 4.1), the form that OpenSSL reads.
  private init?(_ kind: Kind, algorithm: [UInt8], key: [UInt8]) {
    let info = DER.sequence(algorithm, DER.bitString(key))
    let handle = withoutTrace {
      info.withUnsafeBufferPointer { bytes in
        var next = bytes.baseAddress
        return d2i_PUBKEY(nil, &next, bytes.count)
      }
    }
    guard let handle else { return nil }
    self.kind = kind
    self.handle = handle
  }

  deinit { EVP_PKEY_free(handle) }

  /// - Parameter signature: as RFC 7518 and RFC 8037 write it.
  /// - Returns: false also if the algorithm is not one of this kind of key.
  func verifies(_ signature: [UInt8], of message: [UInt8], with algorithm: SignatureAlgorithm) -> Bool {
    guard algorithm.keyKind == kind, let signature = encoded(signature) else { return false }
    return withoutTrace {
      guard let context = EVP_MD_CTX_new() else { return false }
      defer { EVP_MD_CTX_free(context) }
      // Belongs to the context.
      var parameters: OpaquePointer?
      guard EVP_DigestVerifyInit(context, &parameters, algorithm.hash?.function, nil, handle) == 1 else { return false }
      switch algorithm.padding {
      case .pss:
        // RFC 7518, 3.5: the salt is as long as the hash, and the mask is made with the same hash, as OpenSSL does.
        guard EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1,
          EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
        else { return false }
      case .pkcs1:
        guard EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1 else { return false }
      case nil: break
      }
      return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
  }

  /// OpenSSL takes signatures of curves as RFC 3279, 2.2.3 writes them; nil if it has another length than it must.
  private func encoded(_ signature: [UInt8]) -> [UInt8]? {
    guard case .ec(let curve) = kind else { return signature }
    guard signature.count == 2 * curve.byteCount else { return nil }
    return DER.sequence(
      DER.integer(signature[..<curve.byteCount]), DER.integer(signature[curve.byteCount...]))
  }
}

// OpenSSL never changes a key that only checks, and locks what it keeps about it.
extension PublicKey: @unchecked Sendable {}

extension SignatureAlgorithm.Hash {
  fileprivate var function: OpaquePointer? {
    switch self {
    case .sha256: EVP_sha256()
    case .sha384: EVP_sha384()
    case .sha512: EVP_sha512()
    }
  }
}

/// OpenSSL notes errors for each thread. What is left there would be taken for an error of the next TLS connection that
/// this thread serves.
private func withoutTrace<R>(_ body: () -> R) -> R {
  ERR_set_mark()
  defer { ERR_pop_to_mark() }
  return body()
}
