internal import Domain
public import Logging
public import Postgres
internal import Threads

/// Turns the log's tail into chunks, in the background: one pass takes up to `maxReadings`, writes their chunks,
/// removes their rows and moves `compacted_position`, in one transaction.
public final class Compactor: Sendable {
  public struct Policy: Sendable {
    /// The longest that a row stays in the log while it is quiet.
    public var age: Duration = .seconds(15)
    /// A tail of this many readings is compacted at once, however busy the server is.
    public var tailReadings = 4_000_000
    /// The most readings of one pass.
    public var maxReadings = 8_000_000
    /// The most readings, and the most bytes of payload, that a pass has in memory: about 100 bytes a reading.
    public var partReadings = 500_000
    public var partBytes = 16 << 20

    /// An hour's chunks are merged when it has been over, and nothing has come for it, for this long: late readings
    /// mostly come within it, and who sends a long history would have it merged again and again.
    public var quiet: Duration = .seconds(600)
    /// The most steps of merging before the log is looked at again; each merges some series of one hour.
    public var mergeSteps = 8

    public init() {}
  }

  private let pool: Pool
  private let tail: LogTail
  private let sources: SourceRegistry
  private let policy: Policy
  private let logger: Logger

  public init(pool: Pool, tail: LogTail, sources: SourceRegistry, policy: Policy = Policy(), logger: Logger) {
    self.pool = pool
    self.tail = tail
    self.sources = sources
    self.policy = policy
    self.logger = logger
  }

  /// Compacts until it is cancelled.
  public func run() async {
    var backOff = BackOff(initial: .milliseconds(200), max: .seconds(10))
    let clock = ContinuousClock()
    var due = clock.now + policy.age
    var merging = Merging()
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: .milliseconds(250), tolerance: .milliseconds(50))
        let isLong = try await waitingReadings() >= policy.tailReadings
        let isDue = clock.now >= due || isLong
        if isDue { due = clock.now + policy.age }
        try await turn(isDue: isDue, &merging)
        backOff.reset()
      } catch is CancellationError {
        return
      } catch {
        logger.warning("compaction failed and is tried again", metadata: ["error": "\(error)"])
        try? await Task.sleep(for: backOff.next())
      }
    }
  }

  /// How far merging has come from one turn to the next.
  struct Merging {
    fileprivate(set) var place: HourMerge.Place?
    /// Whether there may be more to merge.
    fileprivate(set) var isUnderWay = false
  }

  /// Compacts what is committed, where that is due, and goes on with merging for `mergeSteps` at most: however much there is
  /// to merge, the log is never kept waiting for it.
  func turn(isDue: Bool, _ merging: inout Merging) async throws {
    if isDue {
      // Also a log that holds entries and no readings: what waits for chunks to reach an entry must not wait for ever.
      if tail.head > tail.uncompacted().compacted { try await compactAll() }
      // Also in silence: hours end without a reading that says so.
      merging.isUnderWay = true
    }
    var steps = 0
    while merging.isUnderWay, steps < policy.mergeSteps {
      merging.place = try await mergeNext(after: merging.place, quiet: policy.quiet)
      merging.isUnderWay = merging.place != nil
      steps += 1
    }
  }

  /// Compacts everything that is committed now, and merges what can be merged. For tests and measurements.
  public func compactEverything() async throws {
    try await compactAll()
    try await mergeClosedHours(quiet: .zero)
  }

  /// Compacts what is committed now. What comes meanwhile waits: chasing it would make tiny chunks without end.
  private func compactAll() async throws {
    // Only what this server has heard of: a row whose commit its writer is still unsure of stays where it is.
    try await compact(through: tail.head)
  }

  /// Compacts everything up to a position that this server knows.
  func compact(through head: LogPosition) async throws {
    while try await compactOnce(through: head) > 0 {}
  }

  private func waitingReadings() async throws -> Int {
    let snapshot = tail.uncompacted()
    if snapshot.isComplete { return snapshot.rows.reduce(0) { $0 + $1.columns.count } }
    return try await pool.withConnection { connection in
      Int(try connection.query("SELECT coalesce(sum(reading_count), 0)::bigint FROM reading_log", []).int64(0, 0))
    }
  }

  /// One pass over rows up to a position. Returns how many rows of the log it took.
  func compactOnce(through head: LogPosition) async throws -> Int {
    let (policy, sources) = (policy, sources)
    let (rows, through) = try await pool.withConnection { connection in
      let uses = SourceUses(sources)
      let result = try connection.inTransaction {
        try CompactionPass.run(on: $0, head: head, policy: policy, uses: uses)
      }
      uses.committed()
      return result
    }
    if rows > 0 { tail.compacted(through: through) }
    return rows
  }

  private func mergeClosedHours(quiet: Duration) async throws {
    var place: HourMerge.Place?
    repeat { place = try await mergeNext(after: place, quiet: quiet) } while place != nil
  }

  private func mergeNext(after place: HourMerge.Place?, quiet: Duration) async throws -> HourMerge.Place? {
    let sources = sources
    return try await pool.withConnection { connection in
      let uses = SourceUses(sources)
      let next = try HourMerge.mergeNext(on: connection, after: place, quiet: quiet, uses: uses)
      uses.committed()
      return next
    }
  }
}
