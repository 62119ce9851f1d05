internal import CSodium

/// Keyed BLAKE2b (RFC 7693): who does not have the key can't make the hash of anything.
package struct KeyedHash: Sendable {
  private let key: [UInt8]

  /// - Parameter key: 32 bytes.
  package init(key: [UInt8]) {
    precondition(Sodium.isReady, "libsodium can't be used")
    precondition(key.count == 32, "a key has 32 bytes")
    self.key = key
  }

  /// Writes the hash of a message. The length counts: a shorter hash is not the beginning of a longer one.
  /// - Parameter hash: has 16 to 64 bytes, all of which are written.
  package func write(of message: UnsafeBufferPointer<UInt8>, to hash: UnsafeMutableBufferPointer<UInt8>) {
    precondition((16...64).contains(hash.count), "a hash has 16 to 64 bytes")
    crypto_generichash(
      hash.baseAddress!, hash.count, message.baseAddress, UInt64(message.count), key, key.count)
  }
}
