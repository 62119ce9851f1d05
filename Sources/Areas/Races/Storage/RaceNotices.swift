internal import Domain
public import Log
public import Postgres
public import RacesRules

/// What many people of a race are to be told: put down with the decision, in its transaction, and told afterwards, some
/// hundreds of people at a time. A crash at any moment repeats nothing and leaves nobody out: whom a piece tells, and that
/// they were told, are one transaction.
public struct RaceNotices: Sendable {
  /// People who are told in one transaction, and payments that are given up in one.
  static let pieceMax = 500
  /// In which changes, usernames and invitations are counted.
  static let period: Microseconds = 24 * 3_600 * 1_000_000
  /// How often dates or course of a race may change in `period`.
  public static let changesPerDayMax = 20
  /// Invitations of one organiser of which a person is told in `period`.
  static let invitationsPerDayMax = 3
  /// How long no mail invites at an address to which one was refused for good.
  static let failedMailLasts: Microseconds = 7 * 86_400 * 1_000_000

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Tells the next people.
  /// - Returns: false if there is nothing left to tell.
  /// - Throws: `PostgresError`; the next call makes up for it.
  public func workOff() async throws -> Bool {
    try await pool.withConnection { try Self.workOff($0) }
  }

  /// The same, in the caller's transaction.
  static func workOff(_ connection: Connection) throws -> Bool {
    try connection.repeatedQuery(
      "SELECT work_off_race_notice($1, $2, $3 * interval '1 microsecond', $4 * interval '1 microsecond')",
      [.int4(Int32(pieceMax)), .int4(Int32(invitationsPerDayMax)), .int8(period), .int8(failedMailLasts)]
    ).int32(0, 0) > 0
  }

  /// Forgets what was told an hour longer ago than any limit looks back.
  /// - Throws: `PostgresError`.
  public func sweep() async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        """
        DELETE FROM race_notice
        WHERE done_at < now() - $1 * interval '1 microsecond' AND made_at < now() - $1 * interval '1 microsecond'
        """, [.int8(Self.period + 3_600 * 1_000_000)])
    }
  }
}

extension RaceStore {
  /// Whether dates or course of a race have changed as often as they may in a day.
  /// - Throws: `PostgresError`.
  public func isChangedOften(_ race: RaceID) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query(
        "SELECT is_changed_often($1, $2, $3 * interval '1 microsecond')",
        [.int8(race), .int4(Int32(RaceNotices.changesPerDayMax)), .int8(RaceNotices.period)]
      ).bool(0, 0)
    }
  }
}

extension StorageSystem {
  /// What people of races are still to be told.
  public var raceNotices: RaceNotices { RaceNotices(pool: pools.upkeep) }
}
