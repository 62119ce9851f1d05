/// Where a call stands for a dispatcher. The numbers are those of `trackme.sos.v1.CallPlace`.
public enum CallPlace: Int32, Sendable {
  /// Nobody has it: it is to be accepted or refused.
  case waiting = 1
  /// It was refused here, and nobody has it yet.
  case refused
  /// The dispatcher has it.
  case ours
  /// Another dispatcher or a webhook has it.
  case taken
  /// It is resolved or cancelled.
  case over

  /// Whether there is anything left to do for the dispatcher.
  public var isOpen: Bool { self == .waiting || self == .refused || self == .ours }

  /// The answers that still bring a call on.
  public func left(in state: EmergencyState) -> [DispatcherAnswer] {
    switch self {
    case .waiting: [.accepted, .refused]
    case .refused: [.accepted]
    case .ours: state == .enRoute ? [.resolved, .falseAlarm] : [.enRoute, .resolved, .falseAlarm]
    case .taken, .over: []
    }
  }
}
