public import Domain
internal import Log
public import Payments
internal import Postgres

/// What a third party asks for.
public struct AccessProposal: Sendable {
  public let thirdParty: AccountID
  public let person: PersonID
  /// The third party's own name for it, by which a repeat is known; nil if it gave none.
  public let requestID: String?
  public let scope: AccessScope
  public let purpose: String
  /// What it costs if the person accepts; nil: nothing.
  public let price: Money?

  public init(
    thirdParty: AccountID, person: PersonID, requestID: String?, scope: AccessScope, purpose: String,
    price: Money? = nil
  ) {
    self.thirdParty = thirdParty
    self.person = person
    self.requestID = requestID
    self.scope = scope
    self.purpose = purpose
    self.price = price
  }
}

// Every change of a request is an entry of the log: its position is where the new state begins.

extension AccessRegistry {
  /// Makes a request and tells the person; with a price, it waits for the payment.
  ///
  /// - Returns: its number; nil if the third party has asked under this request id before, if it has as many requests
  ///   waiting as it may have, or one of the two accounts has ended.
  /// - Throws: `PostgresError`; `CancellationError`, after which the request may be there.
  public func request(_ proposal: AccessProposal, at now: Microseconds) async throws -> AccessRequestID? {
    let id = try await pool.withConnection { connection in
      try connection.query("SELECT nextval(pg_get_serial_sequence('access_request', 'id'))", []).int64(0, 0)
    }
    let entry = LogEntry(
      AccessChange(
        request: id, person: proposal.person, thirdParty: proposal.thirdParty,
        state: proposal.price == nil ? .pending : .awaitingPayment, time: now))
    let position = try await writer.append(
      EntryRequest(
        entry,
        sql: "SELECT add_access_request($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        [
          .int8(id), .int8(proposal.thirdParty), .int8(proposal.person),
          proposal.requestID.map { .text($0) } ?? .null(25),
          .int4Array(proposal.scope.metrics.sorted()), .int8(proposal.scope.time.lowerBound),
          .int8(proposal.scope.time.upperBound), .int2(proposal.scope.granularity.rawValue), .text(proposal.purpose),
          .timestamptz(microsecondsSinceUnixEpoch: now), .int4(Int32(Self.maxPendingPerPerson)),
          .int4(Int32(Self.maxPending)), proposal.price.map { .int8($0.minorUnits) } ?? .null(TypeOID.int8),
          proposal.price.map { .text($0.currency) } ?? .null(TypeOID.text),
          .timestamptz(microsecondsSinceUnixEpoch: now + Self.payTime),
        ]))
    return position == nil ? nil : id
  }

  /// Changes the state of a request.
  ///
  /// - Parameters:
  ///   - record: the request; only its numbers are used.
  ///   - states: the only ones in which it may be; nil: all that allow the change.
  /// - Returns: the position from which the new state holds; nil if the state it is in does not allow the change.
  /// - Throws: `PostgresError`; `CancellationError`, after which the change may have been made.
  public func change(
    _ record: AccessRecord, to state: AccessState, from states: [AccessState]? = nil, at now: Microseconds
  ) async throws -> LogPosition? {
    try await writer.append(entry(record, to: state, from: states, at: now))
  }

  func entry(
    _ record: AccessRecord, to state: AccessState, from states: [AccessState]? = nil, at now: Microseconds
  ) -> EntryRequest {
    let entry = LogEntry(
      AccessChange(
        request: record.id, person: record.person, thirdParty: record.thirdParty, state: state, time: now))
    return EntryRequest(
      entry,
      sql: """
        SELECT change_access($1, $2, $3, $4, $5, $6, $7 * interval '1 microsecond', $8 * interval '1 microsecond')
        """,
      [
        .int8(record.id), .int2(state.rawValue), .int2Array((states ?? state.predecessors).map(\.rawValue)),
        .timestamptz(microsecondsSinceUnixEpoch: now), .int8(AccessRules.afterEnd), .int8(Self.answerTime),
      ])
  }
}
