/// What a dispatcher for development does with calls.
struct DispatcherBehaviour: Sendable {
  /// Before each answer to a call.
  var delay: Duration = .zero
  /// How many calls it refuses before it accepts.
  var refusals = 0
  /// At which call it goes away without an answer.
  var vanishAt: Int?
  /// After accepting; nil: never said.
  var enRouteAfter: Duration?
  /// After accepting; nil: never said.
  var closeAfter: Duration?
  var closesAsFalseAlarm = false
}
