public import Domain
public import Emergencies
internal import RPCRuntime
public import SosRules

/// Emergencies in memory, and what persons and administrators can do about them: the desk that calls, as SosService
/// needs it. It may be ahead of the database, and does not wait for it.
public protocol ActiveEmergencies: AnyObject, Sendable {
  /// Whether calls are meant.
  var status: DispatchStatus { get set }
  /// The emergencies that are not over, and those that have been over for a short time.
  func active() -> [Emergency]
  /// One of those.
  func emergency(_ id: EmergencyID) -> Emergency?
  /// Takes a person's word that it was a false alarm, and passes it on to dispatchers.
  func cancel(_ id: EmergencyID, by person: PersonID, reason: String) async -> CancelOutcome
  /// Takes a person out of memory and out of what is kept in files; returns when the disk has it.
  /// - Parameter archived: the person's emergencies that only the archive knows.
  func forget(_ person: PersonID, archived: Set<EmergencyID>) async throws
  /// Calls the observer after every transition, one after the other; it must not block.
  func observe(_ observer: @escaping @Sendable (Emergency) -> Void)
}

/// Who checks readings as they arrive, and calls.
public protocol ReadingMonitor: ReadingTap {
  /// Checks the readings of a person from now on by these settings and limits.
  func watch(_ person: MonitoredPerson)
  /// Checks them no more.
  func forget(_ person: PersonID)
}
