public import Domain
public import Log
public import Postgres
internal import SosRules

/// A question that goes out by SMS.
public struct ContactQuestion: Sendable, Equatable {
  public let person: PersonID
  /// Of the person, for the text.
  public let personName: String
  /// In E.164 form.
  public let phone: String
  /// Counts the questions of this person to this number, from 1.
  public let number: Int32
}

/// What became of the turn of a question.
public enum ContactTurn: Sendable, Equatable {
  /// There is none now.
  case none
  /// A mail is in the queue, or a limit has put the question off.
  case done
  /// It has to be sent; the number counts as asked.
  case sms(ContactQuestion)
}

/// What became of an answer.
public enum ContactAnswer: Sendable, Equatable {
  /// For the person of this name.
  case taken(personName: String)
  /// There is no such code, or it is too old.
  case unknown
  /// It was refused before, for good.
  case refused
}

/// Whom persons have named as contacts, and what these have answered.
public struct ContactStore: Sendable {
  /// Of mails in the queue that ask a contact; no kind of notification has this number.
  public static let mailKind: Int16 = 100
  /// A question that could not be sent is tried again so often, after a minute and then after twice as long each time.
  static let failuresMax: Int32 = 5

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Takes the next question whose turn it is.
  /// - Parameter code: SHA-256 of its code if it goes out by SMS, 32 bytes.
  /// - Throws: `PostgresError`.
  public func takeTurn(code: [UInt8]) async throws -> ContactTurn {
    try await pool.withConnection { connection in
      let rows = try connection.repeatedQuery(
        """
        SELECT has_turn, sms_to, of_person, of_name, number
        FROM ask_next_contact($1, $2, $3 * interval '1 microsecond')
        """, [.bytea(code), .int4(Int32(ContactRules.questionsOfPersonMax)), .int8(ContactRules.pause)])
      guard try rows.bool(0, 0) else { return .none }
      if rows.isNull(0, 1) { return .done }
      return .sms(
        ContactQuestion(
          person: try rows.int64(0, 2), personName: try rows.string(0, 3), phone: try rows.string(0, 1),
          number: try rows.int32(0, 4)))
    }
  }

  /// Nobody has got a question: it is taken back, and has another turn later.
  /// - Throws: `PostgresError`.
  public func takeBack(_ question: ContactQuestion, code: [UInt8]) async throws {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let changed = try connection.query(
          """
          UPDATE sos_contact_address SET asked_at = NULL, questions = questions - 1, failures = failures + 1,
            code_sha256 = NULL,
            ask_at = CASE WHEN failures < $4 THEN now() + interval '1 minute' * power(2, failures) END
          WHERE person = $1 AND address = $2 AND code_sha256 = $3 AND state = \(ContactState.asked.sql)
          """, [.int8(question.person), .text(question.phone), .bytea(code), .int4(Self.failuresMax)])
        guard changed.affectedRows == 1 else { return }
        _ = try connection.query(
          "DELETE FROM contact_question WHERE address_sha256 = sha256(convert_to($1, 'UTF8')) AND person = $2",
          [.text(question.phone), .int8(question.person)])
      }
    }
  }

  /// Somebody agrees. A question is valid for `ContactRules.answerTime`.
  /// - Parameter code: SHA-256 of the code, 32 bytes: found by its hash, so that the time that takes tells nothing of it.
  /// - Throws: `PostgresError`.
  public func confirm(_ code: [UInt8]) async throws -> ContactAnswer {
    try await answer(
      code, "state = \(ContactState.confirmed.sql)",
      where: """
        state = \(ContactState.confirmed.sql)
          OR state = \(ContactState.asked.sql) AND asked_at > now() - $2 * interval '1 microsecond'
        """,
      [.int8(ContactRules.answerTime)])
  }

  /// Somebody refuses, for good.
  /// - Parameter code: as in `confirm`.
  /// - Throws: `PostgresError`.
  public func refuse(_ code: [UInt8]) async throws -> ContactAnswer {
    try await answer(code, "state = \(ContactState.refused.sql)", where: "true")
  }

  /// - Parameter parameters: of the condition, from $2 on.
  private func answer(
    _ code: [UInt8], _ change: String, where condition: String, _ parameters: [Parameter] = []
  ) async throws -> ContactAnswer {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let found = try connection.query(
          """
          SELECT a.id, a.display_name FROM sos_contact_address c JOIN account a ON a.id = c.person
          WHERE c.code_sha256 = $1 AND a.state = 'active'
          """, [.bytea(code)])
        guard found.rowCount == 1 else { return .unknown }
        // The settings before the addresses, as a change of them does. Servers take up who is told from now on.
        _ = try connection.query(
          "UPDATE sos_settings SET changed_in = pg_current_xact_id() WHERE person = $1", [.int8(try found.int64(0, 0))])
        let changed = try connection.query(
          """
          UPDATE sos_contact_address SET \(change), ask_at = NULL, told_until = NULL
          WHERE code_sha256 = $1 AND (\(condition))
          """, [.bytea(code)] + parameters)
        if changed.affectedRows == 1 { return .taken(personName: try found.string(0, 1)) }
        let isRefused = try connection.query(
          """
          SELECT EXISTS (SELECT FROM sos_contact_address
            WHERE code_sha256 = $1 AND state = \(ContactState.refused.sql))
          """, [.bytea(code)]
        ).bool(0, 0)
        return isRefused ? .refused : .unknown
      }
    }
  }

  /// Forgets who was asked longer ago than `ContactRules` says, and ends the time in which some are told without an
  /// answer.
  /// - Throws: `PostgresError`.
  public func sweep() async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        "DELETE FROM contact_question WHERE asked_at <= now() - $1 * interval '1 microsecond'",
        [.int8(ContactRules.pause)])
      _ = try connection.query(
        """
        UPDATE sos_settings SET changed_in = pg_current_xact_id()
        WHERE person IN (SELECT person FROM sos_contact_address WHERE told_until <= now())
        """)
      _ = try connection.query("UPDATE sos_contact_address SET told_until = NULL WHERE told_until <= now()")
      // Named no more, and never answered.
      _ = try connection.query(
        """
        DELETE FROM sos_contact_address a WHERE state = \(ContactState.asked.sql) AND asked_at <= now() - $1 * interval '1 microsecond'
          AND NOT EXISTS (SELECT FROM sos_contact c WHERE c.person = a.person
            AND a.address IN (c.phone_number, lower(c.email)))
        """, [.int8(ContactRules.memory)])
    }
  }
}

extension ContactStore {
  /// In the transaction that takes a mail which asks: from now on its new code counts.
  /// - Parameter code: SHA-256 of the code, 32 bytes.
  /// - Returns: false if there is nobody to ask any more: who has answered meanwhile, or is named no more.
  /// - Throws: `PostgresError`.
  static func putCode(_ code: [UInt8], of person: PersonID, at address: String, _ connection: Connection) throws -> Bool
  {
    try connection.query(
      "UPDATE sos_contact_address SET code_sha256 = $1 WHERE person = $2 AND address = $3 AND state = \(ContactState.asked.sql)",
      [.bytea(code), .int8(person), .text(address)]
    ).affectedRows == 1
  }
}

extension StorageSystem {
  /// Contacts' answers.
  public var contacts: ContactStore { ContactStore(pool: pool) }
}
