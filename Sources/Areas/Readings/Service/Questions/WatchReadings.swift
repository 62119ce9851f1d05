internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension ReadingService {
  /// Readings after the cursor, or from now on, in the order of the log, until the call ends.
  /// - Throws: INVALID_ARGUMENT; PERMISSION_DENIED; UNAVAILABLE when the server ends; `CancellationError`.
  public func watchReadings(
    _ request: Trackme_Readings_V1_WatchReadingsRequest,
    responses: ResponseWriter<Trackme_Readings_V1_WatchReadingsResponse>, context: CallContext
  ) async throws {
    let person = try person(request.personID, context)
    let filter = ReadingFilter(
      persons: [person], metrics: try metrics.numbers(of: request.metrics, field: "metrics"))
    let start = request.cursor.isEmpty ? nil : try hub.position(of: request.cursor, field: "cursor", seal)
    let signal = StreamSignal()
    var follower = Follower(hub: hub, pool: pool, filter: filter, after: start, signal: signal)
    try await responses.send(.init(cursor: seal.cursor(.log, at: follower.position)))
    try await signal.pump { _ in
      switch try await follower.next() {
      case .live(let slice): try await send(slice.columns, through: slice.through, responses)
      case .stored(let stored):
        for row in stored { try await send(row.columns, through: row.position, responses) }
      case .upToDate: return .nothing
      }
      return .more
    } beat: {
      try await responses.send(.init(cursor: seal.cursor(.log, at: follower.position)))
    }
  }

  private func send(
    _ columns: ReadingColumns, through position: LogPosition,
    _ responses: ResponseWriter<Trackme_Readings_V1_WatchReadingsResponse>
  ) async throws {
    try await responses.send(.init(cursor: seal.cursor(.log, at: position), readings: try await rows(columns)))
  }
}
