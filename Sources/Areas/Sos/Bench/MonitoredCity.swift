internal import BenchKit
internal import Postgres

/// Persons with AutomatedSOS on, an emergency service's system, and what became of emergencies, by SQL.
final class MonitoredCity {
  /// The others follow it.
  let firstPerson: Int64
  let dispatcherToken: String
  private let connection: Connection
  /// The last person: crosses until it is monitored, for it comes last.
  private let canary: Int64

  init(_ server: MeasuredServer, persons: Int) throws {
    connection = try Connection(server.database)
    dispatcherToken = "bench-dispatcher-" + String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
    try connection.query(
      """
      WITH staff AS (INSERT INTO account (kind, username) VALUES ('administrator', 'bench-admin') RETURNING id),
        rescue AS (INSERT INTO account (kind, username) VALUES ('dispatcher', 'bench-rescue') RETURNING id),
        made AS (
          INSERT INTO dispatcher (account, created_by, priority) SELECT rescue.id, staff.id, 0 FROM rescue, staff)
      INSERT INTO access_token (token_sha256, kind, account) SELECT sha256($1::bytea), 'dispatcher', id FROM rescue
      """, [.bytea(Array(dispatcherToken.utf8))])
    try connection.execute(
      """
      INSERT INTO account (kind, username, email, display_name)
      SELECT 'person', 'bench-' || n, 'bench-' || n || '@example.org', 'Bench' FROM generate_series(1, \(persons)) n
      """)
    let ids = try connection.query("SELECT min(id), max(id) FROM account WHERE kind = 'person'")
    (firstPerson, canary) = (try ids.int64(0, 0), try ids.int64(0, 1))
    try check(canary - firstPerson + 1 == Int64(persons), "the persons' numbers have gaps")
    // All at once, so that the server takes them up together. At that age it is on from the beginning.
    try connection.execute(
      """
      INSERT INTO person (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm)
      SELECT id, 'Bench', 'Bench', 'BENCH' || lpad(id::text, 11, '0'), '1950-01-01', 'female', 70, 170
      FROM account WHERE kind = 'person'
      """)
    try connection.execute("UPDATE sos_settings SET enabled = true, changed_in = pg_current_xact_id()")
    let count = try connection.query("SELECT count(*) FROM sos_settings WHERE enabled")
    try check(try count.int64(0, 0) == Int64(persons), "not everyone has it on")
    try connection.execute("CHECKPOINT")
  }

  /// Waits until the last person is monitored.
  /// - Parameter crossLimits: pushes readings of that person that cross a limit.
  func waitUntilMonitored(_ crossLimits: () throws -> Void) throws {
    try Interruption.wait(for: "the persons to be monitored", within: .seconds(60)) {
      try crossLimits()
      try Interruption.sleep(.milliseconds(200))
      return try number("SELECT count(*) FROM emergency") > 0 ? true : nil
    }
  }

  /// Sorted nanoseconds from receipt to decision, and from there to the dispatcher's acceptance, of each emergency but
  /// the last person's.
  /// - Throws: unless there are so many, all taken.
  func outcome(of crossings: Int) throws -> (decision: [Int64], accepted: [Int64]) {
    let taken = """
      (SELECT min((t ->> 'at')::bigint) FROM jsonb_array_elements(facts -> 'transitions') t
        WHERE (t ->> 'state')::int = 3 AND t ->> 'actor' LIKE 'dispatcher %')
      """
    let others = "FROM emergency WHERE person <> \(canary)"
    try Interruption.wait(for: "the acceptance of every emergency", within: .seconds(60)) {
      try number("SELECT count(*) \(others) AND \(taken) IS NOT NULL") >= crossings ? true : nil
    }
    let total = try number("SELECT count(*) \(others)")
    try check(total == crossings, "\(crossings) crossings made \(total) emergencies")
    let rows = try connection.query(
      """
      SELECT (facts ->> 'detected')::bigint - (facts -> 'crossings' -> 0 ->> 'completed')::bigint,
        \(taken) - (facts ->> 'detected')::bigint \(others)
      """)
    var (decision, accepted): ([Int64], [Int64]) = ([], [])
    for row in 0..<rows.rowCount {
      decision.append(try rows.int64(row, 0) * 1_000)
      accepted.append(try rows.int64(row, 1) * 1_000)
    }
    return (decision.sorted(), accepted.sorted())
  }

  private func number(_ sql: String) throws -> Int { Int(try connection.query(sql).int64(0, 0)) }
}
