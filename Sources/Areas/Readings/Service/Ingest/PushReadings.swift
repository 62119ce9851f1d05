internal import Domain
internal import Log
internal import Postgres
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IngestService: IngestServiceHandler {
  /// Batches are acknowledged when they are durable, in their order. Those that can't be stored now are checked for
  /// emergencies all the same and not acknowledged. When the client closes its side, it ends after the last
  /// acknowledgement.
  /// - Throws: INVALID_ARGUMENT for a frame that can't be; RESOURCE_EXHAUSTED with reason TOO_MANY_NAMES; ABORTED with
  ///   reason SUPERSEDED when a newer stream of the same client has taken over; UNAVAILABLE, whose reason says whether
  ///   the server ends or could not store; `CancellationError`. What was not acknowledged may be kept or not.
  public func pushReadings(
    requests: RequestStream<Trackme_Ingest_V1_PushReadingsRequest>,
    responses: ResponseWriter<Trackme_Ingest_V1_PushReadingsResponse>,
    context: CallContext
  ) async throws {
    try await push(requests, responses, from: try context.principal())
  }

  private func push(
    _ requests: RequestStream<Trackme_Ingest_V1_PushReadingsRequest>,
    _ responses: ResponseWriter<Trackme_Ingest_V1_PushReadingsResponse>, from principal: Principal
  ) async throws {
    guard case .hello(let hello) = try await requests.next()?.frame else {
      throw RPCStatus.invalidArgument(field: "hello", problem: "must be the first frame")
    }
    try Self.check(clientID: hello.clientID, field: "hello.client_id")
    let client = try await client(hello.clientID, principal)

    let pending = PendingAcknowledgements()
    let session = try await writer.openSession(
      name: principal.clientScope + "/" + hello.clientID, owner: pending, orStallOf: Self.stallTime)
    register(pending)
    if !client.isRegistered {
      stopKeeping(pending, lacking: [client.name], of: principal)
    } else if !session.takesBatches {
      stopKeeping(pending, of: principal)
    }
    let stream = PushStream(
      service: self, principal: principal, session: session, pending: pending, client: client,
      number: taps.newStream())
    var endsInOrder = false
    defer { taps.streamEnded(stream.number, inOrder: endsInOrder) }
    do {
      try await responses.send(.init(frame: .welcome(stream.welcome)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await stream.read(requests) }
        group.addTask { try await stream.acknowledge(on: responses) }
        // The sender ends when everything is acknowledged; the first error ends both.
        for try await _ in group {}
      }
    } catch {
      unregister(pending)
      writer.closeSession(session)
      throw error
    }
    endsInOrder = true
    unregister(pending)
    writer.closeSession(session)
  }

  /// The client of a stream. If the database does not say the number of its source in time, its readings can be judged all
  /// the same.
  /// - Throws: as `source(of:field:_:)`.
  private func client(_ name: String, _ principal: Principal) async throws -> PushingClient {
    do {
      let source = try await source(of: name, field: "hello.client_id", principal)
      return PushingClient(name: name, source: source, isRegistered: true)
    } catch let error as PostgresError where error.isForNow {
      return PushingClient(name: name, source: PassingSources.number(of: name), isRegistered: false)
    }
  }

  /// The source of a client's readings that name none. It also bounds how many clients a person can have.
  /// - Throws: RESOURCE_EXHAUSTED if the caller has brought too many names; `PostgresError`.
  func source(of clientID: String, field: String, _ principal: Principal) async throws -> SourceID {
    let number = try await sourceNumbers(of: [clientID], from: principal)[0]
    guard number != ReadingRules.invalidSource else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_NAMES",
        message: "\(field): at most \(SourceRegistry.maxNamesPerPerson) names of clients and sources a person")
    }
    return number
  }

  /// Client names are part of keys and of messages to operators: short and printable.
  static func check(clientID: String, field: String) throws {
    guard (1...maxClientBytes).contains(clientID.utf8.count), clientID.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw RPCStatus.invalidArgument(
        field: field, problem: "must be 1 to \(maxClientBytes) printable ASCII characters")
    }
  }
}

/// One stream of batches: a reader and a sender of acknowledgements.
private struct PushStream: Sendable {
  let service: IngestService
  let principal: Principal
  let session: IngestSession
  let pending: PendingAcknowledgements
  let client: PushingClient
  let number: StreamNumber

  var welcome: Trackme_Ingest_V1_PushWelcome {
    .init(
      lastSequence: session.firstSequence, maxBatchReadings: UInt32(IngestService.maxBatchReadings),
      maxBatchBytes: UInt32(IngestService.maxFrameBytes))
  }

  private enum Outcome {
    case kept
    /// Nothing can be stored now: the batch was checked and not kept.
    case notKept
    /// The server is ending and takes no more batches.
    case ending
  }

  /// Receive, validate, check, offer to the log; again. When nothing can be stored, batches are still checked: an alarm
  /// does not wait for the database.
  func read(_ requests: RequestStream<Trackme_Ingest_V1_PushReadingsRequest>) async throws {
    var isKeeping = client.isRegistered && session.takesBatches
    while let (request, received) = try await requests.next(stampedBy: service.clock) {
      switch request.frame {
      case .batch(let batch):
        switch try await take(batch, receivedAt: received, isKeeping: isKeeping) {
        case .kept: break
        case .notKept: isKeeping = false
        case .ending: return
        }
      case .deviceReport(let report): service.take(report, from: principal, at: received)
      default: throw RPCStatus.invalidArgument(field: "batch", problem: "must be in every frame after the first")
      }
    }
    if isKeeping { pending.finish() } else { pending.resend() }
  }

