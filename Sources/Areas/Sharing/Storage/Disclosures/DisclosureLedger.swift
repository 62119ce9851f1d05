public import Domain
public import Log
public import Logging
public import Postgres
internal import Synchronization
internal import Threads

/// What was delivered of persons' readings: to whom, under which consent, which kinds and interval, how many, when.
///
/// It says never less than was sent. A delivery's row is there before its first reading is sent; what a stream sends
/// after that is counted in memory and written by one statement a second for all streams. If the server dies, the next
/// one counts what the streams may have sent since, and marks the rows. With PostgreSQL gone deliveries begin no more,
/// and streams go on for `patience`, then wait.
public final class DisclosureLedger: Sendable {
  let pool: Pool
  let clock: @Sendable () -> Microseconds
  /// How long a stream goes on while its row can't be written.
  let patience: Duration
  let lock: InstanceLock
  private let open = Mutex<[Int64: Disclosure]>([:])
  /// One statement at a time, in the order in which they are wanted.
  private let writing = FairTurns(places: 1, perAsker: 1)

  /// - Parameters:
  ///   - database: where the ledger holds its lock, by a connection of its own once there is a delivery.
  ///   - clock: microseconds since the Unix epoch; decides when a day begins.
  public init(
    pool: Pool, database: ConnectionConfiguration, clock: @escaping @Sendable () -> Microseconds = wallClock,
    patience: Duration = .seconds(10)
  ) {
    self.pool = pool
    self.clock = clock
    self.patience = patience
    lock = InstanceLock(database: database)
  }

  /// Begins a delivery and writes its row.
  ///
  /// - Parameters:
  ///   - grant: the consent under which readings will be sent.
  ///   - position: what the receiver has: nothing of the log up to here will be sent by a stream.
  /// - Throws: `PostgresError`; then nothing may be sent. `CancellationError`.
  public func begin(
    _ grant: AccessRecord, kind: DisclosureKind, after position: LogPosition
  ) async throws -> Disclosure {
    let disclosure = Disclosure(self, request: grant.id, kind: kind, after: position)
    let day = disclosure.unwritten()
    try await pool.withConnection { [self] connection in
      try lock.hold()
      try DisclosureRows.write(day.map { (disclosure, $0) }, instance: lock.instance, connection)
    }
    for day in day { disclosure.written(day, at: .now) }
    open.withLock { $0[disclosure.delivery] = disclosure }
    return disclosure
  }

  /// Writes what has changed about once a second, and completes rows of servers that died, until it is cancelled.
  public func run(logger: Logger) async {
    var untilCompletion = 0
    repeat {
      do {
        try await writeChanged()
        if untilCompletion == 0 { try await completeAbandoned() }
        untilCompletion = untilCompletion == 0 ? 10 : untilCompletion - 1
      } catch is CancellationError {
        return
      } catch {
        logger.warning("the disclosure ledger can't be written and is tried again", metadata: ["error": "\(error)"])
      }
    } while (try? await Task.sleep(for: .seconds(1), tolerance: .milliseconds(200))) != nil
  }

  /// Ends what is open, and gives up the lock. For the end of the server, when no call is left.
  /// - Parameter patience: how long that may take; what is not written then is completed by the next server.
  public func close(patience: Duration = .seconds(5)) async {
    for disclosure in open.withLock({ Array($0.values) }) { disclosure.markEnded() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in try? await writeChanged() }
      group.addTask { try? await Task.sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
    lock.release()
  }

  /// How many deliveries are open or not written to their end.
  var openCount: Int { open.withLock(\.count) }

  /// Writes all rows that have changed, in one statement.
  func writeChanged() async throws {
    try await writing.run(for: .server) { [self] in
      let all = open.withLock { Array($0.values) }
      let changed = all.flatMap { disclosure in disclosure.unwritten().map { (disclosure, $0) } }
      guard !changed.isEmpty else { return }
      let began = ContinuousClock.now
      try await pool.withConnection { [self] connection in
        try lock.hold()
        try DisclosureRows.write(changed, instance: lock.instance, connection)
      }
      for (disclosure, day) in changed { disclosure.written(day, at: began) }
      let over = all.filter(\.isOver)
      if !over.isEmpty { open.withLock { open in for disclosure in over { open[disclosure.delivery] = nil } } }
    }
  }

  /// Writes until a condition holds, however long PostgreSQL is gone.
  func write(until isDone: () -> Bool) async throws {
    var backOff = BackOff(initial: .milliseconds(20), max: .seconds(1))
    while !isDone() {
      do {
        try await writeChanged()
        return
      } catch let error where error is CancellationError || Task.isCancelled {
        throw CancellationError()
      } catch {
        try await Task.sleep(for: backOff.next())
      }
    }
  }

  /// What was delivered of a person's readings, newest first.
  ///
  /// - Parameters:
  ///   - request: of one consent only; nil for all.
  ///   - before: rows with smaller numbers are wanted.
  /// - Throws: `PostgresError`.
  public func list(
    of person: PersonID, request: AccessRequestID?, before: Int64, limit: Int
  ) async throws -> [DisclosureRecord] {
    try await pool.withConnection { connection in
      try DisclosureRows.read(connection, of: person, request: request, before: before, limit: limit)
    }
  }
}
