public import Domain
internal import Log
internal import RacesRules
internal import RPCRuntime
public import ServiceKit
internal import Sos
internal import Synchronization

/// The races that this server keeps a board of: those that run or are about to, and others that somebody watches. What
/// organisers decide is found in the database, so every server sees it.
public final class LiveRaces: Sendable, StreamRegister {
  /// A race is followed from so long before its start …
  public static let lead: Microseconds = 10 * 60 * 1_000_000
  /// … until so long after its end. Then its streams end.
  public static let linger: Microseconds = 10 * 60 * 1_000_000
  /// The most races that are followed because somebody watches them.
  static let maxWatched = 1_000

  private struct State {
    var races: [RaceID: LiveRace] = [:]
    /// Those whose tasks are still to begin.
    var beginning: [LiveRace] = []
    var isDraining = false
  }

  /// What has been done for spectators.
  public let count = LiveCount()
  private let parts: LiveRace.Parts
  private let exertions: RaceExertions
  private let emergencies: RunnerEmergencies
  private let signal = StreamSignal()
  private let state = Mutex(State())

  /// - Parameters:
  ///   - desk: has the emergencies; nil: there are none.
  ///   - exertionsChanged: is called when exertions have been declared or ended.
  ///   - told: is called when something was put into inboxes.
  ///   - tick: a tenth of the time between two frames of a stream.
  ///   - clock: the time of day.
  init(
    storage: StorageSystem, hub: DeliveryHub, desk: (any ActiveEmergencies)?,
    exertionsChanged: @escaping @Sendable () async throws -> Void, told: @escaping @Sendable () -> Void,
    tick: Duration, clock: @escaping @Sendable () -> Microseconds
  ) {
    parts = LiveRace.Parts(
      storage: storage, hub: hub, seal: storage.seal, clock: clock, tick: tick, count: count, meter: LiveMeter())
    exertions = RaceExertions(storage: storage, changed: exertionsChanged, clock: clock)
    emergencies = RunnerEmergencies(storage: storage, told: told)
    desk?.observe { [emergencies] in emergencies.add($0) }
    for emergency in desk?.active() ?? [] { emergencies.add(emergency) }
  }

  /// Follows races until the task is cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.emergencies.run { runner in self.race(runner.race)?.board.place(of: runner.person) } }
      while true {
        let beginning = state.withLock { state in
          defer { state.beginning = [] }
          return state.beginning
        }
        for race in beginning { group.addTask { await race.run() } }
        // Its own signal is drained by nobody: races end their tasks themselves.
        if await signal.wait().contains(.cancelled) { break }
      }
      group.cancelAll()
    }
  }

  /// Looks which races are to be followed, and what has changed about them, and declares the exertion of their runners.
  /// To be called every 500 ms.
  /// - Throws: `PostgresError`; the next call makes up for it.
  public func refresh() async throws {
    let now = parts.clock()
    let watched = state.withLock { Array($0.races.keys) }
    let found = try await parts.storage.races.toFollow(
      startingBefore: now + Self.lead, endingAfter: now - Self.linger, and: watched)
    let disabled = Set(found.lazy.filter(\.isDisabled).map(\.id))
    for id in disabled { try await exertions.declare([], in: id, during: now..<now + 1) }
    let followed = state.withLock { state in
      var stamps: [RaceID: String] = [:]
      for race in found {
        stamps[race.id] = race.stamp
        if race.isLive, state.races[race.id] == nil { begin(race.id, &state) }
      }
      let live = Set(found.lazy.filter(\.isLive).map(\.id))
      let over = Set(found.lazy.filter(\.isOver).map(\.id))
      for (id, race) in state.races {
        if disabled.contains(id) {
          race.audience.end(.noRace)
          race.follower.stop()
          state.races[id] = nil
          continue
        }
        if let stamp = stamps[id] { race.follower.see(stamp, at: now) }
        if live.contains(id) { continue }
        if race.audience.count == 0 {
          race.follower.stop()
          state.races[id] = nil
        } else if over.contains(id) || stamps[id] == nil {
          race.ticker.finish()
        }
      }
      return live.compactMap { state.races[$0] }
    }
    for race in followed {
      if let exerting = race.board.exerting(at: now) {
        try await exertions.declare(exerting.persons, in: race.id, during: exerting.time)
      }
    }
    exertions.keep(Set(followed.map(\.id)))
  }

  private func begin(_ id: RaceID, _ state: inout State) {
    let race = LiveRace(id, parts)
    state.races[id] = race
    state.beginning.append(race)
    signal.signal(.data)
  }

  /// A race that is followed; nil if it is not.
  func race(_ id: RaceID) -> LiveRace? { state.withLock { $0.races[id] } }

  /// How many races are followed.
  var raceCount: Int { state.withLock(\.races.count) }

  var tail: LogTail { parts.storage.tail }

  /// Up to where the race that is furthest behind the log has it; nil: none is behind.
  var furthestBehind: LogPosition? {
    state.withLock { Array($0.races.values) }.compactMap { $0.follower.behind }.min()
  }

  /// Takes a spectator in; the race is followed from now on.
  /// - Parameter cursor: of the newest frame that it has.
  /// - Throws: UNAVAILABLE when the server ends; RESOURCE_EXHAUSTED.
  func join(_ id: RaceID, after cursor: BoardCursor?) throws -> (race: LiveRace, spectator: Spectator) {
    try state.withLock { state in
      if state.isDraining { throw RPCStatus.shuttingDown }
      if state.races[id] == nil {
        guard state.races.count < Self.maxWatched else { throw RPCStatus.tooManyWatched }
        begin(id, &state)
      }
      guard let race = state.races[id] else { preconditionFailure("the race was just put there") }
      return (race, try race.ticker.join(after: cursor))
    }
  }

  /// How many streams there are.
  public var streamCount: Int { state.withLock { $0.races.values.reduce(0) { $0 + $1.audience.count } } }

  /// A heartbeat is due on each stream that has been silent since the instant.
  package func beat(ifWaitingSince instant: ContinuousClock.Instant) {
    for race in state.withLock({ Array($0.races.values) }) { race.ticker.beat(after: instant.duration(to: .now)) }
  }

  /// Ends every stream, and those that will come.
  package func drain() {
    let races = state.withLock { state in
      state.isDraining = true
      return Array(state.races.values)
    }
    for race in races { race.audience.end(.shuttingDown) }
  }
}

extension RPCStatus {
  fileprivate static let tooManyWatched = failure(
    .resourceExhausted, reason: "TOO_MANY_WATCHED_RACES", message: "too many races are watched on this server")
}
