public import Domain
public import Log
public import Logging
public import Postgres
internal import Threads

/// Makes the digests of periods that are over: each one once, whatever restarts and clocks do and however many servers
/// try. What is next is in the database, and moves on in the transaction that puts the digest into the log; the clock
/// says only when. A digest is read out of chunks: it waits until what its watermark covers is compacted.
public struct DigestMaker: Sendable {
  public struct Policy: Sendable {
    /// The most subscriptions of a round, and the most that are worked on at once.
    public var batch = 64
    public var parallel = 4
    /// The most rounds that follow each other without a pause, to make up for time in which no server ran.
    public var rounds = 20

    public init() {}
  }

  private let pool: Pool
  private let writer: LogWriter
  private let clock: @Sendable () -> Microseconds
  private let policy: Policy
  private let logger: Logger

  /// - Parameter clock: the time of day.
  public init(
    pool: Pool, writer: LogWriter, clock: @escaping @Sendable () -> Microseconds, policy: Policy = Policy(),
    logger: Logger
  ) {
    self.pool = pool
    self.writer = writer
    self.clock = clock
    self.policy = policy
    self.logger = logger
  }

  /// Makes digests until it is cancelled.
  public func run() async {
    var backOff = BackOff(initial: .seconds(1), max: .seconds(10))
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: .seconds(1), tolerance: .milliseconds(100))
        for _ in 0..<policy.rounds where try await round() == 0 { break }
        backOff.reset()
      } catch is CancellationError {
        return
      } catch {
        logger.warning("digests can't be made and are tried again", metadata: ["error": "\(error)"])
        try? await Task.sleep(for: backOff.next())
      }
    }
  }

  /// Makes the next digest of each subscription that has one due, as many as a round may have.
  ///
  /// - Returns: how many subscriptions went on to their next period.
  /// - Throws: `PostgresError`; `CancellationError`.
  @discardableResult
  public func round() async throws -> Int {
    let (policy, now) = (policy, clock())
    let due = try await pool.withConnection { connection in
      try DuePeriod.read(connection, at: now, limit: policy.batch)
    }
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      var made = 0
      for (index, period) in due.enumerated() {
        if index >= policy.parallel, try await group.next() == true { made += 1 }
        group.addTask { try await goOn(from: period) }
      }
      for try await isMade in group where isMade { made += 1 }
      return made
    }
  }

  /// Makes a period's digest and goes on to the next period. False if somebody else did, or the subscription has ended
  /// or changed.
  private func goOn(from period: DuePeriod) async throws -> Bool {
    // What is delivered as it is produced is not delivered where nothing was.
    if period.cadence == .asProduced,
      try await DigestReader(pool: pool, person: period.person, metrics: period.metrics, window: period.window)
        .isEmpty()
    {
      return try await pool.withConnection { try period.pass(on: $0) }
    }
    return try await writer.append(period.entry) != nil
  }
}
