internal import CSodium

/// SHA-256 of a message that comes in pieces.
package struct SHA256Stream: ~Copyable {
  private var state = crypto_hash_sha256_state()

  package init() { crypto_hash_sha256_init(&state) }

  /// Takes the next piece.
  package mutating func update(_ piece: UnsafeRawBufferPointer) {
    crypto_hash_sha256_update(
      &state, piece.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(piece.count))
  }

  /// The hash of all pieces: 32 bytes.
  package consuming func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, initialized in
      crypto_hash_sha256_final(&state, buffer.baseAddress!)
      initialized = 32
    }
  }
}
