public import Domain
public import Postgres

/// What many people of a race are to be told: put down with the decision, in its transaction, and told afterwards, some
/// hundreds of people at a time. A crash at any moment repeats nothing and leaves nobody out: whom a piece tells, and that
/// they were told, are one transaction.
public struct RaceNotices: Sendable {
  /// People who are told in one transaction, and payments that are given up in one.
  static let pieceMax = 500
  /// How often dates or course of a race may change in 24 hours; `is_changed_often` has the number.
  public static let changesPerDayMax = 20

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Tells the next people.
  /// - Returns: false if there is nothing left to tell.
  /// - Throws: `PostgresError`; the next call makes up for it.
  public func workOff() async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query("SELECT work_off_race_notice($1)", [.int4(Int32(Self.pieceMax))]).int32(0, 0) > 0
    }
  }

  /// Forgets what was told a day ago: no limit looks back so far.
  /// - Throws: `PostgresError`.
  public func sweep() async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        "DELETE FROM race_notice WHERE done_at < now() - interval '25 hours' AND made_at < now() - interval '25 hours'",
        [])
    }
  }
}

extension RaceStore {
  /// Whether dates or course of a race have changed as often as they may in a day.
  /// - Throws: `PostgresError`.
  public func isChangedOften(_ race: RaceID) async throws -> Bool {
    try await pool.withConnection { try $0.query("SELECT is_changed_often($1)", [.int8(race)]).bool(0, 0) }
  }
}

extension StorageSystem {
  /// What people of races are still to be told.
  public var raceNotices: RaceNotices { RaceNotices(pool: pools.upkeep) }
}
