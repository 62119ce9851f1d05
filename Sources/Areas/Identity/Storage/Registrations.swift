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
  /// - Parameters:
  ///   - name: what a third party calls itself.
  ///   - codeHash: SHA-256 of a third party's code.
  /// - Throws: `PostgresError`.
  public func conflicts(
    username: String, name: String = "", codeHash: [UInt8]? = nil
  ) async throws -> [RegistrationConflict] {
    try await pool.withConnection { connection in
      var conflicts: [RegistrationConflict] = []
      let taken = try connection.query("SELECT FROM account WHERE lower(username) = lower($1)", [.text(username)])
      if taken.rowCount > 0 { conflicts.append(.username) }
      guard let codeHash else { return conflicts }
      if let holder = try Self.holder(of: codeHash, connection) {
        if !holder.admits(name: name) { conflicts.append(.nameOfAnother) }
      } else {
        let used = try connection.query(
          "SELECT FROM third_party_code WHERE code_sha256 = $1 AND used_at IS NOT NULL", [.bytea(codeHash)])
        conflicts.append(used.rowCount > 0 ? .codeUsed : .codeUnknown)
      }
      return conflicts
    }
  }

  /// Who holds a code that can be used now; nil if it can't be.
  /// - Parameter lock: how its row is locked.
  private static func holder(
    of codeHash: [UInt8], _ connection: Connection, lock: String = ""
  ) throws -> CodeHolder? {
    let rows = try connection.query(
      """
      SELECT company, kind, checked FROM third_party_code
      WHERE code_sha256 = $1 AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > now() \(lock)
      """, [.bytea(codeHash)])
    guard rows.rowCount == 1 else { return nil }
    let kind = HolderKind(rawValue: Int16(truncatingIfNeeded: try rows.int64(0, 1)))
    return CodeHolder(name: try rows.string(0, 0), kind: kind ?? .unknown, checked: try rows.string(0, 2))
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
          let account: AccountID
          switch new.details {
          case .person(let person):
            account = try Self.insertAccount(connection, new, passwordHash, claims: first.haveEmail)
            try Self.insertPerson(connection, account, person, holdsCode: !first.haveFiscalCode)
          case .thirdParty(let codeHash):
            // A code works once: who comes second waits here for the first one, and then finds it used.
            guard let holder = try Self.holder(of: codeHash, connection, lock: "FOR UPDATE"),
              holder.admits(name: new.displayName)
            else { throw Undone.code }
            var named = new
            named.displayName = holder.name
            account = try Self.insertAccount(connection, named, passwordHash, claims: first.haveEmail)
            _ = try connection.query(
              "UPDATE third_party_code SET used_at = now(), used_by = $1 WHERE code_sha256 = $2",
              [.int8(account), .bytea(codeHash)])
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
}
