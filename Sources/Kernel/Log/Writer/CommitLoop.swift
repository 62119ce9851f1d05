internal import Domain
internal import Logging
internal import Postgres
internal import Threads

/// The writer's thread: takes the open group, commits it, tells everyone, and again.
struct CommitLoop {
  let writer: LogWriter
  private var previousBatches = 0
  private var transaction: CommitTransaction
  private let meter = CommitMeter()

  init(writer: LogWriter) {
    self.writer = writer
    transaction = CommitTransaction(
      database: writer.database, pool: writer.pool, lock: writer.lock, opened: writer.opened)
  }

  consuming func run() {
    while let group = takeGroup() {
      let began = ContinuousClock.now
      guard let positions = commit(group) else {
        for row in group.rows { row.entry?.finish(.unknown) }
        writer.logger.warning("the server ends with PostgreSQL gone; batches that waited are not acknowledged")
        break
      }
      meter.committed(group, in: .now - began)
      previousBatches = group.batches
      tell(group, positions)
    }
    transaction.close()
  }

  /// Waits for batches. Nil when the log is closed and nothing waits.
  private func takeGroup() -> CommitGroup? {
    let monitor = writer.monitor
    let limits = writer.limits
    monitor.wait { !$0.open.isEmpty || $0.isClosed ? () : nil }
    if previousBatches >= limits.gatherFrom {
      monitor.wait(until: .now + limits.gatherTime) {
        $0.isClosed || $0.open.batches >= limits.gatherUpTo || $0.open.readings >= OpenRow.maxReadings ? () : nil
      }
    }
    let group = monitor.withLock { state in
      defer {
        state.open = CommitGroup()
        state.openSince = nil
      }
      if !state.open.isEmpty { state.committingSince = .now }
      return state.open
    }
    writer.wakeWaiters()
    return group.isEmpty ? nil : group
  }

  /// Commits the group, however long PostgreSQL is away. Nil only when the log was closed meanwhile.
  private mutating func commit(_ group: CommitGroup) -> [LogPosition?]? {
    let payloads = group.rows.map { $0.columns.isEmpty ? [] : BlockCodec.encode($0.columns, positions: nil) }
    var backOff = BackOff(initial: .milliseconds(20), max: .seconds(1))
    var attempts = 0
    while true {
      do {
        return try transaction.commit(group, payloads: payloads, isRetry: attempts > 0)
      } catch {
        attempts += 1
        meter.failed()
        writer.pool.doubt()
        transaction.close()
        if attempts == 1 || attempts % 30 == 0 {
          writer.logger.error("a commit failed and is tried again", metadata: ["error": "\(error)"])
        }
        let delay = backOff.next()
        writer.monitor.wait(until: .now + delay) { $0.isClosed ? () : nil }
        let (isClosed, isGivenUp) = writer.monitor.withLock { ($0.isClosed, $0.isGivenUp) }
        if isGivenUp || isClosed && attempts > 3 { return nil }
      }
    }
  }

  /// Publishes the committed rows and tells the sessions.
  private func tell(_ group: CommitGroup, _ positions: [LogPosition?]) {
    var committed: [CommittedRow] = []
    var notices: [(session: IngestSession, notice: CommitNotice)] = []
    writer.monitor.withLock { state in
      state.committingSince = nil
      for (row, position) in zip(group.rows, positions) {
        guard let position else { continue }
        if let entry = row.entry {
          committed.append(CommittedRow(position: position, entry: entry.request.entry))
        }
        if !row.columns.isEmpty { committed.append(CommittedRow(position: position, columns: row.columns)) }
        for share in row.shares {
          let session = share.session
          session.lastCommitted = max(session.lastCommitted, share.lastSequence)
          session.lastPosition = position
          session.uncommittedBatches -= share.batches
          if session.isClosed, session.uncommittedBatches == 0 { state.forget(session) }
          notices.append((session, CommitNotice(position: position, batches: share.batches)))
        }
      }
    }
    // Before the acknowledgements: who has one finds the readings in every answer, and none of them after "now".
    writer.tail.append(committed)
    for (session, notice) in notices { session.owner.committed(notice) }
    for (row, position) in zip(group.rows, positions) { row.entry?.finish(.committed(position)) }
    writer.wakeWaiters()
  }
}
