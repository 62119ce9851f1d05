internal import Crypto
package import Domain
package import GroupsRules
package import Log
internal import Postgres

/// An answer that was given.
package struct StoredAnswer: Sendable, Hashable {
  /// A GroupAnswer or, of an export, GroupRecords.
  package let answer: [UInt8]
  package let cost: PrivacyLoss
  /// When the data was gathered.
  package let gathered: Microseconds
  /// Whether everything is withheld.
  package let isRefused: Bool
}

extension StoredAnswer {
  /// Of answer, cost, gathered_at and is_refused of the first row.
  init(_ rows: Result, from column: Int) throws {
    answer = try rows.bytes(0, column)
    cost = PrivacyLoss(billionths: try rows.int64(0, column + 1))
    gathered = try rows.timestamptz(0, column + 2)
    isRefused = try rows.bool(0, column + 3)
  }
}

/// A question on its way to an answer.
package struct AskedQuestion: Sendable {
  package let question: GroupQuestion
  /// Kinds that it is about.
  package let metrics: [MetricID]
  /// A GroupQuestion: as the answer tells it.
  package let told: [UInt8]
  /// The SHA-256 of its text.
  package let sha256: [UInt8]

  /// - Parameter told: a GroupQuestion, on the grid.
  package init(_ question: GroupQuestion, told: [UInt8], _ catalog: MetricCatalog) {
    self.question = question
    metrics = question.metrics.compactMap { catalog[$0]?.id }
    self.told = told
    sha256 = SHA256.hash(of: Array(question.text.utf8))
  }
}

/// What is left of a budget.
package struct GroupBudgetState: Sendable, Hashable {
  package let spent: PrivacyLoss
  /// What the third party may spend.
  package let left: PrivacyLoss
}

