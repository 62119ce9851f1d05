internal import CSodium

/// Random numbers that nobody can guess: for secrets.
package enum SecureRandom {
  /// - Parameter count: how many, from 0.
  package static func bytes(_ count: Int) -> [UInt8] {
    precondition(Sodium.isReady, "libsodium can't be used")
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// A number from 0 up to `bound`, without it: each as likely as the others.
  package static func number(below bound: UInt32) -> UInt32 {
    precondition(Sodium.isReady, "libsodium can't be used")
    return randombytes_uniform(bound)
  }
}
