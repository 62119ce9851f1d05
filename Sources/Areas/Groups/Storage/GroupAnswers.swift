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
  package let left: BudgetAllowance
}

/// Answers, and what they have cost whom.
package struct GroupAnswers: Sendable {
  /// Whose budget is that of all third parties together.
  fileprivate static let all: AccountID = 0

  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// - Throws: `PostgresError`.
  package func budget(
    of thirdParty: AccountID, in year: Int, _ budgets: GroupBudgets, at now: Microseconds
  ) async throws -> GroupBudgetState {
    try await pool.withConnection { connection in
      let standing = try BudgetStanding(connection, of: thirdParty, in: year)
      return GroupBudgetState(
        spent: standing.spent, left: standing.allowance(of: budgets, on: DayOfYear(at: now, in: year)))
    }
  }

  /// The answer of an epoch, if a third party was given it before.
  /// - Throws: `PostgresError`.
  package func given(
    _ asked: AskedQuestion, to thirdParty: AccountID, in epoch: GroupEpoch
  ) async throws -> StoredAnswer? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT answer, a.cost, gathered_at, is_refused FROM group_answer a
        JOIN group_charge c USING (question_sha256, epoch)
        WHERE question_sha256 = $1 AND epoch = $2 AND c.third_party = $3
        """, [.bytea(asked.sha256), .int8(epoch.begins), .int8(thirdParty)])
      return rows.rowCount > 0 ? try StoredAnswer(rows, from: 0) : nil
    }
  }

  /// The answer of an epoch, if there is one. Whoever has not been charged for it is.
  /// - Parameter payment: of the purchase that it uses up then; nil: it needs none.
  /// - Returns: nil where nobody has asked yet.
  /// - Throws: `PostgresError`; `BudgetSpent` where it is there, and costs more than is left; `PurchaseNotUsable`.
  package func find(
    _ asked: AskedQuestion, for thirdParty: AccountID, in year: Int, _ epoch: GroupEpoch, payment: String?,
    at now: Microseconds, _ budgets: GroupBudgets
  ) async throws -> StoredAnswer? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let rows = try connection.query(
          "SELECT answer, cost, gathered_at, is_refused FROM group_answer WHERE question_sha256 = $1 AND epoch = $2",
          [.bytea(asked.sha256), .int8(epoch.begins)])
        guard rows.rowCount > 0 else { return nil }
        let stored = try StoredAnswer(rows, from: 0)
        try Self.lockBudgets(connection, of: thirdParty, in: year)
        guard try Self.charge(connection, asked, epoch, to: thirdParty, stored, at: now) else { return stored }
        // For the persons it is one answer, however many get it.
        if let reserved = try Self.takeReservation(connection, asked, of: thirdParty, in: year) {
          try reserved.settle(connection, of: thirdParty, costs: stored.cost, costsAll: .none)
        } else {
          try Self.spend(connection, stored.cost, of: thirdParty, in: year, atMost: budgets.ofThirdParty)
        }
        try AnswerPurchases.use(payment, of: asked, for: thirdParty, stored, at: now, connection)
        return stored
      }
    }
  }

  /// Takes the most that an answer can cost out of both budgets, before anything is read. Nothing is taken for a question
  /// that was charged already and is not answered yet.
  /// - Parameter payment: of the purchase that the answer uses up; nil: it needs none.
  /// - Throws: `PostgresError`; `BudgetSpent` where there is not so much left, and `PurchaseNotUsable`: then nothing is taken.
  package func reserve(
    _ asked: AskedQuestion, for thirdParty: AccountID, in year: Int, payment: String?, _ budgets: GroupBudgets,
    at now: Microseconds
  ) async throws {
    let cost = asked.question.loss
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        try Self.lockBudgets(connection, of: thirdParty, in: year)
        try AnswerPurchases.check(payment, of: asked, for: thirdParty, connection)
        let isNew =
          try connection.query(
            """
            INSERT INTO group_reservation (third_party, question_sha256, year, cost) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """, [.int8(thirdParty), .bytea(asked.sha256), .int2(Int16(year)), .int8(cost.billionths)]
          ).affectedRows == 1
        guard isNew else { return }
        let standing = try BudgetStanding(connection, of: thirdParty, in: year)
        guard cost <= standing.allowance(of: budgets, on: DayOfYear(at: now, in: year)).now else { throw BudgetSpent() }
        _ = try connection.query(
          """
          UPDATE group_budget SET spent = spent + $3, taken = taken + CASE third_party WHEN 0 THEN 0 ELSE $3 END
          WHERE third_party IN (0, $1) AND year = $2
          """, [.int8(thirdParty), .int2(Int16(year)), .int8(cost.billionths)])
      }
    }
  }

  /// Puts an answer down and gives back what it has cost less than was reserved. Where somebody has answered the question
  /// in between, theirs is the answer, and the new one is forgotten.
  /// - Parameters:
  ///   - snapshot: what its data was.
  ///   - epoch: in which it is given again, also where another one has begun since its data was read.
  ///   - payment: of the purchase that it uses up; nil: it needs none.
  /// - Throws: `PostgresError`; `PurchaseNotUsable`: then nothing is put down, and the question stays charged; `BudgetSpent`
  ///   where it is not charged any more, as the third party is being erased.
  package func put(
    _ new: StoredAnswer, of snapshot: GroupSnapshot, to asked: AskedQuestion, for thirdParty: AccountID, in year: Int,
    _ epoch: GroupEpoch, payment: String?, at now: Microseconds
  ) async throws -> StoredAnswer {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        let key: [Parameter] = [.bytea(asked.sha256), .int8(epoch.begins)]
        func stored() throws -> StoredAnswer? {
          let rows = try connection.query(
            "SELECT answer, cost, gathered_at, is_refused FROM group_answer WHERE question_sha256 = $1 AND epoch = $2",
            key)
          return rows.rowCount > 0 ? try StoredAnswer(rows, from: 0) : nil
        }
        guard let reserved = try Self.takeReservation(connection, asked, of: thirdParty, in: year) else {
          // Somebody else was faster, and the third party was given theirs.
          guard let given = try stored() else { throw BudgetSpent() }
          return given
        }
        let isNew =
          try connection.query(
            """
            INSERT INTO group_answer (
              question_sha256, epoch, answer, cost, gathered_at, is_refused, read_at, snapshot)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::pg_snapshot) ON CONFLICT DO NOTHING
            """,
            key + [
              .bytea(new.answer), .int8(new.cost.billionths), .timestamptz(microsecondsSinceUnixEpoch: new.gathered),
              .bool(new.isRefused), .timestamptz(microsecondsSinceUnixEpoch: snapshot.time), .text(snapshot.text),
            ]
          ).affectedRows == 1
        guard let stored = try stored() else { throw BudgetSpent() }
        let isCharged = try Self.charge(connection, asked, epoch, to: thirdParty, stored, at: now)
        if isCharged { try AnswerPurchases.use(payment, of: asked, for: thirdParty, stored, at: now, connection) }
        try reserved.settle(
          connection, of: thirdParty, costs: isCharged ? stored.cost : .none, costsAll: isNew ? stored.cost : .none)
        return stored
      }
    }
  }

  /// Forgets answers of the epochs before.
  /// - Throws: `PostgresError`.
  package func sweep(before epoch: GroupEpoch) async throws {
    _ = try await pool.withConnection { connection in
      _ = try connection.query("DELETE FROM group_answer WHERE epoch < $1", [.int8(epoch.begins)])
      return try connection.query("DELETE FROM group_charge WHERE epoch < $1", [.int8(epoch.begins)])
    }
  }

  /// What a question was charged when its reading began.
  private struct Reservation {
    let cost: PrivacyLoss
    /// Out of whose budget.
    let year: Int

    /// Gives back what the answer has cost less.
    func settle(
      _ connection: Connection, of thirdParty: AccountID, costs cost: PrivacyLoss, costsAll: PrivacyLoss
    ) throws {
      _ = try connection.query(
        """
        UPDATE group_budget SET spent = spent - $3 + CASE third_party WHEN 0 THEN $4 ELSE $5 END,
          taken = CASE third_party WHEN 0 THEN 0 ELSE taken - $3 + $4 END
        WHERE third_party IN (0, $1) AND year = $2
        """,
        [
          .int8(thirdParty), .int2(Int16(year)), .int8(self.cost.billionths), .int8(costsAll.billionths),
          .int8(cost.billionths),
        ])
    }
  }

  /// Takes the reservation of a question, to be settled, and locks the budgets that it is of, or else those of the year.
  private static func takeReservation(
    _ connection: Connection, _ asked: AskedQuestion, of thirdParty: AccountID, in year: Int
  ) throws -> Reservation? {
    let key: [Parameter] = [.int8(thirdParty), .bytea(asked.sha256)]
    let of = "FROM group_reservation WHERE third_party = $1 AND question_sha256 = $2"
    // Budgets are locked before anything else is.
    let known = try connection.query("SELECT year::integer \(of)", key)
    let reservedYear = known.rowCount > 0 ? Int(try known.int32(0, 0)) : year
    try lockBudgets(connection, of: thirdParty, in: reservedYear)
    let taken = try connection.query("DELETE \(of) RETURNING cost", key)
    guard taken.rowCount > 0 else { return nil }
    return Reservation(cost: PrivacyLoss(billionths: try taken.int64(0, 0)), year: reservedYear)
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
    _ connection: Connection, _ asked: AskedQuestion, _ epoch: GroupEpoch, to thirdParty: AccountID,
    _ answer: StoredAnswer,
    at now: Microseconds
  ) throws -> Bool {
    let isNew =
      try connection.query(
        """
        INSERT INTO group_charge (third_party, question_sha256, epoch, cost, charged_at)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
        """,
        [
          .int8(thirdParty), .bytea(asked.sha256), .int8(epoch.begins), .int8(answer.cost.billionths),
          .timestamptz(microsecondsSinceUnixEpoch: now),
        ]
      ).affectedRows == 1
    guard isNew, !answer.isRefused else { return isNew }
    let (persons, times) = (asked.question.persons, asked.question.times)
    _ = try connection.query(
      """
      INSERT INTO group_disclosure (
        third_party, question, metrics, first_day, to_us, from_age, to_age, sex, read_at, snapshot, answered_at)
      SELECT $1, $2, $3, $4::text::date, to_us, $5, $6, nullif($7, ''), read_at, snapshot, $8
      FROM group_answer, LATERAL (
        SELECT (extract(epoch FROM ($11::text::date + 1)::timestamp AT TIME ZONE $12) * 1000000)::bigint AS to_us
      ) AS days
      WHERE question_sha256 = $9 AND epoch = $10
      """,
      [
        .int8(thirdParty), .bytea(asked.told), .int4Array(asked.metrics),
        .text(times.days.lowerBound.text), .int4(Int32(persons.ages.from)),
        .int4(Int32(persons.ages.to ?? AgeBands.greatest)), .text(persons.sex?.rawValue ?? ""),
        .timestamptz(microsecondsSinceUnixEpoch: now), .bytea(asked.sha256), .int8(epoch.begins),
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

extension BudgetStanding {
  /// Of a third party in a year. Third parties whose account has ended count with what they have spent before.
  /// - Throws: `PostgresError`.
  fileprivate init(_ connection: Connection, of thirdParty: AccountID, in year: Int) throws {
    let rows = try connection.query(
      """
      SELECT id, coalesce(spent, 0), coalesce(taken, 0)
      FROM account LEFT JOIN group_budget ON third_party = id AND year = $1
      WHERE kind = 'third_party' AND (state = 'active' OR third_party IS NOT NULL)
      UNION ALL SELECT third_party, spent, taken FROM group_budget WHERE third_party = 0 AND year = $1
      """, [.int2(Int16(year))])
    var (own, all) = ((spent: PrivacyLoss.none, taken: PrivacyLoss.none), PrivacyLoss.none)
    var others: [PrivacyLoss] = []
    for row in 0..<rows.rowCount {
      let spent = PrivacyLoss(billionths: try rows.int64(row, 1))
      let taken = PrivacyLoss(billionths: try rows.int64(row, 2))
      switch try rows.int64(row, 0) {
      case GroupAnswers.all: all = spent
      case thirdParty: own = (spent, taken)
      default: others.append(taken)
      }
    }
    self.init(spent: own.spent, taken: own.taken, takenByOthers: others, spentByAll: all)
  }
}

/// An answer costs more than is left of the budget of a third party, or of that of all together.
package struct BudgetSpent: Error {}

extension StorageSystem {
  /// Answers about groups.
  package var groupAnswers: GroupAnswers { GroupAnswers(pool: pool) }
  /// Adds cells up.
  package var groupReader: GroupReader { GroupReader(pool: pools.heavy, quick: pool) }
}
