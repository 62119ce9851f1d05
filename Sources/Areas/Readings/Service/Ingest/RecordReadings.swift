internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IngestService {
  /// Returns when the readings are durable. A repeat of a client's sequence number is acknowledged and not kept again.
  /// They are checked for emergencies first, also where they can't be kept.
  /// - Throws: INVALID_ARGUMENT; RESOURCE_EXHAUSTED; UNAVAILABLE with reason RESEND or DISK_FULL; `CancellationError`.
  ///   After an error other than INVALID_ARGUMENT the readings may be kept or not.
  public func recordReadings(
    _ request: Trackme_Ingest_V1_RecordReadingsRequest, context: CallContext
  ) async throws -> Trackme_Ingest_V1_RecordReadingsResponse {
    let received = clock()
    return try await record(request, from: try context.principal(), receivedAt: received)
  }

  private func record(
    _ request: Trackme_Ingest_V1_RecordReadingsRequest, from principal: Principal, receivedAt: Microseconds
  ) async throws -> Trackme_Ingest_V1_RecordReadingsResponse {
    guard (1...Self.maxRecordReadings).contains(request.readings.count) else {
      throw RPCStatus.invalidArgument(field: "readings", problem: "must be 1 to \(Self.maxRecordReadings) readings")
    }
    let isCounting = !request.clientID.isEmpty
    if isCounting {
      try Self.check(clientID: request.clientID, field: "client_id")
    }
    guard isCounting ? (1...UInt64(Int64.max)).contains(request.sequence) : request.sequence == 0 else {
      throw RPCStatus.invalidArgument(
        field: "sequence", problem: isCounting ? "must be from 1 to 2^63 - 1" : "needs a client_id")
    }
    let names = Array(Set(request.readings.map(\.source)))
    let hadNumbers = sources.knownNumbers(of: names) != nil
    await check(request.readings, names, from: principal, receivedAt: receivedAt)
    var batch: RowBatch
    do {
      guard hasRoomOnDisk else { throw RPCStatus.diskFull }
      if isCounting { _ = try await source(of: request.clientID, field: "client_id", principal) }
      batch = try await rows(request.readings, names, from: principal)
    } catch {
      passing.remember(names)
      throw error
    }
    let rows = batch.rows
    var broken = validate(&batch.columns, by: principal)
    if !hadNumbers, let numbers = sources.knownNumbers(of: names) { rename(names, to: numbers, in: batch.columns) }

    let pending = PendingAcknowledgements(endsWhenStalled: true)
    register(call: pending)
    defer { unregister(call: pending) }
    let session = try await writer.openSession(
      name: isCounting ? principal.clientScope + "/" + request.clientID : nil, owner: pending,
      orStallOf: Self.callPatience)
    guard session.takesBatches else { throw RPCStatus.notStored }
    bound(&batch.columns, &broken)
    let rejections = broken.map { Rejection(index: rows[$0.index], reason: $0.reason, field: $0.field) }
      .sorted { $0.index < $1.index }
    do {
      let committed = try await commit(batch.columns, rejections, sequence: request.sequence, session, pending)
      writer.closeSession(session)
      return .init(acknowledgement: .init(committed))
    } catch {
      writer.closeSession(session)
      throw error
    }
  }

  private func commit(
    _ columns: ReadingColumns, _ rejections: [Rejection], sequence: UInt64, _ session: IngestSession,
    _ pending: PendingAcknowledgements
  ) async throws -> PendingAcknowledgements.Batch {
    var isTaken = false
    defer { if !isTaken { countBack(columns) } }
    try await pending.add(.init(sequence: sequence, accepted: columns.count, rejections: rejections))
    offer: while true {
      switch writer.append(columns, sequence: sequence, of: session) {
      case .queued:
        isTaken = true
        break offer
      case .repeated(let position), .alreadyQueued(let position):
        pending.lastIsRepeat(at: position)
        break offer
      case .full:
        guard try await writer.waitForRoom(orStallOf: Self.callPatience) else { throw RPCStatus.notStored }
      case .superseded: throw RPCStatus.superseded
      case .closed: throw RPCStatus.shuttingDown
      }
    }
    while true {
      switch pending.take() {
      case .committed(let batches): return batches[0]
      case .draining: throw RPCStatus.shuttingDown
      case .resend: throw RPCStatus.notStored
      // Another call of the same client waits until this batch is committed.
      case .superseded, .nothing, .finished: try await pending.wait()
      }
    }
  }

  /// Has the readings checked, before anything that may wait.
  private func check(
    _ readings: [Trackme_Readings_V1_Reading], _ names: [String], from principal: Principal, receivedAt: Microseconds
  ) async {
    guard !taps.isIdle else { return }
    let catalog = metrics.catalog
    var batch = RowBatch(
      readings, metricNumber: { catalog[$0]?.id ?? 0 },
      sourceNumber: { passing.numbers(of: [$0])[0] })
    _ = validate(&batch.columns, by: principal)
    recognise(names, "", in: batch.columns)
    await taps.take(batch.columns, receivedAt: receivedAt, from: 0)
  }

  private func rows(
    _ readings: [Trackme_Readings_V1_Reading], _ names: [String], from principal: Principal
  ) async throws -> RowBatch {
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, try await sourceNumbers(of: names, from: principal)))
    let catalog = metrics.catalog
    return RowBatch(
      readings, metricNumber: { catalog[$0]?.id ?? 0 },
      sourceNumber: { numbers[$0] ?? ReadingRules.invalidSource })
  }
}
