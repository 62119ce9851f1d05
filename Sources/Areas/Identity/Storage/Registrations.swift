internal import Log
internal import WireCodec
public import Domain
public import IdentityRules
public import Postgres

/// Makes accounts. An account is there with everything that belongs to it, or not at all.
public struct Registrations: Sendable {
  /// What became of a registration.
  public enum Outcome: Sendable, Equatable {
    case registered(AccountID)
    /// Somebody else was faster with something of it: look again.
    case outrun
    /// The form is another one than the values were checked with.
    case formChanged
  }

  /// How long a registration is found again by its request id.
  static let repeatLasts: Microseconds = 24 * 3_600 * 1_000_000

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Everything that keeps an account from being made and that is told, at this moment. What persons have is none of it.
  ///
  /// - Parameter codeHash: SHA-256 of a third party's code.
  /// - Throws: `PostgresError`.
  public func conflicts(username: String, codeHash: [UInt8]? = nil) async throws -> [RegistrationConflict] {
    try await pool.withConnection { connection in
      let row = try connection.query(
        """
        SELECT EXISTS (SELECT FROM account WHERE lower(username) = lower($1)),
          EXISTS (SELECT FROM third_party_code WHERE code_sha256 = $2 AND used_at IS NOT NULL),
          $2 IS NOT NULL AND NOT EXISTS (SELECT FROM third_party_code
            WHERE code_sha256 = $2 AND (used_at IS NOT NULL OR expires_at > now()))
        """, [.text(username), codeHash.map(Parameter.bytea) ?? .null(TypeOID.bytea)])
      let kinds: [RegistrationConflict] = [.username, .codeUsed, .codeUnknown]
      return try kinds.enumerated().filter { try row.bool(0, $0.offset) }.map(\.element)
    }
  }

  /// The account with a username that was made under this request id within `repeatLasts`; nil if there is none.
  public func earlier(
    _ kind: RegistrationForm.Kind, username: String, requestID: String
  ) async throws -> AccountID? {
    try await pool.withConnection { connection in
      let row = try connection.query(
        """
        SELECT id FROM account WHERE lower(username) = lower($1) AND request_id = $2 AND kind = $3
          AND state = 'active' AND created_at > now() - $4 * interval '1 microsecond'
        """, [.text(username), .text(requestID), .text(kind.rawValue), .int8(Self.repeatLasts)])
      return row.rowCount == 0 ? nil : try row.int64(0, 0)
    }
  }

  /// Makes an account, and the notification that confirms it, in one transaction.
  ///
  /// Of several that want the same name, address, fiscal code or code at once, one gets it: the others wait for its
  /// commit and find a conflict. Where an address or a fiscal code is another account's already, the new one only claims
  /// it, and that one is told.
  /// - Throws: `PostgresError`; after a lost connection the account may have been made.
  public func register(_ new: NewAccount, passwordHash: String) async throws -> Outcome {
    try await pool.withConnection { connection in
      do {
        return try connection.inTransaction { connection in
          guard try RegistrationForms.holds(connection, new.kind, version: new.formVersion) else { throw Undone.form }
          let first = try FirstHolders(ofEmail: new.email, fiscalCode: new.person?.fiscalCode, connection)
          let account = try Self.insertAccount(connection, new, passwordHash, claims: first.haveEmail)
          switch new.details {
          case .person(let person):
            try Self.insertPerson(connection, account, person, holdsCode: !first.haveFiscalCode)
          case .thirdParty(let codeHash): try Self.useCode(connection, account, codeHash)
          }
          for addition in new.additions { try addition(connection, account) }
          let kind = Trackme_Notifications_V1_NotificationKind.registered
          try connection.query("SELECT add_notification($1, \(kind.sql)::smallint)", [.int8(account)])
          try first.tell(connection)
          return .registered(account)
        }
      } catch Undone.form {
        return .formChanged
      } catch Undone.code {
        return .outrun
      } catch let error as PostgresError where error.sqlState == "23505" {
        return .outrun
      }
    }
  }

  /// Ends a transaction with its outcome.
  private enum Undone: Error {
    case form
    case code
  }

  private static func insertAccount(
    _ connection: Connection, _ new: NewAccount, _ passwordHash: String, claims: Bool
  ) throws -> AccountID {
    let values = new.formValues.sorted { $0.key < $1.key }
    return try connection.query(
      """
      INSERT INTO account (kind, username, email, claimed_email, password_hash, display_name, description, form_values,
        request_id)
      VALUES ($1, $2, CASE WHEN NOT $10 THEN $3 END, CASE WHEN $10 THEN $3 END, $4, $5, $6, jsonb_object($7, $8),
        nullif($9, '')) RETURNING id
      """,
      [
        .text(new.kind.rawValue), .text(new.username), .text(new.email), .text(passwordHash), .text(new.displayName),
        .text(new.description), .textArray(values.map(\.key)), .textArray(values.map(\.value)), .text(new.requestID),
        .bool(claims),
      ]
    ).int64(0, 0)
  }

  private static func insertPerson(_ connection: Connection, _ account: AccountID, _ person: NewPerson, holdsCode: Bool)
    throws
  {
    try connection.query(
      """
      INSERT INTO person
        (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm, holds_fiscal_code)
      VALUES ($1, $2, $3, $4, $5::date, $6, $7, $8, $9)
      """,
      [
        .int8(account), .text(person.givenNames), .text(person.familyName), .text(person.fiscalCode.text),
        .text(person.dateOfBirth.text), .text(person.sex.rawValue), .float8(person.weightKg), .float8(person.heightCm),
        .bool(holdsCode),
      ])
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
