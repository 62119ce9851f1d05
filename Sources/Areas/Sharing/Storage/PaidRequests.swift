public import Domain
internal import Payments
internal import Postgres

extension PaymentSubject {
  /// Requests for access. The price is reserved before the person is asked, and taken when the person accepts.
  static let requests = PaymentSubject(
    kind: 2, settle: "settle_request", giveUp: "give_up_request", isVoid: "false", rulesSQL: { _ in "" }, parameters: []
  )
}

extension AccessRegistry {
  /// How long a request waits for its payment: a day.
  static let payTime: Microseconds = 86_400 * 1_000_000
  /// How long the person may take to answer a request that is paid for: 6 days. Banks keep an amount reserved for 7.
  static let answerTime: Microseconds = 6 * 86_400 * 1_000_000
  private static let paidRound = 100

  /// Asks the persons whose requests are paid for, and ends the requests and grants that can't be, or were not paid or
  /// answered in time, each at a position of the log.
  ///
  /// - Parameter now: the time of day.
  /// - Returns: how many there were; call again while there are some.
  /// - Throws: `PostgresError`.
  public func followPayments(at now: Microseconds) async throws -> Int {
    let paid = try await records(
      "WHERE r.next_state = \(AccessState.pending.sql) ORDER BY r.id LIMIT $1", [.int8(Int64(Self.paidRound))],
      isRepeated: true)
    for record in paid where try await change(record, to: .pending, at: now) == nil {
      // An account has ended just now, or what was reserved is not any more.
      _ = try await change(record, to: .expired, from: [.awaitingPayment], at: now)
    }
    let over = try await records(
      """
      WHERE r.next_state = \(AccessState.expired.sql) OR r.lapses_at <= $1 ORDER BY r.id LIMIT $2
      """, [.timestamptz(microsecondsSinceUnixEpoch: now), .int8(Int64(Self.paidRound))], isRepeated: true)
    for record in over {
      // Nil where somebody has changed it meanwhile.
      _ = try await change(record, to: .expired, from: [record.state], at: now)
    }
    return paid.count + over.count
  }
}
