internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import Storage
public import WireCodec

extension IngestService {
  public func recordReadings(
    _ request: Trackme_Ingest_V1_RecordReadingsRequest, context: CallContext
  ) async throws -> Trackme_Ingest_V1_RecordReadingsResponse {
    let received = clock()
    let principal = try context.pusher()
    return try await withPermissions(of: principal) {
      try await record(request, from: principal, receivedAt: received)
    }
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
    check(request.readings, from: principal, receivedAt: receivedAt)
    guard hasRoomOnDisk else { throw RPCStatus.diskFull }
    if isCounting { _ = try await source(of: request.clientID, field: "client_id", principal) }
    var batch = try await rows(request.readings, from: principal)
    let rows = batch.rows
    var broken = validate(&batch.columns, by: principal)
    bound(&batch.columns, &broken)
    let rejections = broken.map { Rejection(index: rows[$0.index], reason: $0.reason, field: $0.field) }
      .sorted { $0.index < $1.index }
    let names = Array(Set(request.readings.map(\.source)))
    if let numbers = sources.knownNumbers(of: names) { rename(names, to: numbers, in: batch.columns) }

    let pending = PendingAcknowledgements()
    let session = try await writer.openSession(
      name: isCounting ? principal.clientScope + "/" + request.clientID : nil, owner: pending)
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
    try await pending.add(.init(sequence: sequence, accepted: columns.count, rejections: rejections))
    offer: while true {
      switch writer.append(columns, sequence: sequence, of: session) {
      case .queued: break offer
      case .repeated(let position), .alreadyQueued(let position):
        countBack(columns)
        pending.lastIsRepeat(at: position)
        break offer
      case .full: try await writer.waitForRoom()
      case .superseded: throw RPCStatus.superseded
      case .closed: throw RPCStatus.shuttingDown
      }
    }
    while true {
      switch pending.take() {
      case .committed(let batches): return batches[0]
      case .draining, .resend: throw RPCStatus.shuttingDown
      // Another call of the same client waits until this batch is committed.
      case .superseded, .nothing, .finished: try await pending.wait()
      }
    }
  }

  /// Has the readings checked, before anything that may wait.
  private func check(
    _ readings: [Trackme_Readings_V1_Reading], from principal: Principal, receivedAt: Microseconds
  ) {
    guard let monitor, !monitor.isIdle else { return }
    let catalog = metrics.catalog
    var batch = RowBatch(
      readings, metricNumber: { catalog[$0]?.id ?? 0 },
      sourceNumber: { PassingSources.numbers(of: [$0], sources)[0] })
    _ = validate(&batch.columns, by: principal)
    monitor.take(batch.columns, receivedAt: receivedAt, from: 0)
  }

  private func rows(
    _ readings: [Trackme_Readings_V1_Reading], from principal: Principal
  ) async throws -> RowBatch {
    let names = Array(Set(readings.map(\.source)))
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, try await sourceNumbers(of: names, from: principal)))
    let catalog = metrics.catalog
    return RowBatch(
      readings, metricNumber: { catalog[$0]?.id ?? 0 },
      sourceNumber: { numbers[$0] ?? ReadingRules.invalidSource })
  }
}
