internal import CSodium

/// libsodium, for use from any thread.
enum Sodium {
  /// Asked for before anything that chooses code by the processor, or needs the source of random numbers.
  static let isReady = sodium_init() >= 0
}
