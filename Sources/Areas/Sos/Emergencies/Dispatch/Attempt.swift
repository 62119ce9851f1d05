internal import Domain
internal import SosRules
internal import Threads

extension DeskState {
  /// One delivery that has not been taken, and how it goes on after each answer.
  ///
  /// What a gateway has queued is followed: it is asked until somebody has it. Where it has failed the next attempt comes
  /// after a pause; where nobody knows (the gateway says nothing in time, or knows of no such call) as well, with pauses
  /// that become longer: doubt is for calling again, but not for a flood.
  struct Attempt: Sendable {
    enum Phase: Equatable, Sendable {
      case queued
      case underWay
      /// Until the next attempt, or the next question about this one.
      case pausing(until: Microseconds)
    }

    /// What follows an answer.
    enum Step: Equatable, Sendable {
      /// Somebody has it.
      case end
      /// Something when the pause is over.
      case wait
    }

    /// How often a gateway must say that it knows of no such call. Once may be too early.
    private static let missesMax = 2

    var phase = Phase.queued
    /// As far as a gateway has it.
    private(set) var call: PlacedCall
    /// The count of news that what is under way tells of.
    var news = 0
    private var pauses: BackOff
    private var doubts: BackOff
    private var looks: BackOff
    private var misses = 0
    /// How long the gateway may take.
    private var patience: Microseconds

    /// - Parameter placed: what was handed over before a crash; nil: nothing.
    init(_ placed: PlacedCall? = nil, at now: Microseconds, _ configuration: DeskConfiguration) {
      call = (placed ?? PlacedCall()).following
      (pauses, doubts, looks) = (configuration.pauses, configuration.doubts, configuration.looks)
      patience = now + configuration.gatewayPatience
    }

    /// When the pause is over; nil if there is none.
    var due: Microseconds? { if case .pausing(let until) = phase { until } else { nil } }

    /// The pause is over.
    mutating func goOn() {
      phase = .queued
      call = call.following
    }

    /// Takes an answer, of whoever was handed something or was asked about it.
    mutating func heard(_ outcome: DeliveryOutcome, at now: Microseconds, _ configuration: DeskConfiguration) -> Step {
      let isAsked = call.sid != nil
      switch outcome {
      case .taken: return .end
      case .placed(let sid, let status):
        if !isAsked {
          call.sid = sid
          looks.reset()
          (misses, patience) = (0, now + configuration.gatewayPatience)
        }
        call.status = status
        if status.isTaken { return .end }
        if status.hasFailed { return pause(now + pauses.next().microseconds) }
        if call.sid == nil { return doubt(at: now, configuration) }
        misses = 0
        return look(at: now, configuration)
      case .declined where isAsked:
        misses += 1
        return misses < Self.missesMax ? look(at: now, configuration) : doubt(at: now, configuration)
      case .failed where isAsked, .unknown where isAsked: return look(at: now, configuration)
      case .declined, .failed, .unknown: return pause(now + pauses.next().microseconds)
      }
    }

    /// The gateway is asked again, as long as it may take.
    private mutating func look(at now: Microseconds, _ configuration: DeskConfiguration) -> Step {
      if now >= patience { return doubt(at: now, configuration) }
      return pause(min(now + looks.next().microseconds, patience))
    }

    /// Nobody knows whether somebody has it.
    private mutating func doubt(at now: Microseconds, _ configuration: DeskConfiguration) -> Step {
      call.status = .unconfirmed
      return pause(now + doubts.next().microseconds)
    }

    private mutating func pause(_ until: Microseconds) -> Step {
      phase = .pausing(until: until)
      return .wait
    }
  }
}

extension PlacedCall {
  /// What follows it: the same as long as nothing else is known, or the next attempt.
  var following: PlacedCall {
    guard let status, status.hasFailed || status == .unconfirmed else { return self }
    return PlacedCall(attempt: attempt + 1)
  }

  /// What is known of it, for the record.
  var words: String {
    var words: [String] = []
    switch status {
    case .queued: words.append("queued by the gateway")
    case .sent: words.append("sent by the gateway")
    case .ringing: words.append("ringing")
    case .delivered: words.append("delivered")
    case .answered: words.append("answered")
    case .busy: words.append("busy")
    case .noAnswer: words.append("nobody has answered")
    case .failed: words.append("failed")
    case .unconfirmed: words.append("the gateway does not say what has become of it")
    case nil: break
    }
    if attempt > 1 { words.append("attempt \(attempt)") }
    if let sid { words.append(sid) }
    return words.joined(separator: ", ")
  }
}
