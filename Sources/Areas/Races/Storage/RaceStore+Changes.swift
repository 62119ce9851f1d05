internal import WireCodec
public import Domain
internal import Postgres

// What organisers decide about races that do not run.

extension RaceStore {
  /// Replaces what was planned, in a race of a certain version: all of a draft, texts and capacity later. For dates and
  /// course of a published race see `RaceDecisions.change`.
  ///
  /// - Parameter now: by which a new route may be too old.
  /// - Returns: nil if the race has another version.
  /// - Throws: `PostgresError`.
  public func update(
    _ race: RaceRecord, to plan: RacePlan, by person: PersonID, at now: Microseconds
  ) async throws -> Update? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        if plan.courseID != race.courseID,
          try !Self.isRoute(connection, plan.courseID, of: person, at: now)
        {
          return .noRoute
        }
        let changed = try connection.query(
          """
          UPDATE race SET name = $1, description = $2, place_name = $3, course = $4::text::uuid, starts_at = $5,
            enrolment_ends_at = $6, time_limit_us = $7, by_invitation = $8, capacity = $9, fee_minor_units = $10,
            fee_currency = $11, \(Self.touched)
          WHERE id = $12 AND version = $13
          """,
          plan.parameters + [
            plan.fee.map { .text($0.currency) } ?? .null(TypeOID.text), .int8(race.id), .int8(race.version),
          ])
        return changed.affectedRows == 1 ? .updated : nil
      }
    }
  }

  /// What came of a wish to replace a plan.
  public enum Update: Sendable, Equatable {
    case updated
    /// There is no route of this number that the person planned a day ago or later.
    case noRoute
  }

  /// Publishes a draft of a certain version.
  /// - Returns: whether it had that version.
  /// - Throws: `PostgresError`.
  public func open(_ race: RaceRecord) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query(
        "UPDATE race SET is_opened = true, \(Self.touched) WHERE id = $1 AND version = $2",
        [.int8(race.id), .int8(race.version)]
      ).affectedRows == 1
    }
  }

  /// Moves every date of a race of a certain version, of which runners, invited persons, observers and organisers are told
  /// both starts. Who has a place by then gets the fee back on leaving before the start.
  /// - Returns: whether it had that version, and its dates have not changed too often (`isChangedOften`).
  /// - Throws: `PostgresError`.
  public func postpone(_ race: RaceRecord, to start: Microseconds, at now: Microseconds) async throws -> Bool {
    let schedule = race.schedule.postponed(to: start)
    return try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let changed = try connection.query(
          """
          UPDATE race SET starts_at = $3, enrolment_ends_at = $4, plan_changed_at = $5, \(Self.touched)
          WHERE id = $1 AND version = $2 AND NOT is_changed_often(id, $6, $7 * interval '1 microsecond')
          """,
          [
            .int8(race.id), .int8(race.version), .timestamptz(microsecondsSinceUnixEpoch: schedule.starts),
            .timestamptz(microsecondsSinceUnixEpoch: schedule.enrolmentEnds),
            .timestamptz(microsecondsSinceUnixEpoch: now), .int4(Int32(RaceNotices.changesPerDayMax)),
            .int8(RaceNotices.period),
          ])
        guard changed.affectedRows == 1 else { return false }
        try connection.query(
          """
          SELECT announce_race($1, \(Trackme_Notifications_V1_NotificationKind.racePostponed.sql)::smallint, '{runners,observers,organizers,invited}', $2,
            jsonb_build_object('old_start', $3::text, 'new_start', $4::text))
          """,
          [
            .int8(race.id), .timestamptz(microsecondsSinceUnixEpoch: now), .text("\(race.schedule.starts)"),
            .text("\(schedule.starts)"),
          ])
        return true
      }
    }
  }

  /// What each change does to the row beside its own.
  static let touched = "version = version + 1, changed_in = pg_current_xact_id()"
}