/// Answers, and what they have cost whom.
package struct GroupAnswers: Sendable {
  /// Whose budget is that of all third parties together.
  private static let all: AccountID = 0

  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// - Throws: `PostgresError`.
  package func budget(
    of thirdParty: AccountID, in year: Int, _ budgets: GroupBudgets
  ) async throws -> GroupBudgetState {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        "SELECT third_party, spent FROM group_budget WHERE third_party IN (0, $1) AND year = $2",
        [.int8(thirdParty), .int2(Int16(year))])
      var spent: [AccountID: Int64] = [:]
      for row in 0..<rows.rowCount { spent[try rows.int64(row, 0)] = try rows.int64(row, 1) }
      let own = spent[thirdParty] ?? 0
      let left = min(budgets.ofThirdParty.billionths - own, budgets.ofAll.billionths - (spent[0] ?? 0))
      return GroupBudgetState(
        spent: PrivacyLoss(billionths: own), left: PrivacyLoss(billionths: max(left, 0)))
    }
  }

  /// When cells were made last.
  /// - Throws: `PostgresError`.
  package func gathered() async throws -> Microseconds {
    try await pool.withConnection { try $0.query("SELECT made_at FROM group_state").timestamptz(0, 0) }
  }

  /// The answer of this epoch, if a third party was given it before.
  /// - Throws: `PostgresError`.
  package func given(_ asked: AskedQuestion, to thirdParty: AccountID) async throws -> StoredAnswer? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT answer, a.cost, gathered_at, is_refused FROM group_answer a JOIN group_state USING (epoch)
        JOIN group_charge c USING (question_sha256, epoch) WHERE question_sha256 = $1 AND c.third_party = $2
        """, [.bytea(asked.sha256), .int8(thirdParty)])
      return rows.rowCount > 0 ? try StoredAnswer(rows, from: 0) : nil
    }
  }

  /// The answer of this epoch, if there is one. Whoever has not been charged for it is.
  /// - Parameter payment: of the purchase that it uses up then; nil: it needs none.
  /// - Returns: nil where nobody has asked yet.
  /// - Throws: `PostgresError`; `BudgetSpent` where it is there, and costs more than is left; `PurchaseNotUsable`.
  package func find(
    _ asked: AskedQuestion, for thirdParty: AccountID, in year: Int, payment: String?, at now: Microseconds,
    _ budgets: GroupBudgets
  ) async throws -> StoredAnswer? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let rows = try connection.query(
          """
          SELECT epoch, answer, cost, gathered_at, is_refused FROM group_answer JOIN group_state USING (epoch)
          WHERE question_sha256 = $1
          """, [.bytea(asked.sha256)])
        guard rows.rowCount > 0 else { return nil }
        let stored = try StoredAnswer(rows, from: 1)
        let epoch = try rows.int64(0, 0)
        // For the persons it is one answer, however many get it.
        try Self.lockBudgets(connection, of: thirdParty, in: year)
        guard try Self.charge(connection, asked, epoch, to: thirdParty, stored, at: now) else { return stored }
        try Self.spend(connection, stored.cost, of: thirdParty, in: year, atMost: budgets.ofThirdParty)
        try AnswerPurchases.use(payment, of: asked, for: thirdParty, stored, at: now, connection)
        return stored
      }
    }
  }

  /// Takes the most that an answer can cost out of both budgets, before anything is drawn.
  /// - Throws: `PostgresError`; `BudgetSpent` where there is not so much left: then nothing is taken.
  package func reserve(
    _ cost: PrivacyLoss, for thirdParty: AccountID, in year: Int, _ budgets: GroupBudgets
  ) async throws {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        try Self.lockBudgets(connection, of: thirdParty, in: year)
        try Self.spend(connection, cost, of: thirdParty, in: year, atMost: budgets.ofThirdParty)
        try Self.spend(connection, cost, of: Self.all, in: year, atMost: budgets.ofAll)
      }
    }
  }

  /// Puts an answer down and gives back what it has cost less than was reserved. Where somebody has answered the question
  /// in between, theirs is the answer, and the new one is forgotten.
  /// - Parameter payment: of the purchase that it uses up; nil: it needs none.
  /// - Throws: `PostgresError`; `PurchaseNotUsable`: then nothing is put down, and nothing given back.
  package func put(
    _ new: StoredAnswer, to asked: AskedQuestion, epoch: Int64, for thirdParty: AccountID, in year: Int,
    reserved: PrivacyLoss, payment: String?, at now: Microseconds
  ) async throws -> StoredAnswer {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        try Self.lockBudgets(connection, of: thirdParty, in: year)
        let key: [Parameter] = [.bytea(asked.sha256), .int8(epoch)]
        let isNew =
          try connection.query(
            """
            INSERT INTO group_answer (question_sha256, epoch, answer, cost, gathered_at, is_refused)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """,
            key + [
              .bytea(new.answer), .int8(new.cost.billionths), .timestamptz(microsecondsSinceUnixEpoch: new.gathered),
              .bool(new.isRefused),
            ]
          ).affectedRows == 1
        let rows = try connection.query(
          "SELECT answer, cost, gathered_at, is_refused FROM group_answer WHERE question_sha256 = $1 AND epoch = $2",
          key)
        let stored = try StoredAnswer(rows, from: 0)
        let isCharged = try Self.charge(connection, asked, epoch, to: thirdParty, stored, at: now)
        if isCharged { try AnswerPurchases.use(payment, of: asked, for: thirdParty, stored, at: now, connection) }
        _ = try connection.query(
          """
          UPDATE group_budget SET spent = spent - $3 + CASE third_party WHEN 0 THEN $4 ELSE $5 END
          WHERE third_party IN (0, $1) AND year = $2
          """,
          [
            .int8(thirdParty), .int2(Int16(year)), .int8(reserved.billionths),
            .int8(isNew ? stored.cost.billionths : 0), .int8(isCharged ? stored.cost.billionths : 0),
          ])
        return stored
      }
    }
  }

  /// Gives back what was reserved for an answer that nobody gets.
  /// - Throws: `PostgresError`.
  package func release(_ reserved: PrivacyLoss, of thirdParty: AccountID, in year: Int) async throws {
    _ = try await pool.withConnection { connection in
      try connection.query(
        "UPDATE group_budget SET spent = spent - $3 WHERE third_party IN (0, $1) AND year = $2",
        [.int8(thirdParty), .int2(Int16(year)), .int8(reserved.billionths)])
    }
  }

  /// Forgets answers of older epochs.
  /// - Throws: `PostgresError`.
  package func sweep() async throws {
    _ = try await pool.withConnection { connection in
      try connection.query("DELETE FROM group_answer WHERE epoch < (SELECT epoch FROM group_state)")
      return try connection.query("DELETE FROM group_charge WHERE epoch < (SELECT epoch FROM group_state)")
    }
  }

  /// Locks both budgets, in one order.
  private static func lockBudgets(_ connection: Connection, of thirdParty: AccountID, in year: Int) throws {
    _ = try connection.query(
      "INSERT INTO group_budget (third_party, year, spent) VALUES (0, $2, 0), ($1, $2, 0) ON CONFLICT DO NOTHING",
      [.int8(thirdParty), .int2(Int16(year))])
    _ = try connection.query(
      "SELECT FROM group_budget WHERE third_party IN (0, $1) AND year = $2 ORDER BY third_party FOR UPDATE",
      [.int8(thirdParty), .int2(Int16(year))])
  }

  /// Notes that a third party gets an answer, and tells the persons who may be in it.
  /// - Returns: whether it was not charged before.
  private static func charge(
    _ connection: Connection, _ asked: AskedQuestion, _ epoch: Int64, to thirdParty: AccountID, _ answer: StoredAnswer,
    at now: Microseconds
  ) throws -> Bool {
    let isNew =
      try connection.query(
        """
        INSERT INTO group_charge (third_party, question_sha256, epoch, cost, charged_at)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
        """,
        [
          .int8(thirdParty), .bytea(asked.sha256), .int8(epoch), .int8(answer.cost.billionths),
          .timestamptz(microsecondsSinceUnixEpoch: now),
        ]
      ).affectedRows == 1
    guard isNew, !answer.isRefused else { return isNew }
    let (persons, times) = (asked.question.persons, asked.question.times)
    _ = try connection.query(
      """
      INSERT INTO group_disclosure (
        third_party, question, metrics, first_day, to_us, from_age, to_age, sex, drawn_at, answered_at)
      SELECT $1, $2, $3, $4::text::date, to_us, $5, $6, nullif($7, ''), drawn_at, $8
      FROM group_answer, LATERAL (
        SELECT (extract(epoch FROM ($11::text::date + 1)::timestamp AT TIME ZONE $12) * 1000000)::bigint AS to_us
      ) AS days
      WHERE question_sha256 = $9 AND epoch = $10
      """,
      [
        .int8(thirdParty), .bytea(asked.told), .int4Array(asked.metrics),
        .text(times.days.lowerBound.text), .int4(Int32(persons.ages.from)),
        .int4(Int32(persons.ages.to ?? AgeBands.greatest)), .text(persons.sex?.rawValue ?? ""),
        .timestamptz(microsecondsSinceUnixEpoch: now), .bytea(asked.sha256), .int8(epoch),
        .text(times.days.upperBound.text), .text(times.timeZone),
      ])
    return true
  }

  /// - Throws: `BudgetSpent` where it is more than is left; to be thrown on, so that the transaction is undone.
  private static func spend(
    _ connection: Connection, _ cost: PrivacyLoss, of account: AccountID, in year: Int, atMost most: PrivacyLoss
  ) throws {
    let spent = try connection.query(
      "UPDATE group_budget SET spent = spent + $3 WHERE third_party = $1 AND year = $2 AND spent + $3 <= $4",
      [.int8(account), .int2(Int16(year)), .int8(cost.billionths), .int8(most.billionths)])
    guard spent.affectedRows == 1 else { throw BudgetSpent() }
  }
}

/// An answer costs more than is left of the budget of a third party, or of that of all together.
package struct BudgetSpent: Error {}

extension StorageSystem {
  /// Answers about groups.
  package var groupAnswers: GroupAnswers { GroupAnswers(pool: pool) }
  /// Adds cells up.
  package var groupReader: GroupReader { GroupReader(pool: pools.heavy, turns: questions) }
}
