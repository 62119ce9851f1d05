public import Domain
internal import Log
public import Postgres
internal import Synchronization

/// Payments: what the provider was asked for, what it is still to be asked for, and what it has told.
public final class PaymentStore: Sendable {
  /// How long the provider is asked for the same before it is given up: 7 days.
  static let patienceSeconds: Int64 = 7 * 86_400
  /// The longest pause between two questions.
  static let pauseSecondsMax: Int64 = 3_600

  private let pool: Pool
  private let subjects = Mutex<[Int16: PaymentSubject]>([:])

  public init(pool: Pool) { self.pool = pool }

  /// Adds what may be paid for, before the first call.
  public func add(_ subject: PaymentSubject) {
    let other = subjects.withLock { $0.updateValue(subject, forKey: subject.kind) }
    precondition(other == nil, "two subjects of payments are of kind \(subject.kind)")
  }

  /// What a payment is for; nil for a payment that is not ours.
  private func subject(of payment: String, _ connection: Connection) throws -> PaymentSubject? {
    let rows = try connection.query(
      "SELECT subject_kind::integer FROM payment WHERE id = $1::text::uuid", [.text(payment)])
    guard rows.rowCount > 0 else { return nil }
    let kind = Int16(truncatingIfNeeded: try rows.int32(0, 0))
    return subjects.withLock { $0[kind] }
  }

  /// What came of news of the provider.
  public enum Settlement: Sendable, Equatable {
    /// They are put down, or were before.
    case done
    /// There is no such payment, or nobody here knows what it is for.
    case unknown
    /// They can't be true of the payment as it is known; nothing was put down.
    case refused(PaymentDisagreement)

    /// - Parameter outcome: of a subject's function `settle`.
    init(outcome: Int32) {
      switch outcome {
      case 0: self = .done
      case 1: self = .unknown
      default: self = .refused(PaymentDisagreement(rawValue: outcome) ?? .state)
      }
    }
  }

