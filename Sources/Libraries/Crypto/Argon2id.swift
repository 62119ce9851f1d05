internal import CSodium

/// Hashes of passwords with Argon2id (RFC 9106) and one lane. They cost memory and time, for which they block the
/// thread: that is their purpose.
package struct Argon2id: Sendable {
  private let passes: UInt64
  private let memoryBytes: Int

  /// - Parameters:
  ///   - passes: over the memory, from 1.
  ///   - memoryBytes: from 8 KiB; a hash has them while it is made.
  package init(passes: UInt64, memoryBytes: Int) {
    precondition(Sodium.isReady, "libsodium can't be used")
    self.passes = passes
    self.memoryBytes = memoryBytes
  }

  /// A hash with a new salt, in the form of the PHC string format: at most 127 ASCII characters.
  /// - Returns: nil if there is not enough memory.
  package func hash(_ password: String) -> String? {
    var text = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
    let bytes = password.utf8.map { CChar(bitPattern: $0) }
    guard
      crypto_pwhash_str_alg(
        &text, bytes, UInt64(bytes.count), passes, memoryBytes, crypto_pwhash_alg_argon2id13()) == 0
    else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a hash was made of a password, with whatever passes and memory the hash names.
  /// - Returns: false also if it is no hash, or there is not enough memory.
  package static func verify(_ password: String, against hash: String) -> Bool {
    precondition(Sodium.isReady, "libsodium can't be used")
    let bytes = password.utf8.map { CChar(bitPattern: $0) }
    return crypto_pwhash_str_verify(hash, bytes, UInt64(bytes.count)) == 0
  }
}
