package import Domain
package import Log
package import Payments
internal import Postgres

extension PaymentSubject {
  /// Answers about groups. The price is reserved before a question is answered, and taken with the answer.
  package static let groupAnswers = PaymentSubject(
    kind: 3, settle: "settle_group_purchase", giveUp: "give_up_group_purchase", isVoid: "false", rulesSQL: { _ in "" },
    parameters: [])
}

/// A purchase is not the third party's, not of an answer to this question, is over, or nothing is reserved for it.
package struct PurchaseNotUsable: Error {}

/// An answer that a third party pays for.
package struct AnswerPurchase: Sendable {
  package let payment: PaymentRecord
  /// Whether it has neither been answered nor ended.
  package let isOpen: Bool
  /// What it paid for, for a day.
  package let answer: StoredAnswer?
}

/// Answers about groups that are paid for: each purchase is one answer to one question of one third party.
package struct AnswerPurchases: Sendable {
  /// How long a purchase may take, from its start to its answer, and then how long that is given again: a day each.
  static let purchaseTime: Microseconds = 86_400 * 1_000_000
  /// The most purchases of a third party that are open.
  package static let openMax = 100
  private static let lapsedRound = 100

  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// The open purchase of an answer to a question, or a new one.
  /// - Returns: nil where the third party has as many open as it may have, or its account has ended.
  /// - Throws: `PostgresError`.
  package func open(
    _ asked: AskedQuestion, for thirdParty: AccountID, price: Money, at now: Microseconds
  ) async throws -> AnswerPurchase? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // One at a time of each third party.
        let account = try connection.query(
          "SELECT FROM account WHERE id = $1 AND state = 'active' FOR NO KEY UPDATE", [.int8(thirdParty)])
        guard account.rowCount > 0 else { return nil }
        if let known = try Self.find(connection, "o.state = 1", asked, thirdParty) { return known }
        _ = try connection.query(
          """
          INSERT INTO group_purchase (id, third_party, question_sha256, payment, lapses_at)
          OVERRIDING SYSTEM VALUE
          SELECT n.id, $1, $2, open_payment($3::smallint, n.id, $1, 'Answer ' || n.id || ' about a group', $4, $5, $6), $7
          FROM (SELECT nextval(pg_get_serial_sequence('group_purchase', 'id')) AS id
            WHERE (SELECT count(*) FROM group_purchase WHERE third_party = $1 AND state = 1) < $8) n
          """,
          [
            .int8(thirdParty), .bytea(asked.sha256), .int2(PaymentSubject.groupAnswers.kind), .int8(price.minorUnits),
            .text(price.currency), .timestamptz(microsecondsSinceUnixEpoch: now),
            .timestamptz(microsecondsSinceUnixEpoch: now + Self.purchaseTime), .int8(Int64(Self.openMax)),
          ])
        return try Self.find(connection, "o.state = 1", asked, thirdParty)
      }
    }
  }

  /// A third party's purchase of an answer to a question.
  /// - Parameter payment: a UUID.
  /// - Throws: `PostgresError`.
  package func find(
    _ payment: String, of asked: AskedQuestion, for thirdParty: AccountID
  ) async throws -> AnswerPurchase? {
    try await pool.withConnection { connection in
      try Self.find(connection, "o.payment = $3::text::uuid", asked, thirdParty, [.text(payment)])
    }
  }

  /// Looks whether a purchase can be used up, before anything is charged and read for it.
  /// - Parameter payment: a UUID; nil where nothing is to be paid.
  /// - Throws: `PurchaseNotUsable`; `PostgresError`.
  static func check(
    _ payment: String?, of asked: AskedQuestion, for thirdParty: AccountID, _ connection: Connection
  ) throws {
    guard let payment else { return }
    let usable = try connection.query(
      """
      SELECT FROM group_purchase o JOIN payment p ON p.id = o.payment
      WHERE o.payment = $1::text::uuid AND o.third_party = $2 AND o.question_sha256 = $3 AND o.state = 1 AND p.state = 2
        AND p.wish = 0
      """, [.text(payment), .int8(thirdParty), .bytea(asked.sha256)])
    guard usable.rowCount > 0 else { throw PurchaseNotUsable() }
  }

  /// Uses a purchase up, in the transaction of its answer.
  /// - Parameter payment: a UUID; nil where nothing is to be paid.
  /// - Throws: `PurchaseNotUsable`, to be thrown on, so that the transaction is undone; `PostgresError`.
  static func use(
    _ payment: String?, of asked: AskedQuestion, for thirdParty: AccountID, _ answer: StoredAnswer,
    at now: Microseconds, _ connection: Connection
  ) throws {
    guard let payment else { return }
    let used = try connection.query(
      "SELECT use_group_purchase($1::text::uuid, $2, $3, $4, $5, $6, $7, $8)",
      [
        .text(payment), .int8(thirdParty), .bytea(asked.sha256),
        answer.isRefused ? .null(TypeOID.bytea) : .bytea(answer.answer), .int8(answer.cost.billionths),
        .timestamptz(microsecondsSinceUnixEpoch: answer.gathered), .timestamptz(microsecondsSinceUnixEpoch: now),
        .timestamptz(microsecondsSinceUnixEpoch: now + Self.purchaseTime),
      ])
    guard try used.bool(0, 0) else { throw PurchaseNotUsable() }
  }

  /// Ends a purchase that is open: nothing is taken for it.
  /// - Throws: `PostgresError`.
  package func end(
    _ payment: String, of asked: AskedQuestion, for thirdParty: AccountID, at now: Microseconds
  ) async throws {
    try await end(
      "payment = $2::text::uuid AND third_party = $3 AND question_sha256 = $4",
      [.text(payment), .int8(thirdParty), .bytea(asked.sha256)], at: now)
  }

  /// Ends all open purchases of a third party.
  /// - Throws: `PostgresError`.
  func endAll(of thirdParty: AccountID, at now: Microseconds) async throws {
    try await end("state = 1 AND third_party = $2", [.int8(thirdParty)], at: now)
  }

  /// Ends the purchases that have taken too long, and forgets answers that were given a day ago.
  /// - Returns: whether there may be more.
  /// - Throws: `PostgresError`.
  package func sweep(at now: Microseconds) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let at: [Parameter] = [.timestamptz(microsecondsSinceUnixEpoch: now)]
        let lapsed = try connection.query(
          """
          SELECT id FROM group_purchase WHERE lapses_at <= $1 ORDER BY lapses_at, id LIMIT \(Self.lapsedRound) FOR UPDATE
          """, at)
        let ids: [Parameter] = [.int8Array(try (0..<lapsed.rowCount).map { try lapsed.int64($0, 0) })]
        _ = try connection.query("SELECT end_group_purchases($2, $1)", at + ids)
        _ = try connection.query(
          "UPDATE group_purchase SET answer = NULL, lapses_at = NULL WHERE id = ANY ($1) AND state = 2", ids)
        return lapsed.rowCount == Self.lapsedRound
      }
    }
  }

  private func end(_ condition: String, _ parameters: [Parameter], at now: Microseconds) async throws {
    _ = try await pool.withConnection { connection in
      try connection.query(
        "SELECT end_group_purchases(ARRAY(SELECT id FROM group_purchase WHERE \(condition)), $1)",
        [.timestamptz(microsecondsSinceUnixEpoch: now)] + parameters)
    }
  }

  private static func find(
    _ connection: Connection, _ condition: String, _ asked: AskedQuestion, _ thirdParty: AccountID,
    _ parameters: [Parameter] = []
  ) throws -> AnswerPurchase? {
    let rows = try connection.query(
      """
      SELECT o.state = 1, o.answer, o.cost, o.gathered_at, false, \(PaymentRecord.columns)
      FROM group_purchase o JOIN payment p ON p.id = o.payment
      WHERE o.third_party = $1 AND o.question_sha256 = $2 AND \(condition)
      """, [.int8(thirdParty), .bytea(asked.sha256)] + parameters)
    guard rows.rowCount > 0, let payment = try PaymentRecord(rows, 0, from: 5) else { return nil }
    return AnswerPurchase(
      payment: payment, isOpen: try rows.bool(0, 0),
      answer: rows.isNull(0, 1) ? nil : try StoredAnswer(rows, from: 1))
  }
}

extension StorageSystem {
  /// Answers about groups that are paid for.
  package var answerPurchases: AnswerPurchases { AnswerPurchases(pool: pool) }
}
