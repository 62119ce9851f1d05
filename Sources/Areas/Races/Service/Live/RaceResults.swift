internal import Domain
internal import Log
internal import Metering
internal import RacesRules
internal import RPCRuntime
internal import ServiceKit
internal import Synchronization
internal import WireCodec

/// The results of finished races: each is folded once, however many ask for it at once, and kept until something changes it:
///
/// - the race itself, by its stamp: a decision about it or its runners, a runner who is erased, new dates;
/// - a position of one of its runners from the race's time that comes late: a feed of just these stands watch.
///
/// Of those that were not asked for the longest some are forgotten, and folded again when they are asked for.
final class RaceResults: Sendable {
  /// What is kept of a race.
  struct Results: Sendable {
    let leaderboard: Trackme_Races_V1_Leaderboard
    /// Of the enrolled.
    let numbers: [PersonID: UInt32]
  }

  private struct Kept {
    let results: Results
    let stamp: String
    /// All that counts up to here is in the results.
    let position: LogPosition
    let feed: Feed
    let signal: StreamSignal
    var use: UInt64
  }

  private struct State {
    var kept: [RaceID: Kept] = [:]
    var folding: Set<RaceID> = []
    var uses: UInt64 = 0
  }

  /// How many races are kept, and of how many runners in all.
  private static let racesMax = 64
  private static let runnersMax = 60_000
  /// How often somebody looks whether somebody else has folded the same.
  private static let poll: Duration = .milliseconds(10)
  /// Callers who ask at a time: of one account one, whichever races it asks for.
  private static let callersMax = 1_024

  /// How often a race was folded.
  let folds = Atomic<Int>(0)
  private let storage: StorageSystem
  private let hub: DeliveryHub
  /// Whoever folds takes turns with these.
  let replays: RaceReplays
  private let callers = FairTurns(
    places: callersMax, perAsker: 1, waitingPerAsker: FairTurns.questionsWaitingPerAsker, waiting: callersMax)
  private let state = Mutex(State())

  init(storage: StorageSystem, hub: DeliveryHub) {
    self.storage = storage
    self.hub = hub
    replays = RaceReplays(storage: storage, hub: hub)
  }

  /// Who waits for results, or for a leaderboard of the past.
  var measures: [Measure] { [callers.measure("race_results"), replays.turns.measure("race_replays")] }

  /// Lets go of everything that is kept.
  func forget() {
    let gone = state.withLock { state in
      defer { state.kept = [:] }
      return Array(state.kept.values)
    }
    for old in gone { hub.leave(old.feed, signal: old.signal) }
  }

  /// The results of a finished race.
  /// - Parameter now: the time of day.
  /// - Throws: NOT_FOUND; RESOURCE_EXHAUSTED; `PostgresError`; `CancellationError`.
  func results(of record: RaceRecord, at now: Microseconds) async throws -> Results {
    try await callers.run(orThrow: .tooManyReplays) {
      while true {
        if let results = known(record) { return results }
        if state.withLock({ $0.folding.insert(record.id).inserted }) {
          defer { state.withLock { _ = $0.folding.remove(record.id) } }
          // It is for all who ask for this race.
          return try await Asker.$current.withValue(.topic(.race(record.id))) { try await fold(record, at: now) }
        }
        try await Task.sleep(for: Self.poll)
      }
    }
  }

  /// What is kept, if nothing has changed it.
  private func known(_ record: RaceRecord) -> Results? {
    state.withLock { state in
      guard let kept = state.kept[record.id], kept.stamp == record.stamp,
        case .nothing = kept.feed.next(after: kept.position)
      else { return nil }
      state.uses += 1
      state.kept[record.id]?.use = state.uses
      return kept.results
    }
  }

  private func fold(_ record: RaceRecord, at now: Microseconds) async throws -> Results {
    folds.add(1, ordering: .relaxed)
    guard let edition = try await RaceEdition.load(record, from: storage, at: now) else { throw RPCStatus.noRace }
    let ends = record.schedule.ends
    let signal = StreamSignal()
    // Before the log is read, so that nothing is missed in between.
    let feed = hub.join(edition.filter(edition.plannedSchedule, until: ends + 1), signal: signal)
    let cursor = BoardCursor(race: record.id, position: hub.head, time: ends, starts: record.schedule.starts)
    do {
      let results = Results(
        leaderboard: try await replays.leaderboard(of: edition, at: cursor),
        numbers: Dictionary(
          edition.runners.map { ($0.person, UInt32($0.number)) }, uniquingKeysWith: { first, _ in first }))
      keep(
        Kept(
          results: results, stamp: record.stamp, position: cursor.position, feed: feed, signal: signal, use: 0),
        of: record.id)
      return results
    } catch {
      hub.leave(feed, signal: signal)
      throw error
    }
  }

  private func keep(_ kept: Kept, of race: RaceID) {
    let gone = state.withLock { state in
      var gone: [Kept] = []
      if let old = state.kept.removeValue(forKey: race) { gone.append(old) }
      state.uses += 1
      state.kept[race] = kept
      state.kept[race]?.use = state.uses
      while state.kept.count > 1,
        state.kept.count > Self.racesMax
          || state.kept.values.reduce(0, { $0 + $1.results.numbers.count }) > Self.runnersMax,
        let oldest = state.kept.min(by: { $0.value.use < $1.value.use })
      {
        state.kept[oldest.key] = nil
        gone.append(oldest.value)
      }
      return gone
    }
    for old in gone { hub.leave(old.feed, signal: old.signal) }
  }
}
