internal import Payments
internal import Postgres
internal import RacesRules

/// Rows of race as records.
enum RaceRows {
  /// What `record` reads, of race `r`.
  static let columns = """
    r.id, r.name, r.description, r.place_name, r.starts_at, r.enrolment_ends_at, r.time_limit_us, r.is_opened,
    r.finished_at, r.cancelled_at, r.by_invitation, r.capacity, r.fee_currency, r.fee_minor_units, r.course::text,
    r.version, r.created_by, n.enrolled, r.waiting_count, o.accounts, o.usernames, o.names,
    r.is_disabled, r.changed_in::text
    """
  static let columnCount = 24

  /// What those columns need beside `r`.
  static let joins = """
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS enrolled FROM race_enrolment e WHERE e.race = r.id AND e.state = \(EnrolmentState.enrolled.sql)
    ) n
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(a.id ORDER BY first DESC, added_at, a.id), '{}') AS accounts,
        coalesce(array_agg(coalesce(a.username, '') ORDER BY first DESC, added_at, a.id), '{}') AS usernames,
        coalesce(array_agg(a.display_name ORDER BY first DESC, added_at, a.id), '{}') AS names
      FROM (SELECT account, added_at, account = r.created_by AS first FROM race_organizer WHERE race = r.id) m
        JOIN account a ON a.id = m.account AND a.state = 'active'
    ) o
    """

  /// - Parameter condition: what follows the FROM clause, with the parameters.
  static func read(
    _ connection: Connection, _ condition: String, _ parameters: [Parameter]
  ) throws -> [RaceRecord] {
    let rows = try connection.query("SELECT \(columns) FROM race r \(joins) \(condition)", parameters)
    return try (0..<rows.rowCount).map { try record(rows, $0) }
  }

  static func record(_ rows: Result, _ row: Int) throws -> RaceRecord {
    let schedule = RaceSchedule(
      starts: try rows.timestamptz(row, 4), enrolmentEnds: try rows.timestamptz(row, 5),
      timeLimit: try rows.int64(row, 6), isOpened: try rows.bool(row, 7),
      finished: rows.isNull(row, 8) ? nil : try rows.timestamptz(row, 8),
      cancelled: rows.isNull(row, 9) ? nil : try rows.timestamptz(row, 9), isDisabled: try rows.bool(row, 22))
    let plan = RacePlan(
      name: try rows.string(row, 1), description: try rows.string(row, 2), placeName: try rows.string(row, 3),
      schedule: schedule, byInvitation: try rows.bool(row, 10), capacity: try rows.int32(row, 11),
      fee: rows.isNull(row, 12)
        ? nil : Money(currency: try rows.string(row, 12), minorUnits: try rows.int64(row, 13)),
      courseID: try rows.string(row, 14))
    let accounts = try rows.int64Array(row, 19)
    let names = zip(try rows.stringArray(row, 20), try rows.stringArray(row, 21))
    return RaceRecord(
      id: try rows.int64(row, 0), plan: plan, version: try rows.int64(row, 15), stamp: try rows.string(row, 23),
      createdBy: try rows.int64(row, 16),
      enrolledCount: try rows.int32(row, 17), waitingCount: try rows.int32(row, 18),
      organizers: zip(accounts, names).map { RaceOrganizer(account: $0, username: $1.0, name: $1.1) })
  }
}
