import Synchronization
import Threads

/// Connections for asynchronous code: a fixed number of threads, each with one connection, run blocking bodies in the
/// order of their arrival.
///
/// - The queue is bounded; a call beyond the bound fails at once with `PostgresError.Kind.poolExhausted`.
/// - A thread connects when it first gets work, and again, with growing pauses, after its connection was lost. A call
///   that finds PostgreSQL gone waits for it until its deadline (or `reconnectPatience`), then fails with the reason.
/// - A body that has begun is never run again: when the connection is lost under it, its caller gets the error and
///   knows best whether the work may be repeated.
/// - Neither a cancelled task nor a deadline breaks off a commit's wait for a synchronous standby. In
///   `Connection.inTransaction` they stop everything but the COMMIT at once; statements outside of it, and the COMMIT, are
///   left to PostgreSQL after a second, and their connection is dropped. A deadline then ends in
///   `PostgresError.Kind.unknownOutcome`.
/// - After a lost connection or an unknown outcome bodies run only when the synchronous standbys have what there is to be
///   seen: whoever asks what has become of a commit can believe the answer.
/// - Call `shutdown()`, or drop the pool: its threads end when their current work does.
public final class Pool: Sendable {
  /// When the work of the task that runs has to end, such as the deadline of a call: each `withConnection` keeps to it.
  @TaskLocal public static var deadline: ContinuousClock.Instant?

  private let workers: PoolWorkers
  private let clock: PoolClock
  private let monitor: PoolMonitor?
  private let peers: PoolPeers
  private let connectionCount: Int
  private let bodyTimeMax: Duration?
  /// Empty after `shutdown()`.
  private let threads: Mutex<[DedicatedThread]>
  private let clockThread: DedicatedThread

  /// Starts the threads; connects to nothing yet, except for the monitor, which exists if the configuration has a hook
  /// for it.
  ///
  /// - Parameter other: a pool of the same server. Its monitor watches for this pool too, which has no hooks of its own,
  ///   and an unknown outcome in one is known in both. It must be shut down after this one.
  public init(_ configuration: PoolConfiguration, beside other: Pool? = nil) {
    let peers = other?.peers ?? PoolPeers()
    let workers = PoolWorkers(configuration, doubts: peers.doubts)
    peers.add(workers)
    let clock = PoolClock(onEndedWaiting: { [weak workers] job in workers?.drop(job) })
    let isWatched = other == nil && (configuration.onAvailabilityChange != nil || configuration.revive != nil)
    let monitor = isWatched ? PoolMonitor(configuration, onBack: { peers.serverIsBack(at: $0) }) : nil
    let connectionCount = max(1, configuration.connectionCount)
    var threads = (0..<connectionCount).map { index in
      DedicatedThread("\(configuration.threadName)-\(index)", priority: configuration.givesWay ? .low : .normal) {
        workers.run(thread: index)
      }
    }
    if let monitor { threads.append(DedicatedThread("pg-monitor") { monitor.run() }) }
    self.workers = workers
    self.clock = clock
    self.monitor = monitor
    self.peers = peers
    self.connectionCount = connectionCount
    bodyTimeMax = configuration.bodyTimeMax
    self.threads = Mutex(threads)
    clockThread = DedicatedThread("pg-clock") { clock.run() }
  }

  /// A pool with the limits that `PoolConfiguration` begins with, and without a monitor.
  public convenience init(_ connection: ConnectionConfiguration) { self.init(PoolConfiguration(connection)) }

  deinit {
    close()
    clock.stop()
  }

