public import Domain
internal import ServiceKit
public import SosRules
public import Emergencies
internal import RPCRuntime

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

/// Whoever checks readings as they arrive.
public protocol ReadingMonitor: AnyObject, Sendable {
  /// Checks the readings of a person from now on by these settings and limits.
  func watch(_ person: MonitoredPerson)
  /// Checks them no more.
  func forget(_ person: PersonID)
  /// Whether nobody is watched: then nothing needs to be passed on.
  var isIdle: Bool { get }
  /// Checks the next piece of a batch of readings, what takes less than 100 µs. Never waits.
  /// - Parameter progress: new for the first piece, then as it was left.
  /// - Returns: whether there is more.
  func takePiece(
    _ columns: borrowing ReadingColumns, receivedAt: Microseconds, from stream: StreamNumber,
    _ progress: inout CheckProgress
  ) -> Bool
  /// A source that was known by a number for the time being has got its own.
  func rename(source old: SourceID, to new: SourceID, of person: PersonID)
  /// A stream of readings begins.
  func newStream() -> StreamNumber
  /// A stream has ended.
  func streamEnded(_ stream: StreamNumber, inOrder: Bool)
  /// A device has said how it is.
  func report(_ person: PersonID, isWorn: Bool?, hasLowBattery: Bool, at now: Microseconds)
}

extension ReadingMonitor {
  /// Checks readings, the first of them at once. Between the pieces of a large batch the loop does other work.
  /// - Parameter progress: what has been checked already.
  func check(
    _ columns: ReadingColumns, after progress: CheckProgress = CheckProgress(), receivedAt: Microseconds,
    from stream: StreamNumber
  ) async {
    var progress = progress
    while takePiece(columns, receivedAt: receivedAt, from: stream, &progress) { await EventLoop.turn() }
  }
}
