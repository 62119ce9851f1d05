public import SosRules

/// What became of a person's word that an emergency is a false alarm.
public enum CancelOutcome: Sendable, Equatable {
  /// It is cancelled, now or before.
  case cancelled(Emergency)
  /// It is over, or was detected too long ago; it stays in this state.
  case tooLate(EmergencyState)
  /// There is none of the number and the person in memory.
  case unknown
}
