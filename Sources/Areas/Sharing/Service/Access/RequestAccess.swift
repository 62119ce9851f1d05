internal import Domain
internal import IdentityRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AccessService: AccessServiceHandler {
  /// How long it takes to say that nobody is found: the same for a code that nobody has and for a person under 18,
  /// and longer than finding either out.
  private static let missTime: Duration = .milliseconds(150)
  /// How often a request is tried whose condition held again when it was looked for what was wrong.
  private static let tries = 5

  /// Nobody learns from it who is registered: a code that nobody has and a person under 18 are answered alike, after
  /// the same time, and lookups are counted. A repeat of the request id is answered with the request that it made. With a
  /// price, it has the page to pay on if the provider has given it by then.
  /// - Throws: INVALID_ARGUMENT; NOT_FOUND with reason NO_SUCH_PERSON; RESOURCE_EXHAUSTED with reason
  ///   TOO_MANY_REQUESTS, or after too many lookups; `CancellationError` while it waits.
  public func requestAccess(
    _ request: Trackme_Sharing_V1_RequestAccessRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_RequestAccessResponse {
    let began = ContinuousClock.now
    let thirdParty = try context.account()
    let (code, scope) = try validated(request)
    if !request.requestID.isEmpty,
      let known = try await access.find(thirdParty: thirdParty, requestID: request.requestID)
    {
      return try await made(known)
    }
    guard
      let person = try await lookups.counted(
        for: thirdParty, { try await access.adult(withFiscalCode: code.text, on: clock()) })
    else {
      try await Task.sleep(until: began + Self.missTime)
      throw RPCStatus.failure(
        .notFound, reason: "NO_SUCH_PERSON", message: "no person who could be asked has this fiscal code")
    }
    let proposal = AccessProposal(
      thirdParty: thirdParty, person: person, requestID: request.requestID.isEmpty ? nil : request.requestID,
      scope: scope, purpose: request.purpose, price: price)
    for _ in 0..<Self.tries {
      if let id = try await access.request(proposal, at: clock()) {
        return try await made(try await record(id, of: thirdParty))
      }
      // The same request came twice at once, too many wait, or an account ended just now.
      if let requestID = proposal.requestID,
        let known = try await access.find(thirdParty: thirdParty, requestID: requestID)
      {
        return try await made(known)
      }
      if try await access.isFull(thirdParty: thirdParty, person: person) {
        throw RPCStatus.failure(
          .resourceExhausted, reason: "TOO_MANY_REQUESTS",
          message: """
            at most \(AccessRegistry.maxPendingPerPerson) requests may wait for a person, and \
            \(AccessRegistry.maxPending) in all
            """)
      }
    }
    throw RPCStatus.failure(
      .notFound, reason: "NO_SUCH_PERSON", message: "no person who could be asked has this fiscal code")
  }

  /// A request for who has made it, with the page to pay on.
  private func made(_ record: AccessRecord) async throws -> Trackme_Sharing_V1_RequestAccessResponse {
    guard record.state == .awaitingPayment, let payment = record.payment, payment.url.isEmpty else {
      return .init(accessRequest: wire(record, for: record.thirdParty))
    }
    await desk.begin(payment.id)
    // Whatever has become of it meanwhile.
    return .init(
      accessRequest: wire(try await self.record(record.id, of: record.thirdParty), for: record.thirdParty))
  }

  /// What is asked, with every field checked.
  private func validated(
    _ request: Trackme_Sharing_V1_RequestAccessRequest
  ) throws -> (code: FiscalCode, scope: AccessScope) {
    var faults = Violations()
    faults.addRequestID(request.requestID)
    faults.add(
      "purpose", PlainText.problem(request.purpose, length: 1...Self.maxPurposeCharacters, isParagraph: true))
    var code: FiscalCode?
    do throws(FiscalCodeError) { code = try FiscalCode(request.fiscalCode) } catch {
      faults.add("fiscal_code", error.problem)
    }
    let scope = scope(request.scope ?? .init(), &faults)
    try faults.check()
    guard let code, let scope else { throw RPCStatus.invalidArgument(field: "scope", problem: "is not complete") }
    return (code, scope)
  }

  private func scope(_ wire: Trackme_Sharing_V1_AccessScope, _ faults: inout Violations) -> AccessScope? {
    let numbers = faults.metrics(wire.metrics, "scope.metrics", count: 1...Self.maxMetrics, in: metrics.catalog)
    let granularity = Granularity.allCases.first { Int32($0.rawValue) == wire.granularity.rawValue }
    if granularity == nil { faults.add("scope.granularity", "must be SECOND, MINUTE or HOUR") }
    let from = time(wire.from, "scope.from", &faults) ?? .min
    let to = time(wire.to, "scope.to", &faults) ?? .max
    if from >= to { faults.add("scope.to", "must be after scope.from") }
    if let granularity {
      // A cut interval would show a part of a minute or an hour for the whole.
      let unit = "\(granularity)"
      if from != .min, granularity.start(of: from) != from {
        faults.add("scope.from", "must be a whole \(unit)")
      }
      if to != .max, granularity.start(of: to) != to {
        faults.add("scope.to", "must be a whole \(unit)")
      }
    }
    guard faults.isEmpty, let granularity else { return nil }
    return AccessScope(metrics: numbers, time: from..<to, granularity: granularity)
  }

  private func time(
    _ time: Google_Protobuf_Timestamp?, _ field: String, _ faults: inout Violations
  ) -> Microseconds? {
    guard let time else { return nil }
    do { return try time.microseconds(field: field) } catch {
      faults.add(field, "must be a time from year 1 to year 9999")
      return nil
    }
  }
}
