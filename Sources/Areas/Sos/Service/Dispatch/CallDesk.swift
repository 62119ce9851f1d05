public import Emergencies
public import SosRules

/// Where calls are given out: what a dispatcher's stream needs of it. No method blocks.
public protocol CallDesk: Sendable {
  /// Calls may go to the dispatcher from now on.
  func connect(_ dispatcher: any ConnectedDispatcher)
  /// The dispatcher is gone; what it has not accepted goes to others.
  func disconnect(_ dispatcher: any ConnectedDispatcher)
  /// What a dispatcher says of a call.
  /// - Returns: whether it changed anything: an answer that comes again or too late, or is about a call that this
  ///   dispatcher does not have, does not.
  func answer(
    _ id: EmergencyID, _ answer: DispatcherAnswer, note: String, from dispatcher: any ConnectedDispatcher
  ) -> Bool
}
