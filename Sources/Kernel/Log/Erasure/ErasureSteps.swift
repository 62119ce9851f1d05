public import Domain
internal import Postgres

/// An account that has ended and is to be erased.
public struct PendingErasure: Sendable {
  public let account: AccountID
  public let requested: Microseconds
}

/// What an erasure consists of, in this order. Each step can be done again: whoever finds an erasure unfinished begins
/// with the first.
public enum ErasureStep: CaseIterable, Sendable {
  /// Ends what areas say ends with the account.
  case end
  /// Waits until no reading of the person can be on its way into the log, and nothing of it out of the log.
  case settle
  /// Moves everything that is committed into chunks, and puts down whose readings are from which sources.
  case compact
  /// Deletes the readings, and the names of sources that nobody else's readings are from.
  case eraseReadings
  case eraseIdentity
}

extension StorageSystem {
  /// The erasures that are not done, oldest first.
  /// - Throws: `PostgresError`.
  public func pendingErasures() async throws -> [PendingErasure] {
    try await pools.upkeep.withConnection { connection in
      let rows = try connection.repeatedQuery(
        "SELECT account, requested_at FROM erasure WHERE erased_at IS NULL ORDER BY requested_at LIMIT 100", [])
      return try (0..<rows.rowCount).map {
        PendingErasure(account: try rows.int64($0, 0), requested: try rows.timestamptz($0, 1))
      }
    }
  }

  /// Does a step.
  ///
  /// - Parameters:
  ///   - patience: how long after the owner's word a push may still be on its way.
  ///   - settlePatience: how long after that something of an area may still be on its way. It ends within seconds, and what
  ///     a dead server leaves is ended by the others; what is left after this time belongs to a server that hangs, or whose
  ///     death PostgreSQL has not noticed.
  /// - Returns: false if it has to wait.
  /// - Throws: `PostgresError`, `CancellationError`; then it is done again.
  public func perform(
    _ step: ErasureStep, of erasure: PendingErasure, patience: Duration, settlePatience: Duration = .seconds(300),
    at now: Microseconds
  ) async throws -> Bool {
    switch step {
    case .end: try await end(erasure.account, at: now)
    case .settle:
      let waited = Duration.microseconds(now - erasure.requested)
      guard waited >= patience else { return false }
      for area in areas {
        guard try await area.settle(erasure.account, self, waited >= patience + settlePatience) else { return false }
      }
    case .compact:
      let head = tail.head
      try await compactor.compact(through: head)
      tail.drop(through: head)
      try await completeSourceUses()
    case .eraseReadings: try await eraseReadings(of: erasure.account)
    case .eraseIdentity:
      let areas = areas
      let clients = try await pools.upkeep.withConnection { connection in
        try connection.inTransaction { try ErasedIdentity.erase(erasure.account, of: areas, at: now, $0) }
      }
      writer.forget(clients: clients)
    }
    return true
  }

  /// Ends what areas say ends with an account. Once more changes nothing.
  /// - Throws: `PostgresError`, `CancellationError`.
  public func end(_ account: AccountID, at now: Microseconds) async throws {
    for area in areas { try await area.end(account, self, now) }
  }

  /// Ends what areas say ends with an account that is disabled. Once more changes nothing.
  /// - Throws: `PostgresError`, `CancellationError`.
  public func suspend(_ account: AccountID, at now: Microseconds) async throws {
    for area in areas { try await area.suspend(account, self, now) }
  }

  /// Deletes the chunks of a person, some at a time, and the names of sources that they alone had.
  func eraseReadings(of person: PersonID) async throws {
    while try await eraseChunks(of: person) {}
    try await eraseSources(of: person)
  }

  /// - Returns: whether there may be more.
  private func eraseChunks(of person: PersonID) async throws -> Bool {
    try await pools.upkeep.withConnection { connection in
      try connection.inTransaction { connection in
        _ = try connection.query("DELETE FROM replaced_reading WHERE person = $1", [.int8(person)])
        _ = try connection.query(
          """
          WITH gone AS (
            DELETE FROM reading_chunk WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM reading_chunk WHERE person = $1 LIMIT 2000)) RETURNING reading_count
          )
          UPDATE erasure SET erased_readings = erased_readings + (SELECT coalesce(sum(reading_count), 0) FROM gone)
          WHERE account = $1
          """, [.int8(person)])
        // Asked anew: chunks that were being merged have been replaced by others, which the deletion did not see.
        return try connection.query(
          """
          SELECT EXISTS (SELECT FROM reading_chunk WHERE person = $1)
            OR EXISTS (SELECT FROM replaced_reading WHERE person = $1)
          """, [.int8(person)]
        ).bool(0, 0)
      }
    }
  }

  /// Erases readings that came after all: of a push that waited for longer than was thought possible.
  /// - Throws: `PostgresError`.
  public func eraseStragglers(since time: Microseconds) async throws {
    let found = try await pools.upkeep.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT account FROM erasure e WHERE erased_at >= $1
          AND EXISTS (SELECT FROM reading_chunk c WHERE c.person = e.account)
        """, [.timestamptz(microsecondsSinceUnixEpoch: time)])
      return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
    }
    for person in found { try await eraseReadings(of: person) }
    let statements = areas.flatMap(\.stragglers)
    try await pools.upkeep.withConnection { connection in
      for statement in statements {
        _ = try connection.query(statement, [.timestamptz(microsecondsSinceUnixEpoch: time)])
      }
    }
  }
}
