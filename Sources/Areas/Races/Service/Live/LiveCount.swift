internal import Synchronization

/// Counts of what live races have done, for benches and tests.
public final class LiveCount: Sendable {
  private let encodings = Atomic<Int>(0)
  private let differentFrames = Atomic<Int>(0)
  private let sends = Atomic<Int>(0)

  init() {}

  /// Frames that were encoded.
  public var encoded: Int { encodings.load(ordering: .relaxed) }
  /// Frames that differ from each other and that somebody was to get.
  public var due: Int { differentFrames.load(ordering: .relaxed) }
  /// Frames that were given to spectators.
  public var sent: Int { sends.load(ordering: .relaxed) }

  func add(encoded: Int, due: Int) {
    encodings.add(encoded, ordering: .relaxed)
    differentFrames.add(due, ordering: .relaxed)
  }

  func add(sent: Int) { sends.add(sent, ordering: .relaxed) }
}
