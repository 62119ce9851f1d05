public import Domain
public import SosRules

/// A call as it stands for a dispatcher: everybody at its desk sees the same.
public struct DeskCall: Sendable {
  public let place: CallPlace
  public let emergency: Emergency
  /// For people who take the call.
  public let text: String
  /// Nil unless the dispatcher has it.
  public let holder: CallHolder?
  /// The dispatcher, as transitions name it.
  private let actor: String

  init(_ call: DeskState.Call, text: String, of dispatcher: AccountID) {
    place = call.place
    emergency = call.emergency
    holder = call.holder
    self.text = text
    actor = CallTarget.dispatcher(dispatcher).actor
  }

  /// What people at this desk have answered, oldest first.
  public var answers: [(answer: DeskAnswer, transition: EmergencyTransition)] {
    emergency.transitions.compactMap { transition in
      guard transition.actor == actor else { return nil }
      return transition.answer.map { ($0, transition) }
    }
  }
}

extension EmergencyTransition {
  /// The dispatcher whose word it is; nil: it is another's.
  public var dispatcher: AccountID? {
    if case .dispatcher(let account) = CallTarget(actor: actor) { account } else { nil }
  }
}

/// What has changed at a desk after a position.
public struct DeskChanges: Sendable {
  /// Whether what came before does not count any more: whatever is open follows.
  public let beginsAnew: Bool
  /// With the position after each, oldest change first.
  public let calls: [(call: DeskCall, position: Microseconds)]
  /// The position after all that is known.
  public let head: Microseconds
}

/// What became of the answer of somebody at a desk.
public enum DeskOutcome: Sendable {
  /// The dispatcher was told of no such call.
  case unknown
  /// It is not known to be on disk.
  case unsafe
  case decided(DeskVerdict, DeskCall)
}
