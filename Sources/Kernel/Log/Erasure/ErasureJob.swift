public import Domain
public import Logging
internal import Postgres

/// Erases accounts that have ended, in the background: soon after their owners' word, and again after every crash.
///
/// What is deleted can't be found by SQL any more when the job is done, and it vacuums the tables, so that PostgreSQL
/// uses the space again. Then it takes the words out of the write-ahead log (`renewWriteAheadLog`), once a minute at most.
/// One trace leaves later, by PostgreSQL's own ways: bytes of deleted rows on pages that still hold other rows are
/// overwritten when those pages are next written to. Backups and archived logs are outside of the server: who keeps them
/// must let them go within the 48 hours, or erase again after restoring one.
///
/// `AreaTables.personal` says of every column what becomes of it; outside of the database are the journal of emergencies, and the
/// folders of mails and messages of a server that has no mail server or gateway.
public struct ErasureJob: Sendable {
  /// Between two times that the write-ahead log is renewed.
  static let renewalPause: Duration = .seconds(60)
  /// After each of its files (of 16 MiB, mostly): others write to the disk too.
  static let filePause: Duration = .milliseconds(100)

  private let storage: StorageSystem
  private let clock: @Sendable () -> Microseconds
  private let patience: Duration
  private let forget: @Sendable (AccountID) async throws -> Void
  private let logger: Logger

  /// - Parameters:
  ///   - clock: the time of day, as in `ErasureStore.deactivate`.
  ///   - patience: how long after the owner's word a push may still be on its way into the log.
  ///   - forget: takes an account out of what is kept outside of the database, and returns when the disk has it; called
  ///     before its rows go, and again if it throws.
  public init(
    storage: StorageSystem, clock: @escaping @Sendable () -> Microseconds = wallClock,
    patience: Duration = .seconds(60), forget: @escaping @Sendable (AccountID) async throws -> Void = { _ in },
    logger: Logger
  ) {
    self.storage = storage
    self.clock = clock
    self.patience = patience
    self.forget = forget
    self.logger = logger
  }

  /// Erases until it is cancelled.
  public func run() async {
    var rounds = 0
    // Nil: a server before this one may have ended before it came to it.
    var hasWords: Bool?
    var renewed: ContinuousClock.Instant?
    repeat {
      do {
        try await storage.ended.refresh()
        if hasWords == nil { hasWords = try await storage.hasErased(since: clock() - 3_600 * 1_000_000) }
        if try await round() > 0 { hasWords = true }
        if hasWords == true, renewed.map({ $0.duration(to: .now) >= Self.renewalPause }) ?? true {
          try await renewWriteAheadLog()
          (hasWords, renewed) = (false, .now)
        }
        if rounds % 60 == 0 { try await storage.eraseStragglers(since: clock() - 3 * 24 * 3_600 * 1_000_000) }
        rounds += 1
      } catch is CancellationError {
        return
      } catch {
        logger.warning("an erasure has to wait and is tried again", metadata: ["error": "\(error)"])
      }
    } while (try? await Task.sleep(for: .seconds(1), tolerance: .milliseconds(200))) != nil
  }

  /// Takes each erasure as far as it goes now.
  ///
  /// - Returns: how many are done.
  /// - Throws: `PostgresError`, `CancellationError`, and what `forget` throws.
  @discardableResult
  public func round() async throws -> Int {
    var done = 0
    erasures: for erasure in try await storage.pendingErasures() {
      for step in ErasureStep.allCases {
        if step == .eraseIdentity { try await forget(erasure.account) }
        guard try await storage.perform(step, of: erasure, patience: patience, at: clock()) else { continue erasures }
      }
      done += 1
      logger.info("an account was erased", metadata: ["account": "\(erasure.account)"])
    }
    if done > 0 { try await vacuum() }
    return done
  }

  private func renewWriteAheadLog() async throws {
    do {
      try await storage.renewWriteAheadLog(pause: Self.filePause)
    } catch let error as PostgresError where error.sqlState == "42501" {
      logger.notice(
        "the database's user may not renew the write-ahead log: words of who was erased leave it as it is used",
        metadata: ["error": "\(error)"])
    }
  }

  private func vacuum() async throws {
    // The erasures are done: a vacuum that fails is left to PostgreSQL's own.
    for table in storage.areas.erasedTables {
      do {
        try await storage.pools.upkeep.withConnection { _ = try $0.execute("VACUUM \(table)") }
      } catch {
        try Task.checkCancellation()
        logger.info("a table was not vacuumed", metadata: ["table": "\(table)", "error": "\(error)"])
      }
    }
  }
}
