internal import Domain
internal import Log
internal import ServiceKit
internal import Synchronization

/// Numbers for sources that have none yet, so that their readings can be judged before anything else is done: out of
/// the name alone, and far above those that the database gives.
///
/// Which names were judged by such numbers and then not kept is remembered for an hour: when their readings come again
/// under the registered numbers, they are of the same sources.
final class PassingSources: Sendable {
  /// The most names that are remembered; one more and all are forgotten.
  static let maxNames = 10_000
  private static let memory: Microseconds = 3_600_000_000

  private let sources: SourceRegistry
  private let clock: @Sendable () -> Microseconds
  /// When each name was used last, and when any was.
  private let used = Mutex<(names: [String: Microseconds], last: Microseconds)>(([:], 0))
  private let isInUse = Atomic(false)

  init(_ sources: SourceRegistry, clock: @escaping @Sendable () -> Microseconds) {
    self.sources = sources
    self.clock = clock
  }

  static func number(of name: String) -> SourceID {
    // FNV-1a.
    let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return SourceID(1 << 30 | hash >> 2)
  }

  /// The registered numbers where there are some; `ReadingRules.invalidSource` for names that are too long.
  func numbers(of names: [String]) -> [SourceID] {
    names.map { sources.knownNumbers(of: [$0])?[0] ?? Self.number(of: $0) }
  }

  /// Readings of these names were judged and are not kept.
  func remember(_ names: [String]) {
    let now = clock()
    let unknown = names.filter { sources.knownNumbers(of: [$0]) == nil }
    if unknown.isEmpty { return }
    used.withLock { used in
      if used.names.count + unknown.count > Self.maxNames { used.names = [:] }
      for name in unknown { used.names[name] = now }
      used.last = now
    }
    isInUse.store(true, ordering: .releasing)
  }

  /// Whether any names are remembered, which is seldom so.
  var isUsed: Bool { isInUse.load(ordering: .acquiring) }

  /// Those of some names that are remembered.
  func remembered(among names: [String]) -> [String] {
    let now = clock()
    return used.withLock { used in
      if used.last + Self.memory <= now {
        used.names = [:]
        isInUse.store(false, ordering: .releasing)
      }
      return names.filter { used.names[$0] != nil }
    }
  }
}