  /// Takes the wishes that are due. A wish that was taken is due again after a pause that grows with each attempt, to
  /// an hour: who took it may be gone.
  ///
  /// - Parameter payment: the only one that is wanted; nil: the ones that have waited longest.
  /// - Throws: `PostgresError`.
  public func takeWishes(of payment: String? = nil, limit: Int = 16) async throws -> [PaymentWish] {
    let void = subjects.withLock { $0.values.map { "subject_kind = \($0.kind) AND \($0.isVoid)" } }
    return try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        WITH due AS (
          SELECT id FROM payment
          WHERE wish <> \(PaymentWish.none) AND next_attempt_at <= now() AND ($1::text IS NULL OR id = $1::text::uuid)
            -- What is void will be given up in a moment.
            AND NOT (wish IN (\(PaymentWish.Kind.create.sql), \(PaymentWish.Kind.capture.sql))
              AND (\((void + ["false"]).joined(separator: " OR "))))
          ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        UPDATE payment q SET attempts = attempts + 1,
          -- A call takes 10 s at most.
          next_attempt_at = now() + greatest(interval '12 seconds', least($3, 2 ^ least(attempts, 20))
            * interval '1 second')
        FROM due WHERE q.id = due.id
        RETURNING q.id::text, q.wish::integer, q.currency, q.minor_units, q.provider_payment, q.description
        """,
        [
          payment.map { .text($0) } ?? .null(TypeOID.text), .int8(Int64(limit)), .int8(Self.pauseSecondsMax),
        ])
      return try (0..<rows.rowCount).compactMap { row in
        guard let kind = PaymentWish.Kind(rawValue: Int16(truncatingIfNeeded: try rows.int32(row, 1))) else {
          return nil
        }
        return PaymentWish(
          payment: try rows.string(row, 0), kind: kind,
          money: Money(currency: try rows.string(row, 2), minorUnits: try rows.int64(row, 3)),
          providerPayment: rows.isNull(row, 4) ? nil : try rows.string(row, 4),
          description: try rows.string(row, 5))
      }
    }
  }

  /// Whether the provider is still to be asked to create it, by us or by somebody who is asking now.
  /// - Throws: `PostgresError`.
  public func isCreationWished(_ payment: String) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query(
        "SELECT 1 FROM payment WHERE id = $1::text::uuid AND wish = $2",
        [.text(payment), .int2(PaymentWish.Kind.create.rawValue)]
      ).rowCount > 0
    }
  }

  /// An attempt has failed: the wish is due again after 1 s, 2 s, 4 s … an hour.
  /// - Returns: whether the provider has been asked for it as long as it is asked: the wish is to be given up.
  /// - Throws: `PostgresError`; then it is due a little later.
  public func failed(_ wish: PaymentWish) async throws -> Bool {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        UPDATE payment SET next_attempt_at = now() + least($3, 2 ^ least(greatest(attempts - 1, 0), 20))
          * interval '1 second'
        WHERE id = $1::text::uuid AND wish = $2 RETURNING wished_at <= now() - $4 * interval '1 second'
        """,
        [
          .text(wish.payment), .int2(wish.kind.rawValue), .int8(Self.pauseSecondsMax), .int8(Self.patienceSeconds),
        ])
      return rows.rowCount > 0 ? try rows.bool(0, 0) : false
    }
  }

  /// The provider will not do it. What follows is up to what is paid for.
  /// - Parameter now: the time of the call; what it waits counts.
  /// - Returns: false if it is not wished any more.
  /// - Throws: `PostgresError`; then it is due a little later.
  public func giveUp(_ wish: PaymentWish, at now: Microseconds) async throws -> Bool {
    try await pool.withConnection { [self] connection in
      guard let subject = try subject(of: wish.payment, connection) else { return false }
      return try connection.query(
        "SELECT \(subject.giveUp)($1::text::uuid, $2, $3\(subject.rules(from: 4)))",
        [.text(wish.payment), .int2(wish.kind.rawValue), .timestamptz(microsecondsSinceUnixEpoch: now)]
          + subject.parameters
      ).bool(0, 0)
    }
  }

  /// The provider knows the payment, and said where the person pays.
  /// - Returns: false if it knows another payment by this name, or this one by another; then nothing is put down.
  /// - Throws: `PostgresError`.
  @discardableResult
  public func created(_ payment: String, as providerPayment: String, url: String) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query(
        """
        UPDATE payment SET provider_payment = coalesce(provider_payment, $2), payment_url = $3,
          wish = CASE wish WHEN \(PaymentWish.Kind.create.sql) THEN \(PaymentWish.none) ELSE wish END
        WHERE id = $1::text::uuid AND coalesce(provider_payment, $2) = $2
          AND NOT EXISTS (SELECT FROM payment o WHERE o.provider_payment = $2 AND o.id <> $1::text::uuid)
        RETURNING 1
        """, [.text(payment), .text(providerPayment), .text(url)]
      ).rowCount > 0
    }
  }

  /// Puts down what the provider told, and what follows for what is paid for: in one transaction, and once however often
  /// and in whatever order it is told. Before that it is compared with the payment: nothing is put down of news of another
  /// payment of the provider, another amount or currency, or of a state that can't follow.
  ///
  /// - Parameters:
  ///   - payment: a UUID.
  ///   - providerPayment: the provider's name for it.
  ///   - money: the amount that the provider told.
  ///   - now: the time of the call. What the call waits counts.
  /// - Throws: `PostgresError`; then nothing is put down, or it is not known.
  public func settle(
    _ payment: String, as providerPayment: String, _ state: PaymentState, money: Money, at now: Microseconds
  ) async throws -> Settlement {
    let asked = ContinuousClock.now
    return try await pool.withConnection { [self] connection in
      guard let subject = try subject(of: payment, connection) else { return .unknown }
      let waited = (ContinuousClock.now - asked).components
      let now = now + waited.seconds * 1_000_000 + waited.attoseconds / 1_000_000_000_000
      let outcome = try connection.query(
        "SELECT \(subject.settle)($1::text::uuid, $2, $3, $4, $5, $6\(subject.rules(from: 7)))::integer",
        [
          .text(payment), .text(providerPayment), .int2(state.rawValue), .int8(money.minorUnits), .text(money.currency),
          .timestamptz(microsecondsSinceUnixEpoch: now),
        ] + subject.parameters)
      return Settlement(outcome: try outcome.int32(0, 0))
    }
  }
}