  /// Runs `body` on a pool thread with a connection that it has for itself until it returns.
  ///
  /// A transaction that `body` leaves open is rolled back. The connection must not leave `body`.
  /// - Parameter deadline: from now; the configuration's `bodyTimeMax` and the task's `Pool.deadline` hold as well.
  ///   Covers the wait and the work: the server stops the running statement when it has passed, and the call throws
  ///   `PostgresError.Kind.timeout`.
  /// - Throws: what `body` throws; `CancellationError` when the task was cancelled (at once while waiting, else as
  ///   soon as the server has stopped the statement, and then its outcome is not known); `PostgresError` of kind
  ///   `poolExhausted`, `poolClosed`, `timeout` or `connection` when `body` did not run.
  @discardableResult
  public func withConnection<T: Sendable>(
    deadline: Duration? = nil, _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T {
    let box = JobBox()
    let workTime = [deadline, bodyTimeMax, Self.deadline.map { ContinuousClock.now.duration(to: $0) }].lazy
      .compactMap { $0 }.min()
    // A job that ended must not be kept until its deadline.
    defer { if workTime != nil, let job = box.job { clock.remove(job) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<T, any Error>) in
        let job = PoolJob(
          deadline: workTime.map { .now + $0 }, reconnectDeadline: deadline.map { .now + $0 },
          run: { connection in
            do {
              let value = try body(connection)
              return PoolJob.Outcome(error: nil, resume: { continuation.resume(returning: value) })
            } catch {
              return PoolJob.Outcome(error: error, resume: { continuation.resume(throwing: error) })
            }
          }, fail: { continuation.resume(throwing: $0) })
        start(job, box)
      }
    } onCancel: {
      if let job = box.cancel() { clock.interrupt(job, .taskCancelled) }
    }
  }

  /// Opens every connection and runs `body` on each, so that the first ones who ask wait for no connect, nor for what
  /// PostgreSQL reads at the first question of a session. A connection that is busy for two seconds is left out.
  /// - Throws: as `withConnection`.
  public func warmUp(_ body: @escaping @Sendable (Connection) throws -> Void = { _ in }) async throws {
    let begun = Monitored(0)
    let count = connectionCount
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await self.withConnection { connection in
            begun.change(wakingAll: true) { $0 += 1 }
            // A thread that were done already would take the next one's place.
            _ = begun.wait(until: .now + .seconds(2)) { $0 >= count ? () : nil }
            try body(connection)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func start(_ job: PoolJob, _ box: JobBox) {
    guard box.set(job) else {
      job.failWaiting(CancellationError())
      return
    }
    if let deadline = job.deadline { clock.add(job, deadline: deadline) }
    do throws(PostgresError) { try workers.enqueue(job) } catch { job.failWaiting(error) }
  }

  /// Says that a commit over a connection beside this pool had an unknown outcome: bodies that begin from now on, here and in
  /// the pools beside it, run when the synchronous standbys have what there is to be seen.
  public func doubt() { peers.doubts.add() }

  /// Calls that wait for a thread now.
  public var waitingCount: Int { workers.waitingCount }

  /// How many may wait.
  public var waitingMax: Int { workers.waitingMax }

  /// Refuses new calls, fails those that wait, and returns when the running ones have ended and the connections are
  /// closed.
  /// - Parameter patience: how long the running ones have to end. A commit whose standby is away is then left to PostgreSQL,
  ///   and its outcome is unknown.
  public func shutdown(patience: Duration = .seconds(10)) async {
    close()
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    guard !threads.isEmpty else { return }
    let (clock, clockThread, workers) = (clock, clockThread, workers)
    let hasEnded = Monitored(false)
    let cutter = DedicatedThread("pg-cutter") {
      let ended: Void? = hasEnded.wait(until: .now + patience) { $0 ? () : nil }
      if ended == nil { workers.cut() }
    }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // Joining blocks, so it gets a thread too.
      DedicatedThread.detached("pg-shutdown") {
        for thread in threads { thread.join() }
        hasEnded.change { $0 = true }
        cutter.join()
        // Last: deadlines and cancellations hold until the last call has ended.
        clock.stop()
        clockThread.join()
        continuation.resume()
      }
    }
  }

  private func close() {
    workers.close()
    monitor?.stop()
  }
}

/// Connects a task's cancellation with its job, whichever comes first.
private final class JobBox: Sendable {
  private let state = Mutex<(job: PoolJob?, isCancelled: Bool)>((nil, false))

  /// - Returns: false when the task is cancelled already.
  func set(_ job: PoolJob) -> Bool {
    state.withLock { state in
      state.job = job
      return !state.isCancelled
    }
  }

  var job: PoolJob? { state.withLock { $0.job } }

  func cancel() -> PoolJob? {
    state.withLock { state in
      state.isCancelled = true
      return state.job
    }
  }
}
