internal import Domain
internal import Log
internal import RacesRules
internal import Sos
internal import Synchronization

/// Declares exertion to the evaluator of thresholds for those who run, so that a runner's pulse is judged as a runner's.
/// What is declared is in the database: it outlives the server, and every server that follows a race may declare it.
final class RaceExertions: Sendable {
  /// Whoever is found running within this time after the start has been since the start.
  private static let fromTheGun: Microseconds = 60 * 1_000_000

  private let storage: StorageSystem
  private let changed: @Sendable () async throws -> Void
  private let clock: @Sendable () -> Microseconds
  /// For whom it is declared, as far as this server knows; of a race that is not here the database knows.
  private let declared = Mutex<[RaceID: Set<PersonID>]>([:])

  /// - Parameter changed: is called after changes, so that they hold at once.
  init(
    storage: StorageSystem, changed: @escaping @Sendable () async throws -> Void,
    clock: @escaping @Sendable () -> Microseconds
  ) {
    self.storage = storage
    self.changed = changed
    self.clock = clock
  }

  /// Makes those the ones who exert in a race.
  /// - Parameter time: of the whole race.
  /// - Throws: `PostgresError`; the next call makes up for it.
  func declare(_ persons: Set<PersonID>, in race: RaceID, during time: Range<Microseconds>) async throws {
    let known: Set<PersonID>
    if let remembered = declared.withLock({ $0[race] }) {
      known = remembered
    } else {
      known = try await storage.sos.exerting(in: race)
    }
    let (begun, ended) = (persons.subtracting(known).sorted(), known.subtracting(persons).sorted())
    let now = clock()
    if !begun.isEmpty || !ended.isEmpty {
      let from = now < time.lowerBound + Self.fromTheGun ? time.lowerBound : now
      guard from < time.upperBound || begun.isEmpty else { return }
      try await storage.sos.declareExertion(
        of: begun, during: min(from, time.upperBound - 1)..<time.upperBound, endingThatOf: ended, at: now, in: race)
      declared.withLock { $0[race] = persons }
      try await changed()
    } else {
      declared.withLock { $0[race] = persons }
    }
  }

  /// Forgets what is known of races that are not followed any more.
  func keep(_ races: Set<RaceID>) { declared.withLock { $0 = $0.filter { races.contains($0.key) } } }
}
