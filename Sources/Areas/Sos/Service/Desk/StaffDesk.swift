public import Domain
public import Emergencies
public import SosRules

/// The desk that calls, as people at dispatchers' desks need it. Nothing of it waits for the database.
public protocol StaffDesk: AnyObject, Sendable {
  /// Whether calls are meant, for emergencies from now on.
  var status: DispatchStatus { get }
  /// Positions are of one run of the server.
  var runNumber: Int64 { get }
  /// Calls go to the dispatcher as long as anybody watches: each call is followed by one of `leave`.
  func join(deskOf dispatcher: AccountID, priority: Int32)
  func leave(deskOf dispatcher: AccountID)
  /// Calls the observer with a dispatcher at whose desk something has changed; it must not block.
  func observeDesks(_ observer: @escaping @Sendable (AccountID) -> Void)
  /// What has changed after a position; nil: everything that is open.
  func changes(ofDesk dispatcher: AccountID, after position: Microseconds?, limit: Int) -> DeskChanges
  /// Takes an answer; what holds of it is on disk when this returns.
  func answer(
    _ id: EmergencyID, _ answer: DeskAnswer, note: String, ofDesk dispatcher: AccountID,
    isGone: @Sendable (AccountID) -> Bool
  ) async -> DeskOutcome
}

extension EmergencyDesk: StaffDesk {}
