internal import CSodium

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  /// Writes the hash of a message.
  /// - Parameter hash: has 32 bytes.
  package static func write(of message: [UInt8], to hash: UnsafeMutableRawBufferPointer) {
    precondition(hash.count == 32, "SHA-256 has 32 bytes")
    crypto_hash_sha256(
      hash.baseAddress!.assumingMemoryBound(to: UInt8.self), message, UInt64(message.count))
  }

  /// The hash of a message: 32 bytes.
  package static func hash(of message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, initialized in
      write(of: message, to: UnsafeMutableRawBufferPointer(buffer))
      initialized = 32
    }
  }

  /// HMAC-SHA-256 (RFC 2104) of a message: 32 bytes.
  /// - Parameter key: of any length.
  package static func hmac(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, initialized in
      crypto_auth_hmacsha256_final(&state, buffer.baseAddress!)
      initialized = 32
    }
  }
}
