public import Domain
internal import Postgres
public import RacesRules

/// A race that a server may have to follow.
public struct FollowedRace: Sendable, Hashable {
  public let id: RaceID
  /// Another one after each change.
  public let stamp: String
  /// Whether it runs, is about to, or has just ended.
  public let isLive: Bool
  /// Whether it has been over for long.
  public let isOver: Bool
  /// Whether an administrator has disabled it: then it is not followed, whoever wants it.
  public let isDisabled: Bool
}

extension RaceStore {
  /// The races that run or are about to and are not disabled, and what has become of some others.
  ///
  /// - Parameters:
  ///   - latest: the latest start.
  ///   - earliest: the earliest end or cancellation.
  ///   - others: races that are wanted in any case.
  /// - Throws: `PostgresError`.
  public func toFollow(
    startingBefore latest: Microseconds, endingAfter earliest: Microseconds, and others: [RaceID]
  ) async throws -> [FollowedRace] {
    try await pool.withConnection { connection in
      let rows = try connection.repeatedQuery(
        """
        WITH found AS (
          SELECT id, changed_in, is_disabled, is_opened AND NOT is_disabled AND starts_at <= $1 AS begins,
            least(finished_at, cancelled_at, starts_at + time_limit_us * interval '1 microsecond') < $2 AS is_over
          FROM race WHERE (is_opened AND starts_at BETWEEN $2 - $4 * interval '1 microsecond' AND $1) OR id = ANY ($3)
        )
        SELECT id, changed_in::text, begins AND NOT is_over, is_over, is_disabled FROM found
        WHERE begins AND NOT is_over OR id = ANY ($3)
        """,
        [
          .timestamptz(microsecondsSinceUnixEpoch: latest), .timestamptz(microsecondsSinceUnixEpoch: earliest),
          .int8Array(others), .int8(RaceSchedule.maxTimeLimit),
        ])
      return try (0..<rows.rowCount).map { row in
        FollowedRace(
          id: try rows.int64(row, 0), stamp: try rows.string(row, 1), isLive: try rows.bool(row, 2),
          isOver: try rows.bool(row, 3), isDisabled: try rows.bool(row, 4))
      }
    }
  }
}
