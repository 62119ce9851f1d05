import Threads

/// The pool's threads, each with a connection of its own, and the queue they take work from.
final class PoolWorkers: Sendable {
  private struct Queue {
    var jobs: [PoolJob] = []
    var isClosed = false
  }

  /// What a thread waiting to reconnect is woken by.
  private struct Reach {
    var address: ConnectionConfiguration
    /// Counts the times the server was seen to be back.
    var generation = 0
    var isClosed = false
  }

  private struct Sessions {
    /// Of all threads.
    var open: [Int: CancelHandle] = [:]
    /// Those that wait for the standbys.
    var waiting: [ObjectIdentifier: CancelHandle] = [:]
    var isClosed = false
  }

  private let configuration: PoolConfiguration
  private let doubts: OutcomeDoubts
  private let sessions = Monitored(Sessions())
  private let queue = Monitored(Queue())
  private let reach: Monitored<Reach>

  init(_ configuration: PoolConfiguration, doubts: OutcomeDoubts) {
    self.configuration = configuration
    self.doubts = doubts
    reach = Monitored(Reach(address: configuration.connection))
  }

  // MARK: The queue

  /// - Throws: `PostgresError`, when the queue is full or closed; the job was not taken.
  func enqueue(_ job: PoolJob) throws(PostgresError) {
    let refusal = queue.change { queue -> PostgresError? in
      if queue.isClosed { return PostgresError(.poolClosed, "the connection pool was shut down") }
      if queue.jobs.count >= configuration.waitingMax {
        return PostgresError(
          .poolExhausted, "\(configuration.waitingMax) calls already wait for a database connection")
      }
      queue.jobs.append(job)
      return nil
    }
    if let refusal { throw refusal }
  }

  /// Forgets a job that ended while it waited, so that its place is free.
  func drop(_ job: PoolJob) {
    queue.withLock { queue in queue.jobs.removeAll { $0 === job } }
    // It may also be in the hands of a thread that waits to reconnect.
    reach.change(wakingAll: true) { _ in }
  }

  var waitingMax: Int { configuration.waitingMax }

  /// Calls waiting for a thread.
  var waitingCount: Int { queue.withLock { $0.jobs.count } }

  /// Takes no more work; what waits fails.
  func close() {
    let waiting = queue.change(wakingAll: true) { queue in
      queue.isClosed = true
      defer { queue.jobs = [] }
      return queue.jobs
    }
    reach.change(wakingAll: true) { $0.isClosed = true }
    sessions.withLock { sessions in
      sessions.isClosed = true
      for handle in sessions.waiting.values { handle.cut() }
    }
    for job in waiting { job.failWaiting(PoolJob.Interruption.poolClosed.error) }
  }

  /// Ends the connections under the calls that still run.
  func cut() { for session in sessions.withLock({ Array($0.open.values) }) { session.cut() } }

  /// The server is there; threads that wait to reconnect try now.
  func serverIsBack(at address: ConnectionConfiguration) {
    reach.change(wakingAll: true) { reach in
      reach.address = address
      reach.generation += 1
    }
  }

  // MARK: A thread

  /// A thread's body.
  /// - Parameter thread: its number.
  func run(thread: Int) {
    defer { sessions.withLock { _ = $0.open.removeValue(forKey: thread) } }
    var connection: Connection?
    /// The session's statement_timeout in milliseconds; 0 is the server's default.
    var timeout: Int64 = 0
    /// The unknown outcomes after which this session has waited for the standbys; nil: it has not.
    var settled: Int?
    while let job = nextJob() {
      if connection?.isConnected != true {
        connection = connect(for: job)
        timeout = 0
        settled = nil
      }
      // Without a connection the job was told so, or ended by itself.
      guard let current = connection else { continue }
      sessions.withLock { $0.open[thread] = current.cancelHandle }
      do throws(PostgresError) { settled = try settle(current, settled) } catch {
        job.failWaiting(error)
        connection = nil
        continue
      }
      let wanted = Self.statementTimeout(until: job.deadline)
      if wanted != timeout {
        guard
          (try? current.execute(wanted == 0 ? "RESET statement_timeout" : "SET statement_timeout = \(wanted)")) != nil
        else {
          job.failWaiting(PostgresError(.connection, "the connection was lost", isConnectionLost: true))
          connection = nil
          continue
        }
        timeout = wanted
      }
      job.perform(on: current) { wasInterrupted in
        current.cancelHandle.rearm()
        // Before the caller hears of it: what it asks next must not be answered too early.
        if current.hasUnknownOutcome { doubts.add() }
        if !current.hasUnknownOutcome, Self.tidy(current, wasInterrupted: wasInterrupted) { return }
        current.close()
        connection = nil
      }
    }
  }

