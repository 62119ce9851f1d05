internal import Domain
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import Sharing
internal import WireCodec

extension ReadingService {
  /// The most readings of a part of an export.
  private static let partReadings = 10_000

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
    let watermark = try await watermarks.newest(at: clock())
    try await hub.reach(watermark.position)
    let head = hub.head
    // Read after the gate was opened: no end of the grant falls between the two.
    let grant = try await grant(request, for: thirdParty)
    let scope = grant.scope
    let numbers = exported(scope.metrics.filter { asked?.contains($0) ?? true }.sorted(), as: request.format)
    let wanted = scope.granularity.widened(interval).clamped(to: scope.time)
    guard !numbers.isEmpty, !wanted.isEmpty else { return }

    let granted = GrantedDelivery(grant, gate, kind: .export, ledger: disclosures)
    let observed = ObservationScope(
      person: grant.person, metrics: Set(numbers), granularity: scope.granularity, accessRequest: grant.id)
    let form = form(request.format, observed)
    try await granted.run(on: context.call) {
      var form = form
      if scope.granularity == .second {
        try await self.exportSeconds(granted, numbers, in: wanted, through: head, &form, responses)
      } else {
        try await self.exportIntervals(
          granted, numbers, in: wanted, closedBy: watermark, through: head, &form, responses)
      }
      try await self.send(try self.lastMessages(in: form), granted, responses)
    }
  }

  /// Seconds, as they are known now.
  ///
  /// - Parameter head: what was committed after it is left out.
  private func exportSeconds(
    _ granted: GrantedDelivery, _ numbers: [MetricID], in wanted: Range<Microseconds>, through head: LogPosition,
    _ form: inout ExportForm, _ responses: ResponseWriter<Trackme_Readings_V1_ExportReadingsResponse>
  ) async throws {
    var rest: Range<Microseconds>? = wanted
    while let interval = rest {
      let part = try await store.part(
        of: granted.grant.person, metrics: numbers, in: interval, through: head, readings: Self.partReadings)
      rest = part.rest
      try await send(part.columns.shown(at: .second), through: head, granted, &form, responses)
    }
  }

  /// Minutes or hours, those that are closed: see `ShownIntervals`.
  private func exportIntervals(
    _ granted: GrantedDelivery, _ numbers: [MetricID], in wanted: Range<Microseconds>,
    closedBy newest: Watermark, through head: LogPosition, _ form: inout ExportForm,
    _ responses: ResponseWriter<Trackme_Readings_V1_ExportReadingsResponse>
  ) async throws {
    let grant = granted.grant
    var (watermark, head) = (newest, head)
    var isRenewed = false
    var rest: Range<Microseconds>? = wanted
    while let interval = rest {
      let part = try await store.shown(
        of: grant.person, metrics: numbers, at: grant.scope.granularity, in: interval, closedBy: watermark,
        readings: Self.partReadings)
      if let uncovered = part.uncovered, !isRenewed {
        // Something of the past has come since the watermark was made, such as a history that was imported.
        isRenewed = true
        watermark = try await watermarks.newest(at: clock(), covering: uncovered)
        try await hub.reach(watermark.position)
        head = max(head, watermark.position)
        continue
      }
      rest = part.rest
      try await send(part.columns, through: head, granted, &form, responses)
    }
  }

  private func send(
    _ shown: ReadingColumns, through head: LogPosition, _ granted: GrantedDelivery, _ form: inout ExportForm,
    _ responses: ResponseWriter<Trackme_Readings_V1_ExportReadingsResponse>
  ) async throws {
    var start = 0
    while start < shown.count {
      let end = Self.frameEnd(of: shown, from: start)
      var frame = ReadingColumns()
      frame.append((start..<end).map { Int32($0) }, of: shown)
      start = end
      let messages = try await messages(of: [frame], in: &form)
      try await granted.note(frame, after: head, through: head)
      try await send(messages, granted, responses)
    }
  }

  /// Where the readings of one message end.
  private static func frameEnd(of shown: ReadingColumns, from start: Int) -> Int {
    let firstWaveform = shown.scalars.count + shown.positions.count
    var end = start
    var bytes = 0
    while end < shown.count, end - start < frameReadings, bytes < frameBytes {
      if end >= firstWaveform { bytes += Int(shown.waveforms.sampleCount[end - firstWaveform]) * 8 }
      end += 1
    }
    return end
  }

  private func send(
    _ messages: [Trackme_Readings_V1_ExportReadingsResponse], _ granted: GrantedDelivery,
    _ responses: ResponseWriter<Trackme_Readings_V1_ExportReadingsResponse>
  ) async throws {
    for message in messages {
      // Nothing goes out after the grant has ended, not even what was read before.
      if let end = granted.gate.end { throw RPCStatus.accessEnded(end.change.state, at: end.position) }
      try await responses.send(message)
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
    case .awaitingPayment, .pending, .refused:
      throw RPCStatus.failure(
        .permissionDenied, reason: "NOT_GRANTED", message: "the request is \(grant.state)",
        metadata: ["state": "\(grant.state)"])
    case .withdrawn, .revoked, .expired: throw RPCStatus.accessEnded(grant.state, at: grant.position)
    }
  }
}
