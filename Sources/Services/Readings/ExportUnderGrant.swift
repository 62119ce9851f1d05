internal import Domain
internal import RPCRuntime
internal import ServiceAPI
internal import Storage
internal import WireCodec

extension ReadingService {
  /// How long after its end a minute or an hour is taken for complete: what comes later was late.
  private static let settlingTime: Microseconds = 45_000_000
  /// The most readings of a part of an export.
  private static let partReadings = 10_000
  private static let frameReadings = 1_000

  /// Exports what a grant covers, hour by hour, until the end or until the grant ends.
  func exportUnderGrant(
    _ request: Trackme_Readings_V1_ExportReadingsRequest, for thirdParty: AccountID,
    _ responses: ResponseWriter<Trackme_Readings_V1_ExportReadingsResponse>, _ context: CallContext
  ) async throws {
    let asked = try metrics.numbers(of: request.metrics, field: "metrics")
    let interval = try interval(fromUs: request.fromUs, toUs: request.toUs)
    let gate = GrantGate(grant: request.accessRequestID)
    watch.open(gate)
    defer { watch.close(gate) }
    // Everything up to here was committed before the grant can end; what comes while the export runs is left out.
    let head = hub.head
    // Read after the gate was opened: no end of the grant falls between the two.
    let grant = try await grant(request, for: thirdParty)
    let scope = grant.scope
    let numbers = scope.metrics.filter { asked?.contains($0) ?? true }.sorted()
    let wanted = scope.granularity.widened(interval).clamped(to: scope.time)
    guard !numbers.isEmpty, !wanted.isEmpty else { return }

    // Minutes and hours are shown when they are over: else their first readings would be shown one by one.
    let over = scope.granularity == .second ? .max : scope.granularity.start(of: clock() - Self.settlingTime)
    let granted = GrantedDelivery(grant, gate, kind: .export, ledger: disclosures)
    try await granted.run(on: context.call) {
      try await self.export(granted, numbers, in: wanted, over: over, through: head, responses)
    }
  }

  /// - Parameters:
  ///   - over: what was taken at or after it is not shown yet.
  ///   - head: what was committed after it is left out.
  private func export(
    _ granted: GrantedDelivery, _ numbers: [MetricID], in wanted: Range<Microseconds>, over: Microseconds,
    through head: LogPosition, _ responses: ResponseWriter<Trackme_Readings_V1_ExportReadingsResponse>
  ) async throws {
    let (grant, granularity) = (granted.grant, granted.grant.scope.granularity)
    var rest: Range<Microseconds>? = wanted
    while let interval = rest {
      let part = try await store.part(
        of: grant.person, metrics: numbers, in: interval, through: head, readings: Self.partReadings)
      rest = part.rest
      let shown = part.columns.taken(in: min(interval.lowerBound, over)..<over).shown(at: granularity)
      for start in stride(from: 0, to: shown.count, by: Self.frameReadings) {
        var frame = ReadingColumns()
        frame.append((start..<min(start + Self.frameReadings, shown.count)).map { Int32($0) }, of: shown)
        let rows = try await rows(frame)
        try await granted.note(frame, after: head, through: head)
        // Nothing goes out after the grant has ended, not even what was read before.
        if let end = granted.gate.end { throw RPCStatus.accessEnded(end.change.state, at: end.position) }
        try await responses.send(.init(readings: rows))
      }
    }
  }

  private func grant(
    _ request: Trackme_Readings_V1_ExportReadingsRequest, for thirdParty: AccountID
  ) async throws -> AccessRecord {
    guard let grant = try await access.find(request.accessRequestID), grant.thirdParty == thirdParty,
      request.personID == 0 || request.personID == grant.person
    else {
      throw RPCStatus.failure(
        .notFound, reason: "NO_ACCESS_REQUEST", message: "access_request_id is no request of yours for this person")
    }
    switch grant.state {
    case .accepted: return grant
    case .pending, .refused:
      throw RPCStatus.failure(
        .permissionDenied, reason: "NOT_GRANTED", message: "the request is \(grant.state)",
        metadata: ["state": "\(grant.state)"])
    case .withdrawn, .revoked, .expired: throw RPCStatus.accessEnded(grant.state, at: grant.position)
    }
  }
}
