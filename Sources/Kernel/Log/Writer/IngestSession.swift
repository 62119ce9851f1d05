public import Domain

/// What a commit means for one session: its oldest uncommitted batches are durable now.
public struct CommitNotice: Sendable {
  /// The row of the log that holds them.
  public let position: LogPosition
  /// How many of the session's batches, oldest first.
  public let batches: Int
}

/// A client's last committed batch.
public struct ClientPlace: Sendable, Hashable {
  public var sequence: UInt64 = 0
  /// A position in the log at or after that of the batch.
  public var position: LogPosition = 0

  public init(sequence: UInt64 = 0, position: LogPosition = 0) {
    self.sequence = sequence
    self.position = position
  }
}

/// Hears of what happens to a session.
public protocol IngestSessionOwner: AnyObject, Sendable {
  /// Batches of the session have been committed. Called on the writer's thread; must not block.
  func committed(_ notice: CommitNotice)
  /// A newer session of the same client has taken over.
  func superseded()
}

/// One client's stream of batches into the log, from its hello to its end.
///
/// The writer's lock guards every variable.
public final class IngestSession: @unchecked Sendable {  // All mutable state is guarded by the writer's lock.
  /// The name under which the client's sequence numbers are kept; nil for a caller that does not count.
  public let name: String?
  /// The client's last committed batch when the session began. Does not change once the session is open.
  public private(set) var firstSequence: UInt64 = 0
  /// False if batches of an older session of the client hang: nothing can be appended, because it is not known yet which
  /// batches are repeats. Does not change once the session is open.
  public private(set) var takesBatches = true
  let owner: any IngestSessionOwner

  var lastQueued: UInt64 = 0
  var lastCommitted: UInt64 = 0
  var lastPosition: LogPosition = 0
  var uncommittedBatches = 0
  /// For whom it has queued readings.
  var persons = ClientPersons()
  var isSuperseded = false
  var isClosed = false

  // The session's place in the group that is being filled.
  var shareGroup: Int64 = 0
  var shareRow = -1
  var shareIndex = -1

  init(name: String?, owner: any IngestSessionOwner) {
    self.name = name
    self.owner = owner
  }

  /// Sets where the client stands, before the session is given out.
  func begin(at place: ClientPlace, takesBatches: Bool = true) {
    firstSequence = place.sequence
    lastQueued = place.sequence
    lastCommitted = place.sequence
    lastPosition = place.position
    self.takesBatches = takesBatches
  }

  /// Where the client stands now.
  var place: ClientPlace { ClientPlace(sequence: lastCommitted, position: lastPosition) }
}

/// What happened to a batch that was offered to the log.
public enum AppendOutcome: Sendable, Equatable {
  /// It waits for the next commit; a notice will follow.
  case queued
  /// It was committed before, at or before this position.
  case repeated(at: LogPosition)
  /// The same number, or a later one, waits for its commit already; the position is the newest so far.
  case alreadyQueued(after: LogPosition)
  /// There is no room: wait for it and try again.
  case full
  /// A newer session of the same client has taken over.
  case superseded
  /// The log takes nothing any more: the server is ending.
  case closed
}
