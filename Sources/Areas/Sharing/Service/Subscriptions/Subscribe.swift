internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension SubscriptionService: SubscriptionServiceHandler {
  /// Delivers in the order of the log until the call ends; the client may acknowledge cursors, and no more frames are
  /// under way than it has asked for. When it stops sending, delivery goes on.
  /// - Throws: INVALID_ARGUMENT for a frame that can't be; PERMISSION_DENIED; UNAVAILABLE when the server ends;
  ///   `CancellationError`.
  public func subscribe(
    requests: RequestStream<Trackme_Sharing_V1_SubscribeRequest>,
    responses: ResponseWriter<Trackme_Sharing_V1_SubscribeResponse>,
    context: CallContext
  ) async throws {
    let principal = try context.principal()
    guard case .start(let start) = try await requests.next()?.frame else {
      throw RPCStatus.invalidArgument(field: "start", problem: "must be the first frame")
    }
    let position = try startPosition(of: start)
    guard start.maxOutstanding <= Self.maxOutstanding else {
      throw RPCStatus.invalidArgument(
        field: "start.max_outstanding", problem: "must be at most \(Self.maxOutstanding)")
    }
    let outstanding = OutstandingFrames(
      limit: start.maxOutstanding == 0 ? nil : Int(start.maxOutstanding), start: position ?? hub.head)
    let signal = StreamSignal()
    let frames = SubscribeFrames(responses: responses, outstanding: outstanding, seal: seal, signal: signal)
    if start.subscriptionID != 0 {
      try await subscribeUnderGrant(start, for: principal, after: position, requests, frames, context)
      return
    }
    let filter = try filter(of: start, for: principal)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.receiveAcknowledgements(requests, frames) }
      group.addTask { try await self.deliver(filter, after: position, frames) }
      // The client may stop acknowledging and go on listening; the sender's end, or any error, ends the call.
      for try await _ in group {}
    }
  }

  /// What the stream of a person or the operator delivers, if the caller may see it.
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
    if !start.cursor.isEmpty { return try hub.position(of: start.cursor, field: "start.cursor", seal) }
    switch start.startAt {
    case .unspecified, .now: return nil
    case .beginning: return 0
    case .unrecognized:
      throw RPCStatus.invalidArgument(field: "start.start_at", problem: "is not a known value")
    }
  }

  func receiveAcknowledgements(
    _ requests: RequestStream<Trackme_Sharing_V1_SubscribeRequest>, _ frames: SubscribeFrames
  ) async throws {
    while let request = try await requests.next() {
      guard case .acknowledgement(let acknowledgement) = request.frame else {
        throw RPCStatus.invalidArgument(field: "acknowledgement", problem: "must be in every frame after the first")
      }
      guard let position = seal.position(.log, of: acknowledgement.cursor), frames.outstanding.acknowledge(position)
      else {
        throw RPCStatus.invalidArgument(
          field: "acknowledgement.cursor", problem: "is not a cursor that this stream has sent")
      }
      frames.signal.signal(.acknowledged)
    }
  }
}
