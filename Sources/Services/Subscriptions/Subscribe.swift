internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import Storage
public import WireCodec

extension SubscriptionService: SubscriptionServiceHandler {
  public func subscribe(
    requests: RequestStream<Trackme_Sharing_V1_SubscribeRequest>,
    responses: ResponseWriter<Trackme_Sharing_V1_SubscribeResponse>,
    context: CallContext
  ) async throws {
    let principal = try context.principal()
    guard case .start(let start) = try await requests.next()?.frame else {
      throw RPCStatus.invalidArgument(field: "start", problem: "must be the first frame")
    }
    let filter = try filter(of: start, for: principal)
    let position = try startPosition(of: start)
    guard start.maxOutstanding <= Self.maxOutstanding else {
      throw RPCStatus.invalidArgument(
        field: "start.max_outstanding", problem: "must be at most \(Self.maxOutstanding)")
    }
    let limit = start.maxOutstanding == 0 ? nil : Int(start.maxOutstanding)
    let signal = StreamSignal()
    try await withThrowingTaskGroup(of: Void.self) { group in
      let outstanding = OutstandingFrames(limit: limit, start: position ?? hub.head)
      group.addTask { try await self.receiveAcknowledgements(requests, outstanding, signal) }
      group.addTask { try await self.deliver(filter, after: position, outstanding, signal, responses) }
      // The client may stop acknowledging and go on listening; the sender's end, or any error, ends the call.
      for try await _ in group {}
    }
  }

  /// What the stream delivers, if the caller may see it.
  private func filter(
    of start: Trackme_Sharing_V1_SubscribeStart, for principal: Principal
  ) throws -> ReadingFilter {
    guard start.personIDs.count <= Self.maxPersons else {
      throw RPCStatus.invalidArgument(field: "start.person_ids", problem: "has more than \(Self.maxPersons) entries")
    }
    for (index, person) in start.personIDs.enumerated() {
      guard person > 0 else {
        throw RPCStatus.invalidArgument(field: "start.person_ids[\(index)]", problem: "must be positive")
      }
      guard AccessPolicy.mayRead(principal, of: person) else { throw RPCStatus.notPermitted }
    }
    if start.personIDs.isEmpty, !AccessPolicy.mayReadEveryone(principal) { throw RPCStatus.notPermitted }
    return ReadingFilter(
      persons: start.personIDs.isEmpty ? nil : Set(start.personIDs),
      metrics: try metrics.numbers(of: start.metrics, field: "start.metrics"))
  }

  /// Where the stream begins; nil means now.
  private func startPosition(of start: Trackme_Sharing_V1_SubscribeStart) throws -> LogPosition? {
    if !start.cursor.isEmpty { return try hub.position(of: start.cursor, field: "start.cursor") }
    switch start.startAt {
    case .unspecified, .now: return nil
    case .beginning: return 0
    case .unrecognized:
      throw RPCStatus.invalidArgument(field: "start.start_at", problem: "is not a known value")
    }
  }

  private func receiveAcknowledgements(
    _ requests: RequestStream<Trackme_Sharing_V1_SubscribeRequest>, _ outstanding: OutstandingFrames,
    _ signal: StreamSignal
  ) async throws {
    while let request = try await requests.next() {
      guard case .acknowledgement(let acknowledgement) = request.frame else {
        throw RPCStatus.invalidArgument(field: "acknowledgement", problem: "must be in every frame after the first")
      }
      guard let cursor = Cursor(text: acknowledgement.cursor), outstanding.acknowledge(cursor.position) else {
        throw RPCStatus.invalidArgument(
          field: "acknowledgement.cursor", problem: "is not a cursor that this stream has sent")
      }
      signal.signal(.acknowledged)
    }
  }

  /// Takes the next readings and sends them; waits where there are none.
  private func deliver(
    _ filter: ReadingFilter, after position: LogPosition?, _ outstanding: OutstandingFrames, _ signal: StreamSignal,
    _ responses: ResponseWriter<Trackme_Sharing_V1_SubscribeResponse>
  ) async throws {
    var follower = Follower(hub: hub, pool: pool, filter: filter, after: position, signal: signal)
    // The first frame tells a client that begins with what is new where that is.
    var sent = follower.position
    outstanding.beating(sent)
    try await responses.send(heartbeat(at: sent))
    var isBeatDue = false
    // Frames out of storage that are still to be sent, the next one last.
    var stored: [ArraySlice<CatchUpReader.Row>] = []
    while true {
      // A stream that always has something to send must end too.
      if signal.isDraining { throw RPCStatus.shuttingDown }
      if outstanding.hasRoom {
        if let frame = stored.popLast() {
          sent = frame[frame.endIndex - 1].position
          outstanding.sending(sent)
          try await responses.send(try await response(frame, through: sent))
          continue
        }
        switch try await follower.next() {
        case .live(let slice):
          sent = slice.through
          outstanding.sending(sent)
          try await responses.sendEncoded(slice.message { encode($0) })
          continue
        case .stored(let rows):
          stored = rows.frames(maxBytes: Feed.sliceBytes).reversed()
          continue
        case .upToDate:
          sent = follower.position
        }
      }
      if isBeatDue {
        outstanding.beating(sent)
        try await responses.send(heartbeat(at: sent))
      }
      let reasons = await signal.wait()
      if reasons.contains(.cancelled) { throw CancellationError() }
      if reasons.contains(.drain) { throw RPCStatus.shuttingDown }
      isBeatDue = reasons.contains(.heartbeat)
    }
  }

  private func heartbeat(at position: LogPosition) -> Trackme_Sharing_V1_SubscribeResponse {
    .init(cursor: Cursor(position: position).text, frame: .heartbeat(.init()))
  }

  /// The frame of a slice. Its sources were registered by the batches that brought them in.
  private func encode(_ slice: FeedSlice) -> RPCMessage {
    let columns = slice.columns
    let names = sources.namesAtHand(of: columns)
    return Trackme_Sharing_V1_SubscribeResponse(
      cursor: Cursor(position: slice.through).text,
      frame: .delivery(.init(readings: .init(columns) { names[$0] ?? "" }))
    ).encodedMessage()
  }

  /// The frame of what storage holds.
  private func response(
    _ rows: ArraySlice<CatchUpReader.Row>, through position: LogPosition
  ) async throws -> Trackme_Sharing_V1_SubscribeResponse {
    var columns = ReadingColumns()
    for row in rows { columns.append(contentsOf: row.columns) }
    let names = try await sources.names(of: columns.sources)
    return .init(
      cursor: Cursor(position: position).text,
      frame: .delivery(.init(readings: .init(columns) { names[$0] ?? "" }, catchingUp: true)))
  }
}
