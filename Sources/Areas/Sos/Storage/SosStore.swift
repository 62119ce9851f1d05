public import Domain
public import Log
public import Postgres
public import SosRules

/// What persons with accounts have chosen about AutomatedSOS: settings and contacts here, limits and exertions in
/// extensions.
public struct SosStore: Sendable {
  /// Exertions of a person that are not over.
  public static let maxExertions = 20
  /// Exertions of a person that are kept: what is older is forgotten.
  static let maxKeptExertions = 1_000

  package let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// The settings of a person; nil without an account.
  /// - Throws: `PostgresError`.
  public func settings(of person: PersonID) async throws -> SosRecord? {
    try await pool.withConnection { try Self.read($0, person) }
  }

  /// Replaces settings that have a certain version.
  /// - Returns: what holds now; nil if they have another version, or the person has no account.
  /// - Throws: `PostgresError`.
  public func update(
    _ person: PersonID, version: Int64, to settings: SosSettings
  ) async throws -> SosRecord? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let changed = try connection.query(
          """
          UPDATE sos_settings SET enabled = $3, callback_number = nullif($4, ''), silence_notify_minutes = nullif($5, 0),
            silence_call_minutes = $6, uses_oxygen_scale_2 = $7, uses_supplemental_oxygen = $8,
            version = version + 1, changed_in = pg_current_xact_id()
          WHERE person = $1 AND version = $2
          """,
          [
            .int8(person), .int8(version), .bool(settings.isEnabled),
            .text(settings.callbackNumber.map { "\($0)" } ?? ""),
            .int4(Int32(clamping: settings.silence?.notifyAfterMinutes ?? 0)),
            .int4(Int32(clamping: settings.silence?.callAfterMinutes ?? 0)), .bool(settings.usesOxygenScale2),
            .bool(settings.usesSupplementalOxygen),
          ])
        guard changed.affectedRows == 1 else { return nil }
        try connection.query("DELETE FROM sos_contact WHERE person = $1", [.int8(person)])
        try connection.query(
          """
          INSERT INTO sos_contact (person, place, name, phone_number, email)
          SELECT $1, place, name, nullif(phone_number, ''), email
          FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS c (name, phone_number, email, place)
          """,
          [
            .int8(person), .textArray(settings.contacts.map(\.name)),
            .textArray(settings.contacts.map { contact in contact.phone.map { "\($0)" } ?? "" }),
            .textArray(settings.contacts.map(\.email)),
          ])
        _ = try connection.query(
          "SELECT name_contacts($1, $2, $3 * interval '1 microsecond')",
          [.int8(person), .int4(Int32(ContactRules.questionsMax)), .int8(ContactRules.pause)])
        return try Self.read(connection, person)
      }
    }
  }

  /// Everything by which the readings of a person are checked, whether it is on or not; nil without an account.
  /// - Throws: `PostgresError`.
  public func rules(of person: PersonID, at now: Microseconds) async throws -> MonitoredPerson? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return try RosterRows.read(
          connection, "WHERE s.person = $1 AND a.state = 'active' LIMIT 1", [.int8(person)], at: now
        ).first?.person
      }
    }
  }

  private static func read(_ connection: Connection, _ person: PersonID) throws -> SosRecord? {
    let rows = try connection.query(
      """
      SELECT \(settingsColumns), s.version, c.name, c.phone_number, c.email
      FROM sos_settings s JOIN account a ON a.id = s.person AND a.state = 'active'
        LEFT JOIN sos_contact c ON c.person = s.person
      WHERE s.person = $1 ORDER BY c.place
      """, [.int8(person)])
    guard rows.rowCount > 0 else { return nil }
    var settings = try settings(rows, 0)
    settings.contacts = try (0..<rows.rowCount).filter { !rows.isNull($0, 7) }.map { try contact(rows, $0, from: 7) }
    let answers = try connection.query(
      """
      SELECT address, CASE WHEN state = \(ContactState.asked.sql) AND asked_at IS NULL THEN \(ContactState.waiting.sql) ELSE state END::integer
      FROM sos_contact_address WHERE person = $1
      """, [.int8(person)])
    return SosRecord(
      settings: settings, version: try rows.int64(0, 6),
      answers: try (0..<answers.rowCount).reduce(into: [:]) {
        $0[try answers.string($1, 0)] = ContactState(rawValue: try answers.int32($1, 1))
      })
  }

  /// Of a row of sos_contact_address: whether somebody is told there.
  static func isTold(_ row: String) -> String {
    """
    (\(row).state = \(ContactState.confirmed.sql)
      OR \(row).state = \(ContactState.asked.sql) AND \(row).told_until > now())
    """
  }

  /// What `settings` reads, of sos_settings `s`.
  static let settingsColumns = """
    s.enabled, s.callback_number, s.silence_notify_minutes, s.silence_call_minutes, s.uses_oxygen_scale_2,
    s.uses_supplemental_oxygen
    """

  /// Settings without contacts.
  static func settings(_ rows: Result, _ row: Int) throws -> SosSettings {
    var settings = SosSettings()
    settings.isEnabled = try rows.bool(row, 0)
    settings.callbackNumber = rows.isNull(row, 1) ? nil : PhoneNumber(try rows.string(row, 1))
    if !rows.isNull(row, 2) {
      settings.silence = SilenceRule(
        notifyAfterMinutes: Int(try rows.int32(row, 2)), callAfterMinutes: Int(try rows.int32(row, 3)))
    }
    settings.usesOxygenScale2 = try rows.bool(row, 4)
    settings.usesSupplementalOxygen = try rows.bool(row, 5)
    return settings
  }

  /// Name, number and address from a column on.
  static func contact(_ rows: Result, _ row: Int, from column: Int) throws -> EmergencyContact {
    EmergencyContact(
      name: try rows.string(row, column),
      phone: rows.isNull(row, column + 1) ? nil : PhoneNumber(try rows.string(row, column + 1)),
      email: try rows.string(row, column + 2))
  }
}

extension StorageSystem {
  /// Choices about AutomatedSOS.
  public var sos: SosStore { SosStore(pool: pool) }
  /// Emergencies for good.
  public var emergencies: EmergencyStore { EmergencyStore(pool: pools.urgent) }
}
