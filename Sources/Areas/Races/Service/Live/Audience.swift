internal import RPCRuntime
internal import Synchronization

/// The spectators of a race, dealt out to phases: at each tick one phase is served, so that the work of a second is
/// spread over it.
final class Audience: Sendable {
  /// How many ticks a round has: at most one frame in a round is for a spectator.
  static let phases = 10
  /// The most spectators of a race on one server.
  static let maxSpectators = 20_000

  private struct State {
    var phases: [[ObjectIdentifier: Spectator]] = Array(repeating: [:], count: Audience.phases)
    /// Those who have come since the last tick, or whose first frame is still to come.
    var newcomers: [Spectator] = []
    var count = 0
    var end: RPCStatus??
  }

  private let state = Mutex(State())

  var count: Int { state.withLock(\.count) }

  /// Takes a spectator in, until `leave`.
  /// - Parameter tick: of the newest frame that it has; nil: none.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_MANY_SPECTATORS.
  func join(having tick: Int?) throws(RPCStatus) -> Spectator {
    try state.withLock { state throws(RPCStatus) in
      guard state.count < Self.maxSpectators else { throw RPCStatus.tooManySpectators }
      let phase = state.phases.indices.min { state.phases[$0].count < state.phases[$1].count } ?? 0
      let spectator = Spectator(phase: phase, tick: tick)
      state.phases[phase][ObjectIdentifier(spectator)] = spectator
      state.newcomers.append(spectator)
      state.count += 1
      if let end = state.end { spectator.end(end) }
      return spectator
    }
  }

  func leave(_ spectator: Spectator) {
    state.withLock { state in
      if state.phases[spectator.phase].removeValue(forKey: ObjectIdentifier(spectator)) != nil { state.count -= 1 }
      state.newcomers.removeAll { $0 === spectator }
    }
  }

  /// Who should be given something at a tick: the phase whose turn it is, and newcomers.
  func wishes(at tick: Int) -> [(spectator: Spectator, wish: Spectator.Wish)] {
    let (served, newcomers) = state.withLock { state in
      (state.phases[tick % Self.phases].values, state.newcomers)
    }
    var wishes: [(spectator: Spectator, wish: Spectator.Wish)] = []
    wishes.reserveCapacity(served.count + newcomers.count)
    for spectator in newcomers where spectator.phase != tick % Self.phases {
      wishes.append((spectator, spectator.wish(at: tick, pause: Self.phases)))
    }
    for spectator in served { wishes.append((spectator, spectator.wish(at: tick, pause: Self.phases))) }
    return wishes.filter { if case .nothing = $0.wish { false } else { true } }
  }

  /// They have been given their first frames.
  func settle(_ served: [Spectator]) {
    let settled = Set(served.map { ObjectIdentifier($0) })
    state.withLock { state in
      if !state.newcomers.isEmpty { state.newcomers.removeAll { settled.contains(ObjectIdentifier($0)) } }
    }
  }

  /// Ends every stream, and those that will come.
  /// - Parameter status: nil: the race is over.
  func end(_ status: RPCStatus?) {
    let all = state.withLock { state in
      state.end = .some(status)
      return state.phases.flatMap(\.values)
    }
    for spectator in all { spectator.end(status) }
  }
}

extension RPCStatus {
  fileprivate static let tooManySpectators = failure(
    .resourceExhausted, reason: "TOO_MANY_SPECTATORS",
    message: "at most \(Audience.maxSpectators) spectators watch a race on one server",
    metadata: ["limit": "\(Audience.maxSpectators)"])
}