  /// Validates and checks a batch and offers it to the log.
  private func take(
    _ batch: Trackme_Ingest_V1_ReadingBatch, receivedAt: Microseconds, isKeeping: Bool
  ) async throws -> Outcome {
    guard batch.sequence > 0, batch.sequence <= UInt64(Int64.max) else {
      throw RPCStatus.invalidArgument(field: "batch.sequence", problem: "must be from 1 to 2^63 - 1")
    }
    let wire = batch.readings ?? .init()
    guard wire.readingCount <= IngestService.maxBatchReadings else {
      throw RPCStatus.invalidArgument(
        field: "batch.readings", problem: "has more than \(IngestService.maxBatchReadings) readings")
    }
    var valid = try service.check(
      wire, from: principal, by: client, field: "batch.readings", receivedAt: receivedAt, stream: number)
    if let progress = valid.unchecked {
      await service.checkRest(valid.columns, after: progress, receivedAt: receivedAt, stream: number)
    }
    guard isKeeping, service.hasRoomOnDisk else {
      if !valid.hasNumbers { service.passing.remember(wire.sources + [client.name]) }
      if isKeeping { service.stopKeeping(pending, of: principal) }
      return .notKept
    }
    if !valid.hasNumbers {
      do {
        valid = try await service.registered(wire, from: principal, by: client, field: "batch.readings")
      } catch let error as PostgresError where error.isForNow {
        service.passing.remember(wire.sources)
        service.stopKeeping(pending, lacking: wire.sources, of: principal)
        return .notKept
      }
    }
    service.bound(&valid.columns, &valid.rejections)
    let columns = valid.columns
    var isTaken = false
    defer { if !isTaken { service.countBack(columns) } }
    let added = PendingAcknowledgements.Batch(
      sequence: batch.sequence, accepted: columns.count, rejections: valid.rejections)
    let addition: PendingAcknowledgements.Addition
    if let atOnce = pending.addAtOnce(added) { addition = atOnce } else { addition = try await pending.add(added) }
    switch addition {
    case .added: break
    case .draining: return .ending
    case .stalled:
      service.stopKeeping(pending, of: principal)
      return .notKept
    }
    while true {
      switch service.writer.append(columns, sequence: batch.sequence, of: session) {
      case .queued:
        isTaken = true
        return .kept
      case .repeated(let position), .alreadyQueued(let position):
        pending.lastIsRepeat(at: position)
        return .kept
      case .full:
        guard try await service.writer.waitForRoom(orStallOf: IngestService.stallTime) else {
          pending.dropLast()
          service.stopKeeping(pending, of: principal)
          return .notKept
        }
      case .superseded: throw RPCStatus.superseded
      case .closed: throw RPCStatus.shuttingDown
      }
    }
  }

  /// Sends acknowledgements, as many in one frame as are ready.
  func acknowledge(on responses: ResponseWriter<Trackme_Ingest_V1_PushReadingsResponse>) async throws {
    while true {
      switch pending.take() {
      case .committed(let batches):
        try await responses.send(
          .init(
            frame: .acknowledgements(.init(acknowledgements: batches.map(Trackme_Ingest_V1_BatchAcknowledgement.init))))
        )
      case .nothing: try await pending.wait()
      case .finished: return
      case .superseded: throw RPCStatus.superseded
      case .draining: throw RPCStatus.shuttingDown
      case .resend:
        guard service.hasRoomOnDisk else { throw RPCStatus.diskFull }
        throw RPCStatus.failure(
          .unavailable, reason: "RESEND",
          message: "Batches after the last acknowledgement were not kept; reconnect and send them again.")
      }
    }
  }
}

extension IngestService {
  /// A device says how it is. Of persons for whom the caller may not push nothing is taken.
  func take(_ report: Trackme_Ingest_V1_DeviceReport, from principal: Principal, at now: Microseconds) {
    let bridged: Set<PersonID> = if case .bridge(let bridge) = principal { bridges.persons(of: bridge) } else { [] }
    guard AccessPolicy.mayPush(principal, for: report.personID, bridged: bridged) else { return }
    let isWorn: Bool? =
      switch report.wearState {
      case .worn: true
      case .notWorn: false
      default: nil
      }
    taps.report(report.personID, isWorn: isWorn, hasLowBattery: report.hasLowBattery, at: now)
  }
}

extension PostgresError {
  /// Whether the database is away, hangs or has too much to do: the same may succeed later.
  var isForNow: Bool {
    switch kind {
    case .connection, .timeout, .poolExhausted, .unknownOutcome, .cancelled, .cluster: true
    default: isRetriable || isConnectionLost
    }
  }
}

extension Trackme_Ingest_V1_BatchAcknowledgement {
  init(_ batch: PendingAcknowledgements.Batch) {
    self.init(
      sequence: batch.sequence, position: batch.position, accepted: UInt32(batch.accepted),
      rejected: UInt32(batch.rejections.count), repeated: batch.isRepeat,
      rejections: batch.rejections.map(Trackme_Ingest_V1_Rejection.init))
  }
}

extension Trackme_Ingest_V1_Rejection {
  init(_ rejection: Rejection) {
    self.init(
      index: UInt32(rejection.index), reason: .init(rawValue: rejection.reason.rawValue), field: rejection.field)
  }
}
