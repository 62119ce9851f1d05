public import Domain
public import IdentityRules
public import Postgres

/// A registration form and how often it has changed.
public struct StoredForm: Sendable, Equatable {
  public let form: RegistrationForm
  /// 1 for a new server's form; each change counts it up.
  public let version: Int64
}

/// The registration forms as they stand in the database.
public struct RegistrationForms: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// The form of a kind of account, as it is now.
  /// - Throws: `PostgresError`.
  public func find(_ kind: RegistrationForm.Kind) async throws -> StoredForm {
    try await pool.withConnection { try Self.read($0, kind) }
  }

  /// Replaces the fields of a form, if nobody else has changed it since.
  ///
  /// - Parameters:
  ///   - fields: without violations.
  ///   - version: of the form that the administrator saw.
  /// - Returns: the form after the change; nil if its version was another one.
  /// - Throws: `PostgresError`.
  public func replace(
    _ kind: RegistrationForm.Kind, with fields: [FormField], version: Int64, by administrator: AccountID
  ) async throws -> StoredForm? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let changed = try connection.query(
          """
          UPDATE registration_form SET version = version + 1, updated_at = now(), updated_by = $3
          WHERE kind = $1 AND version = $2 RETURNING version
          """, [.text(kind.rawValue), .int8(version), .int8(administrator)])
        guard changed.rowCount == 1 else { return nil }
        try connection.query("DELETE FROM registration_form_field WHERE kind = $1", [.text(kind.rawValue)])
        for (place, field) in fields.enumerated() {
          try connection.query(
            """
            INSERT INTO registration_form_field
              (kind, place, name, label, type, required, choices, minimum, maximum)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
              .text(kind.rawValue), .int4(Int32(place + 1)), .text(field.name), .text(field.label),
              .text(field.type.rawValue), .bool(field.isRequired), .textArray(field.choices), .float8(field.minimum),
              .float8(field.maximum),
            ])
        }
        return try Self.read(connection, kind)
      }
    }
  }

  /// Whether a form still has a version, and keeps it so until the transaction ends.
  static func holds(_ connection: Connection, _ kind: RegistrationForm.Kind, version: Int64) throws -> Bool {
    try connection.query(
      "SELECT FROM registration_form WHERE kind = $1 AND version = $2 FOR SHARE",
      [.text(kind.rawValue), .int8(version)]
    ).rowCount == 1
  }

  private static func read(_ connection: Connection, _ kind: RegistrationForm.Kind) throws -> StoredForm {
    // One statement, so that version and fields belong together.
    let rows = try connection.query(
      """
      SELECT m.version, f.name, f.label, f.type, f.required, f.choices, f.minimum, f.maximum
      FROM registration_form m LEFT JOIN registration_form_field f USING (kind) WHERE kind = $1 ORDER BY f.place
      """, [.text(kind.rawValue)])
    let fields = try (0..<rows.rowCount).compactMap { row -> FormField? in
      guard !rows.isNull(row, 1), let type = FieldType(rawValue: try rows.string(row, 3)) else { return nil }
      return FormField(
        name: try rows.string(row, 1), label: try rows.string(row, 2), type: type, isRequired: try rows.bool(row, 4),
        choices: try rows.stringArray(row, 5), minimum: try rows.double(row, 6), maximum: try rows.double(row, 7))
    }
    return StoredForm(form: RegistrationForm(fields: fields), version: try rows.int64(0, 0))
  }
}
