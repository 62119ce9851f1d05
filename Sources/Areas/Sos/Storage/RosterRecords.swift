public import Domain
public import Postgres
internal import SosRules

extension SosStore {
  /// How many persons are read together.
  private static let pageSize: Int64 = 5_000

  /// Reads everyone whose readings are to be checked, or what has changed since an earlier look.
  ///
  /// A look sees one state of the database. What it names may have been named by the look before, but nothing that is
  /// committed is ever left out: a transaction that it does not see is newer than the mark that it returns.
  ///
  /// - Parameters:
  ///   - mark: what the look before returned; nil for the first look, which names nobody who has left.
  ///   - now: exertions that are over by then are left out.
  ///   - each: hears of the persons, some at a time.
  /// - Returns: where the next look begins.
  /// - Throws: `PostgresError`.
  public static func changes(
    _ connection: Connection, since mark: RosterMark?, at now: Microseconds, _ each: ([RosterChange]) -> Void
  ) throws -> RosterMark {
    if mark == nil {
      // Rows from a dump of another cluster have its transactions' numbers, which may be far ahead.
      try connection.query(
        """
        UPDATE sos_settings SET changed_in = pg_current_xact_id()
        WHERE changed_in >= pg_snapshot_xmax(pg_current_snapshot())
        """)
    }
    return try connection.inTransaction { connection in
      _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let next = RosterMark(
        xmin: try connection.query("SELECT pg_snapshot_xmin(pg_current_snapshot())::text").string(0, 0))
      var last: PersonID = 0
      while true {
        let condition = mark == nil ? "s.enabled AND a.state = 'active' AND $3 = ''" : "s.changed_in >= $3::xid8"
        let page = try RosterRows.read(
          connection, "WHERE s.person > $1 AND \(condition) ORDER BY s.person LIMIT $2",
          [.int8(last), .int8(pageSize), .text(mark?.xmin ?? "")], at: now)
        if !page.isEmpty {
          each(page.map { $0.isActive && $0.person.settings.isEnabled ? .watched($0.person) : .left($0.person.person) })
        }
        guard page.count == Int(pageSize), let end = page.last else { return next }
        last = end.person.person
      }
    }
  }
}

/// Persons, with the contacts who have agreed to be told, and everything else by which their readings are checked.
enum RosterRows {
  typealias Row = (person: MonitoredPerson, isActive: Bool)

  /// Reads persons in the caller's transaction, which must see one state of the database.
  static func read(
    _ connection: Connection, _ condition: String, _ parameters: [Parameter], at now: Microseconds
  ) throws -> [Row] {
    let rows = try connection.query(
      """
      SELECT \(SosStore.settingsColumns), s.person, s.thresholds_version, a.state = 'active',
        p.date_of_birth - date '1970-01-01', p.sex
      FROM sos_settings s JOIN account a ON a.id = s.person LEFT JOIN person p ON p.account = s.person
      \(condition)
      """, parameters)
    var persons: [Row] = []
    var places: [PersonID: Int] = [:]
    persons.reserveCapacity(rows.rowCount)
    for row in 0..<rows.rowCount {
      let person = MonitoredPerson(
        person: try rows.int64(row, 6), settings: try SosStore.settings(rows, row),
        dateOfBirth: rows.isNull(row, 9) ? nil : CalendarDate(daysSinceEpoch: Int(try rows.int32(row, 9))),
        sex: rows.isNull(row, 10) ? nil : Sex(rawValue: try rows.string(row, 10)),
        thresholdsVersion: try rows.int64(row, 7))
      places[person.person] = row
      persons.append((person, try rows.bool(row, 8)))
    }
    if persons.isEmpty { return [] }
    let wanted = Parameter.int8Array(persons.map(\.person.person))
    try connection.streamRows(
      """
      SELECT c.person, c.name, p.address, CASE WHEN e.address IS NULL THEN '' ELSE c.email END FROM sos_contact c
        LEFT JOIN sos_contact_address p ON p.person = c.person AND p.address = c.phone_number AND \(SosStore.isTold("p"))
        LEFT JOIN sos_contact_address e ON e.person = c.person AND e.address = lower(c.email) AND \(SosStore.isTold("e"))
      WHERE c.person = ANY ($1) AND (p.address IS NOT NULL OR e.address IS NOT NULL) ORDER BY c.person, c.place
      """, [wanted]
    ) { row in
      guard let place = places[try row.int64(0)] else { return }
      persons[place].person.settings.contacts.append(try SosStore.contact(row.result, row.index, from: 1))
    }
    try connection.streamRows(
      """
      SELECT person, metric, rest_low, rest_high, rest_hold_us, rest_hysteresis, exertion_low, exertion_high,
        exertion_hold_us, exertion_hysteresis
      FROM sos_threshold WHERE person = ANY ($1)
      """, [wanted]
    ) { row in
      guard let place = places[try row.int64(0)] else { return }
      persons[place].person.thresholds[try row.int32(1)] = Threshold(
        rest: try SosStore.limits(row.result, row.index, from: 2),
        exertion: try SosStore.limits(row.result, row.index, from: 6))
    }
    try connection.streamRows(
      """
      SELECT person, begins_at, least(ends_at, ended_at) FROM sos_exertion
      WHERE person = ANY ($1) AND least(ends_at, ended_at) > $2 AND least(ends_at, ended_at) > begins_at
      ORDER BY begins_at, id
      """, [wanted, .timestamptz(microsecondsSinceUnixEpoch: now - SosStore.exertionAftermath)]
    ) { row in
      guard let place = places[try row.int64(0)] else { return }
      persons[place].person.exertions.append(try row.timestamptz(1)..<row.timestamptz(2))
    }
    return persons
  }
}
