public import Domain
public import Postgres

/// An account as it is stored.
public struct AccountRecord: Sendable, Hashable {
  /// What only persons have.
  public struct Person: Sendable, Hashable {
    public let givenNames: String
    public let familyName: String
    public let fiscalCode: String
    /// "1980-12-31".
    public let dateOfBirth: String
    public let sex: Sex
    public let weightKg: Double
    public let heightCm: Double
  }

  /// A field of the registration form.
  public struct Field: Sendable, Hashable {
    public let name: String
    public let value: String
  }

  public let account: AccountID
  public let kind: AccountKind
  public let username: String
  public let email: String
  public let displayName: String
  public let description: String
  /// Counts changes.
  public let version: Int64
  public let created: Microseconds
  /// Since when an administrator has disabled it; nil if it is active.
  public let disabled: Microseconds?
  /// nil of other kinds.
  public let person: Person?
  /// nil of other kinds.
  public let thirdParty: ThirdPartyProfile?
  /// In the order of their names.
  public let fields: [Field]
}

/// A change of an account; what is nil stays.
public struct AccountChange: Sendable {
  public var email: String?
  public var weightKg: Double?
  public var heightCm: Double?
  public var description: String?
  /// All fields of the form, by name.
  public var fields: [String: String]?

  public init() {}
}

/// Accounts: reading and changing them.
public struct AccountStore: Sendable {
  /// What came of a change.
  public enum Outcome: Sendable, Hashable {
    case changed
    /// There is no such active account, or it has another version.
    case stale
  }

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// An account that has not ended; nil if there is none of the number.
  /// - Throws: `PostgresError`.
  public func find(_ account: AccountID) async throws -> AccountRecord? {
    try await pool.withConnection { connection in try Self.read(account, connection) }
  }

  /// Reads an account that has not ended, in a transaction of the caller's or in none.
  public static func read(_ account: AccountID, _ connection: Connection) throws -> AccountRecord? {
    let rows = try connection.query(
      """
      SELECT a.kind, coalesce(a.username, ''), coalesce(a.email, a.claimed_email, ''), a.display_name, a.description,
        a.version, a.created_at, p.given_names, p.family_name, p.fiscal_code, p.date_of_birth::text, p.sex, p.weight_kg,
        p.height_cm, f.key, f.value, a.disabled_at, \(ThirdPartyProfile.columns)
      FROM account a \(ThirdPartyProfile.join) LEFT JOIN person p ON p.account = a.id
        LEFT JOIN LATERAL jsonb_each_text(a.form_values) f ON true
      WHERE a.id = $1 AND a.state IN ('active', 'disabled') ORDER BY f.key
      """, [.int8(account)])
    guard rows.rowCount > 0, let kind = AccountKind(rawValue: try rows.string(0, 0)) else { return nil }
    return AccountRecord(
      account: account, kind: kind, username: try rows.string(0, 1), email: try rows.string(0, 2),
      displayName: try rows.string(0, 3), description: try rows.string(0, 4), version: try rows.int64(0, 5),
      created: try rows.timestamptz(0, 6), disabled: rows.isNull(0, 16) ? nil : try rows.timestamptz(0, 16),
      person: rows.isNull(0, 7) ? nil : try person(rows),
      thirdParty: kind == .thirdParty ? try ThirdPartyProfile(rows, 0, from: 17) : nil,
      fields: try (0..<rows.rowCount).filter { !rows.isNull($0, 14) }.map {
        .init(name: try rows.string($0, 14), value: rows.isNull($0, 15) ? "" : try rows.string($0, 15))
      })
  }

  private static func person(_ rows: Result) throws -> AccountRecord.Person {
    AccountRecord.Person(
      givenNames: try rows.string(0, 7), familyName: try rows.string(0, 8), fiscalCode: try rows.string(0, 9),
      dateOfBirth: try rows.string(0, 10), sex: try rows.string(0, 11) == Sex.female.rawValue ? .female : .male,
      weightKg: try rows.double(0, 12), heightCm: try rows.double(0, 13))
  }

  /// Changes an account that has a certain version. An e-mail address that another account has is only claimed, and that
  /// one is told.
  /// - Throws: `PostgresError`.
  public func change(_ account: AccountID, version: Int64, _ change: AccountChange) async throws -> Outcome {
    do {
      return try await write(account, version, change)
    } catch let error as PostgresError where error.sqlState == "23505" && error.constraint == "account_email" {
      // Somebody was faster: now it is there to be found.
      return try await write(account, version, change)
    }
  }

  private func write(_ account: AccountID, _ version: Int64, _ change: AccountChange) async throws -> Outcome {
    let fields = change.fields?.sorted { $0.key < $1.key }
    return try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let first = try change.email.map { try FirstHolders(ofEmail: $0, for: account, connection) }
        let changed = try connection.query(
          """
          UPDATE account SET version = version + 1,
            email = CASE WHEN $3 IS NULL THEN email WHEN NOT $8 THEN $3 END,
            claimed_email = CASE WHEN $3 IS NULL THEN claimed_email WHEN $8 THEN $3 END,
            description = coalesce($4, description),
            form_values = CASE WHEN $5 THEN jsonb_object($6::text[], $7::text[]) ELSE form_values END
          WHERE id = $1 AND version = $2 AND state = 'active' RETURNING 1
          """,
          [
            .int8(account), .int8(version), .optional(change.email), .optional(change.description),
            .bool(fields != nil), .textArray(fields?.map(\.key) ?? []), .textArray(fields?.map(\.value) ?? []),
            .bool(first?.haveEmail == true),
          ])
        guard changed.rowCount == 1 else { return .stale }
        try first?.tell(connection)
        if change.weightKg != nil || change.heightCm != nil {
          _ = try connection.query(
            """
            UPDATE person SET weight_kg = coalesce($2, weight_kg), height_cm = coalesce($3, height_cm)
            WHERE account = $1
            """, [.int8(account), .optional(change.weightKg), .optional(change.heightCm)])
        }
        return .changed
      }
    }
  }
}

extension Parameter {
  fileprivate static func optional(_ value: String?) -> Parameter {
    value.map { .text($0) } ?? .null(TypeOID.text)
  }

  fileprivate static func optional(_ value: Double?) -> Parameter {
    value.map { .float8($0) } ?? .null(TypeOID.float8)
  }
}
