internal import Domain
internal import Emergencies
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension DispatchService {
  /// The most calls that are looked for at once.
  private static let watchedPage = 100

  /// What is open, or what has changed since a cursor; then every change, until the call ends. The dispatcher is called
  /// for as long as it is open.
  /// - Throws: INVALID_ARGUMENT for a cursor that is none of this service; as `DeskRoster.worker`; UNAVAILABLE when the
  ///   server ends; `CancellationError`.
  public func watchCalls(
    _ request: Trackme_Sos_V1_WatchCallsRequest,
    responses: ResponseWriter<Trackme_Sos_V1_WatchCallsResponse>, context: CallContext
  ) async throws {
    let worker = try await roster.worker(try context.account())
    var position = try position(of: request.cursor)
    guard let staff else { throw RPCStatus.noDesk }
    let signal = StreamSignal()
    desks.join(signal, of: worker.dispatcher, priority: worker.priority)
    defer { desks.leave(signal, of: worker.dispatcher) }

    func send(beginsAnew: Bool = false, _ call: DeskCall? = nil) async throws {
      try await responses.send(
        .init(
          cursor: seal.text(.desk, staff.runNumber, position ?? 0),
          status: .init(call?.emergency.status ?? staff.status), beginsAnew: beginsAnew,
          call: call.map { message(of: $0) }))
    }

    var isUpToDate = false
    try await signal.pump { _ in
      let changes = staff.changes(ofDesk: worker.dispatcher, after: position, limit: Self.watchedPage)
      var beginsAnew = changes.beginsAnew
      if beginsAnew { isUpToDate = false }
      for (call, place) in changes.calls {
        position = place
        try await send(beginsAnew: beginsAnew, call)
        beginsAnew = false
      }
      if changes.calls.count == Self.watchedPage { return .more }
      position = changes.head
      if !isUpToDate { try await send(beginsAnew: beginsAnew) }
      isUpToDate = true
      return changes.calls.isEmpty ? .nothing : .more
    } beat: {
      try await send()
    }
  }

  /// - Returns: nil where a stream begins anew: without a cursor, and with one of another run.
  /// - Throws: INVALID_ARGUMENT for what is no cursor of this service.
  private func position(of cursor: String) throws -> Microseconds? {
    if cursor.isEmpty { return nil }
    guard let numbers = seal.numbers(.desk, in: cursor, count: 2) else {
      throw RPCStatus.invalidArgument(field: "cursor", problem: "is not a cursor of this service")
    }
    return numbers[0] == staff?.runNumber ? numbers[1] : nil
  }
}

extension RPCStatus {
  fileprivate static let noDesk = failure(
    .unavailable, reason: "NO_DESK", message: "this server calls nobody")
}

extension Seal.Kind {
  /// A place in the order of what happens at desks.
  fileprivate static let desk = Seal.Kind(7)
}
