public import Domain
public import Postgres

/// Makes accounts. An account is there with everything that belongs to it, or not at all.
public struct Registrations: Sendable {
  /// What became of a registration.
  public enum Outcome: Sendable, Equatable {
    case registered(AccountID)
    /// Somebody else was faster.
    case conflict(RegistrationConflict)
    /// The form is another one than the values were checked with.
    case formChanged
  }

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Everything that keeps names from being registered, at this moment.
  ///
  /// - Parameters:
  ///   - fiscalCode: of a person.
  ///   - codeHash: SHA-256 of a third party's code.
  /// - Throws: `PostgresError`.
  public func conflicts(
    username: String?, email: String?, fiscalCode: FiscalCode? = nil, codeHash: [UInt8]? = nil
  ) async throws -> [RegistrationConflict] {
    try await pool.withConnection { connection in
      let row = try connection.query(
        """
        SELECT EXISTS (SELECT FROM account WHERE lower(username) = lower($1)),
          EXISTS (SELECT FROM account WHERE lower(email) = lower($2)),
          EXISTS (SELECT FROM person WHERE fiscal_code = $3),
          EXISTS (SELECT FROM third_party_code WHERE code_sha256 = $4 AND used_at IS NOT NULL),
          $4 IS NOT NULL AND NOT EXISTS (SELECT FROM third_party_code
            WHERE code_sha256 = $4 AND (used_at IS NOT NULL OR expires_at > now()))
        """,
        [
          username.map(Parameter.text) ?? .null(TypeOID.text), email.map(Parameter.text) ?? .null(TypeOID.text),
          fiscalCode.map { .text($0.text) } ?? .null(TypeOID.text),
          codeHash.map(Parameter.bytea) ?? .null(TypeOID.bytea),
        ])
      return try RegistrationConflict.allCases.enumerated().filter { try row.bool(0, $0.offset) }.map(\.element)
    }
  }

  /// The account with a username that was made under this request id within the last day; nil if there is none.
  public func earlier(
    _ kind: RegistrationForm.Kind, username: String, requestID: String
  ) async throws -> AccountID? {
    try await pool.withConnection { connection in
      let row = try connection.query(
        """
        SELECT id FROM account WHERE lower(username) = lower($1) AND request_id = $2 AND kind = $3
          AND state = 'active' AND created_at > now() - interval '1 day'
        """, [.text(username), .text(requestID), .text(kind.rawValue)])
      return row.rowCount == 0 ? nil : try row.int64(0, 0)
    }
  }

  /// Makes an account, and the notification that confirms it, in one transaction.
  ///
  /// Of several that want the same name, address, fiscal code or code at once, one gets it: the others wait for its
  /// commit and find a conflict.
  /// - Throws: `PostgresError`; after a lost connection the account may have been made.
  public func register(_ new: NewAccount, passwordHash: String) async throws -> Outcome {
    try await pool.withConnection { connection in
      do {
        return try connection.inTransaction { connection in
          guard try RegistrationForms.holds(connection, new.kind, version: new.formVersion) else { throw Undone.form }
          let account = try Self.insertAccount(connection, new, passwordHash)
          switch new.details {
          case .person(let person): try Self.insertPerson(connection, account, person)
          case .thirdParty(let codeHash): try Self.useCode(connection, account, codeHash)
          }
          try connection.query("SELECT add_notification($1, 1::smallint)", [.int8(account)])
          return .registered(account)
        }
      } catch Undone.form {
        return .formChanged
      } catch Undone.code {
        return .conflict(.codeUsed)
      } catch let error as PostgresError where error.sqlState == "23505" {
        guard let conflict = RegistrationConflict(constraint: error.constraint) else { throw error }
        return .conflict(conflict)
      }
    }
  }

  /// Ends a transaction with its outcome.
  private enum Undone: Error {
    case form
    case code
  }

  private static func insertAccount(
    _ connection: Connection, _ new: NewAccount, _ passwordHash: String
  ) throws -> AccountID {
    let values = new.formValues.sorted { $0.key < $1.key }
    return try connection.query(
      """
      INSERT INTO account (kind, username, email, password_hash, display_name, description, form_values, request_id)
      VALUES ($1, $2, $3, $4, $5, $6, jsonb_object($7, $8), nullif($9, '')) RETURNING id
      """,
      [
        .text(new.kind.rawValue), .text(new.username), .text(new.email), .text(passwordHash), .text(new.displayName),
        .text(new.description), .textArray(values.map(\.key)), .textArray(values.map(\.value)), .text(new.requestID),
      ]
    ).int64(0, 0)
  }

  private static func insertPerson(_ connection: Connection, _ account: AccountID, _ person: NewPerson) throws {
    try connection.query(
      """
      INSERT INTO person
        (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm)
      VALUES ($1, $2, $3, $4, $5::date, $6, $7, $8)
      """,
      [
        .int8(account), .text(person.givenNames), .text(person.familyName), .text(person.fiscalCode.text),
        .text(person.dateOfBirth.text), .text(person.sex.rawValue), .float8(person.weightKg), .float8(person.heightCm),
      ])
    // The row comes with the person's; nobody has seen it, so it is no change of version.
    try connection.query(
      "UPDATE sos_settings SET enabled = $2 WHERE person = $1", [.int8(account), .bool(person.isMonitored)])
  }

  /// A code works once: who comes second waits here for the first one, and then finds it used.
  private static func useCode(_ connection: Connection, _ account: AccountID, _ codeHash: [UInt8]) throws {
    let used = try connection.query(
      """
      UPDATE third_party_code SET used_at = now(), used_by = $1
      WHERE code_sha256 = $2 AND used_at IS NULL AND expires_at > now() RETURNING id
      """, [.int8(account), .bytea(codeHash)])
    guard used.rowCount == 1 else { throw Undone.code }
  }
}

extension RegistrationConflict {
  /// What a violated unique constraint means.
  init?(constraint: String?) {
    switch constraint {
    case "account_username": self = .username
    case "account_email": self = .email
    case "person_fiscal_code_key": self = .fiscalCode
    default: return nil
    }
  }
}