  /// Waits for the standbys if an outcome has been unknown since the session last did so, or it is new: the server may have
  /// come back with commits that were never confirmed.
  /// - Returns: the unknown outcomes that are settled by it.
  private func settle(_ connection: Connection, _ settled: Int?) throws(PostgresError) -> Int {
    let count = doubts.count
    guard count != settled else { return count }
    let id = ObjectIdentifier(connection)
    sessions.withLock { sessions in
      sessions.waiting[id] = connection.cancelHandle
      if sessions.isClosed { connection.cancelHandle.cut() }
    }
    defer { sessions.withLock { _ = $0.waiting.removeValue(forKey: id) } }
    try connection.awaitStandbys()
    return count
  }

  private func nextJob() -> PoolJob? {
    let next: PoolJob?? = queue.wait { queue in
      if queue.isClosed { return .some(nil) }
      return queue.jobs.isEmpty ? nil : .some(queue.jobs.removeFirst())
    }
    return next ?? nil
  }

  /// Tries to connect for as long as the job has patience.
  private func connect(for job: PoolJob) -> Connection? {
    let giveUpAt = job.reconnectDeadline ?? ContinuousClock.now + configuration.reconnectPatience
    var backOff = configuration.backOff
    while job.isWaiting {
      let (address, generation, isClosed) = reach.withLock { ($0.address, $0.generation, $0.isClosed) }
      if isClosed {
        job.failWaiting(PoolJob.Interruption.poolClosed.error)
        return nil
      }
      do throws(PostgresError) {
        let connection = try Connection(address)
        // It is PostgreSQL's process that works, and the embedded one is on this machine.
        if configuration.givesWay, configuration.revive != nil {
          DedicatedThread.Priority.low.give(to: connection.backendProcessID)
        }
        return connection
      } catch {
        let retryAt = ContinuousClock.now + backOff.next()
        guard retryAt < giveUpAt else {
          job.failWaiting(error)
          return nil
        }
        reach.wait(until: retryAt) { reach -> Void? in
          reach.generation != generation || reach.isClosed || !job.isWaiting ? () : nil
        }
      }
    }
    return nil
  }

  /// Leaves a connection as the next job expects it: no transaction open, no cancel request on its way.
  /// - Returns: false when the connection is of no more use.
  private static func tidy(_ connection: Connection, wasInterrupted: Bool) -> Bool {
    // A cancel request that came too late may still hit a statement; let it be this one.
    if wasInterrupted { _ = try? connection.execute("") }
    switch connection.transactionStatus {
    case .idle: return true
    case .inTransaction, .failed: return (try? connection.execute("ROLLBACK")) != nil
    case .active, .unknown: return false
    }
  }

  /// What is left until the deadline, in milliseconds, rounded up to three significant bits: calls with similar
  /// deadlines then share a setting, and need no round trip to change it. The exact end is the clock thread's task;
  /// this is for the case that our process does not live to see it. A second at least: the statement that changes it for
  /// the next job must itself be done by then.
  static func statementTimeout(until deadline: ContinuousClock.Instant?) -> Int64 {
    guard let deadline else { return 0 }
    let left = min(max(1_000, ContinuousClock.now.duration(to: deadline).milliseconds), Int64(Int32.max) / 2)
    let step = max(1, (Int64(1) << (63 - left.leadingZeroBitCount)) / 4)
    return (left + step - 1) / step * step
  }
}
