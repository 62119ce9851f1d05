internal import DequeModule
internal import SosRules

/// Whose calls go first, so that one person's many emergencies do not stand in the way of another's first one.
///
/// Every emergency is recorded and told to dispatchers and webhooks at once. In a channel's queue a person's second call
/// stands behind all others' first ones, and half of the channel is kept free for first calls. Beyond
/// `Emergency.callBudget`, SMS, voice and contacts are held back while dispatchers or webhooks can be asked: until somebody
/// has the call, or for `Emergency.callWindow` at most.
extension DeskState {
  /// What waits in a channel: a queue for first calls, one for second ones, and so on.
  struct ChannelQueue: Sendable {
    private var turns: [Deque<DeliveryJob>] = Array(repeating: [], count: Emergency.callBudget + 1)
    var underWay = 0

    /// How many wait for their turn.
    var waitingCount: Int { turns.reduce(0) { $0 + $1.count } }

    /// - Parameter turn: 0: of a first call.
    mutating func append(_ job: DeliveryJob, turn: Int) { turns[min(turn, turns.count - 1)].append(job) }

    /// Takes the next job that may begin.
    /// - Parameter atOnce: how many may be under way, all in all.
    mutating func next(atOnce: Int) -> DeliveryJob? {
      for turn in turns.indices where underWay < (turn == 0 ? atOnce : max(1, atOnce / 2)) {
        if let job = turns[turn].popFirst() { return job }
      }
      return nil
    }
  }

  /// Whose turn it is: 0 for a person's first call. Notices of silence stand behind all of these.
  func turn(of subject: DeliveryJob) -> Int {
    if case .emergency(let id, _) = subject { cases[id]?.emergency.earlier ?? 0 } else { 1 }
  }

  /// Counts an emergency.
  /// - Returns: how many of the same person were detected in the time before it.
  @discardableResult
  mutating func countEarlier(_ emergency: Emergency) -> Int {
    let since = emergency.detected - Emergency.callWindow
    let earlier = lately[emergency.person, default: []].filter { $0 > since }
    lately[emergency.person] = earlier + [emergency.detected]
    return earlier.count
  }

  /// Holds back the calls of an emergency beyond the budget.
  mutating func hold(_ id: EmergencyID) {
    guard let emergency = cases[id]?.emergency, emergency.isBeyondBudget, !emergency.state.isFinal else { return }
    let passed = max(0, configuration.clock.wall() - emergency.detected)
    guard passed < Emergency.callWindow else { return }
    let until = now + Emergency.callWindow - passed
    cases[id]?.heldUntil = until
    timers.set(.hold(id), at: until)
  }

  /// Whether SMS, voice and contacts still wait: somebody has the call, or may take it.
  func isHeld(_ known: Case) -> Bool {
    guard let until = known.heldUntil else { return false }
    return known.owner != nil || now < until && !order.isEmpty
  }
}

extension DeskState.Case {
  /// First calls before later ones, older ones before newer ones.
  func comesBefore(_ other: Self) -> Bool {
    (emergency.earlier, emergency.detected) < (other.emergency.earlier, other.emergency.detected)
  }
}

extension Emergency {
  /// What dispatchers are told of somebody who was called for again and again; nil for a person's first ones.
  var repetition: String? {
    isBeyondBudget ? "repeated caller: \(earlier) emergencies of this person in the 10 minutes before" : nil
  }
}
