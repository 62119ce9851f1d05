public import Domain
internal import Emergencies
public import Postgres
public import SosRules

/// An answer of somebody at a desk, as it is stored.
public struct DeskAnswerRecord: Sendable, Equatable {
  public let emergency: EmergencyID
  public let dispatcher: AccountID
  public let answer: DeskAnswer
  /// Different for each.
  public let at: Microseconds
}

/// Who has answered which call.
public struct DeskAnswerRecords: Sendable {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Those before a time, newest first.
  /// - Parameter account: whose; 0: everybody's.
  /// - Throws: `PostgresError`.
  public func list(of account: AccountID, before: Microseconds, limit: Int) async throws -> [DeskAnswerRecord] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT d.emergency::text, d.dispatcher, d.account, a.display_name, d.kind::integer, d.at
        FROM desk_answer d JOIN account a ON a.id = d.account
        WHERE d.at < $1 AND ($2 = 0 OR d.account = $2) ORDER BY d.at DESC LIMIT $3
        """, [.int8(before), .int8(account), .int8(Int64(limit))])
      return try (0..<rows.rowCount).compactMap { row in
        guard let id = EmergencyID(try rows.string(row, 0)),
          let kind = DispatcherAnswer(rawValue: try rows.int32(row, 4))
        else { return nil }
        let person = DeskOperator(account: try rows.int64(row, 2), name: try rows.string(row, 3))
        return DeskAnswerRecord(
          emergency: id, dispatcher: try rows.int64(row, 1), answer: DeskAnswer(kind: kind, person: person),
          at: try rows.int64(row, 5))
      }
    }
  }

  /// Writes what people at desks have answered in an emergency that is recorded; again, it changes nothing. What is of an
  /// emergency that is not kept, or of somebody who is not known here, is left out.
  static func record(_ emergency: Emergency, _ connection: Connection) throws {
    for transition in emergency.transitions {
      guard let answer = transition.answer, let dispatcher = transition.dispatcher else { continue }
      try connection.query(
        """
        INSERT INTO desk_answer (at, emergency, dispatcher, account, kind)
        SELECT $1, e.id, d.dispatcher, d.account, $5 FROM emergency e, desk_operator d
        WHERE e.id = $2::uuid AND d.account = $4 AND d.dispatcher = $3
        ON CONFLICT DO NOTHING
        """,
        [
          .int8(transition.at), .text("\(emergency.id)"), .int8(dispatcher), .int8(answer.person.account),
          .int2(Int16(answer.kind.rawValue)),
        ])
    }
  }
}
