public import Domain
public import Logging
public import Postgres
internal import Synchronization
internal import Threads

/// The one way into the log: gathers batches into groups and commits each group in one transaction.
///
/// While one group is being committed the next one fills; nothing waits for a timer unless many small batches come at
/// once. When PostgreSQL is slow or gone the open group fills up to its limits, then `append` answers `full` and
/// callers wait, which their clients feel as flow control. A group is never given up while the server runs.
public final class LogWriter: Sendable {
  public struct Limits: Sendable {
    /// The most readings that wait for a commit beside those being committed.
    public var readings = 131_072
    /// The most bytes of readings that wait, about.
    public var bytes = 16 << 20
    /// The most batches that wait.
    public var batches = 32_768
    /// How long a commit waits for more when many small batches come: each commit costs the same, however few it holds.
    public var gatherTime: Duration = .milliseconds(1)
    /// The number of batches in a group from which on the next commit waits.
    public var gatherFrom = 16
    /// The number of batches, or `OpenRow.maxReadings` readings, for which it waits.
    public var gatherUpTo = 1_024

    public init() {}
  }

  struct State {
    var open = CommitGroup()
    /// Since when a batch has waited in the open group.
    var openSince: ContinuousClock.Instant?
    var waiters: [UInt64: (condition: LogCondition, continuation: CheckedContinuation<Void, Never>)] = [:]
    var lastWaiter: UInt64 = 0
    var sessions: [String: IngestSession] = [:]
    /// Where clients stand that have no session now; each takes some 220 bytes.
    var clients: [String: ClientPlace]
    /// Since when a group is being committed.
    var committingSince: ContinuousClock.Instant?
    var isClosed = false
    var hasEnded = false
    /// Set when the log has been closed for as long as its commits may take: what is not committed by then is given up.
    var isGivenUp = false
    /// The writer's session.
    var session: CancelHandle?
  }

  /// How long the last commits may take once the log is closed.
  public static let closingPatience: Duration = .seconds(10)

  let monitor: Monitored<State>
  let limits: Limits
  let database: ConnectionConfiguration
  let pool: Pool
  let lock: ServerLock?
  let tail: LogTail
  let logger: Logger

  /// - Parameters:
  ///   - database: where the writer opens the one connection that it keeps.
  ///   - pool: for questions that are not on the way of a reading.
  ///   - lock: without it nothing is committed once another server has the database; nil: there is no other.
  ///   - tail: takes each committed row.
  ///   - clients: where each client stands, by the name of its sessions. Nobody else changes that while the writer is
  ///     there.
  public init(
    database: ConnectionConfiguration, pool: Pool, lock: ServerLock? = nil, tail: LogTail,
    clients: [String: ClientPlace], limits: Limits = Limits(), logger: Logger
  ) {
    monitor = Monitored(State(clients: clients))
    self.database = database
    self.pool = pool
    self.lock = lock
    self.tail = tail
    self.limits = limits
    self.logger = logger
  }

  /// Starts the thread that commits.
  public func start() {
    DedicatedThread.detached("log-writer") { [self] in
      CommitLoop(writer: self).run()
      // At the end nobody waits for a commit that will not come.
      let left = monitor.withLock { state in
        state.isClosed = true
        state.hasEnded = true
        return state.open.rows
      }
      for row in left { row.entry?.finish(.abandoned) }
      wakeWaiters()
    }
  }

  /// Takes nothing more, commits what waits, and ends. With PostgreSQL gone, or a synchronous standby that does not come
  /// back in time, what waits is given up unacknowledged.
  /// - Parameter patience: how long commits may take.
  public func close(patience: Duration = LogWriter.closingPatience) async {
    monitor.change { $0.isClosed = true }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        guard (try? await Task.sleep(for: patience)) != nil else { return }
        giveUp()
      }
      await ended()
      group.cancelAll()
    }
  }

  private func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = monitor.withLock { state in
        if state.hasEnded { return true }
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = (.ended, continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Leaves the commit that goes on to PostgreSQL.
  private func giveUp() {
    let session = monitor.change { state in
      state.isGivenUp = true
      return state.session
    }
    session?.cut()
  }

  /// Hears of each session that the writer's thread opens.
  func opened(_ session: CancelHandle) {
    let isTooLate = monitor.withLock { state in
      state.session = session
      return state.isGivenUp
    }
    if isTooLate { session.cut() }
  }

  /// Offers a batch. Does not block.
  ///
  /// - Parameters:
  ///   - columns: the accepted readings of the batch; may be empty, then only the sequence number is recorded.
  ///   - sequence: the client's number of the batch; 0 in a session without a name.
  public func append(_ columns: borrowing ReadingColumns, sequence: UInt64, of session: IngestSession) -> AppendOutcome
  {
    let bytes = columns.approximateBytes
    let count = columns.count
    // Not under the lock.
    let persons = session.name == nil ? ClientPersons() : ClientPersons(columns)
    var wake = false
    let outcome = monitor.withLock { state -> AppendOutcome in
      if state.isClosed { return .closed }
      if session.isSuperseded { return .superseded }
      if session.name != nil {
        if sequence <= session.lastCommitted { return .repeated(at: session.lastPosition) }
        if sequence <= session.lastQueued { return .alreadyQueued(after: session.lastPosition) }
      }
      // The group is looked at in place: a copy of it would make the next line copy every reading that waits.
      guard state.open.hasRoom(readings: count, bytes: bytes, limits) else { return .full }
      let (batches, readings) = (state.open.batches, state.open.readings)
      if state.openSince == nil { state.openSince = .now }
      wake =
        batches == 0 || batches + 1 == limits.gatherUpTo
        || (readings < OpenRow.maxReadings && readings + count >= OpenRow.maxReadings)
      state.open.append(columns, for: persons, bytes: bytes, sequence: sequence, of: session)
      session.lastQueued = max(session.lastQueued, sequence)
      session.uncommittedBatches += 1
      return .queued
    }
    if wake { monitor.signal() }
    return outcome
  }
}
