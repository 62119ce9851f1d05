internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension SosService {
  /// The most emergencies that are read at once.
  private static let watchedPage = 100
  /// What has changed within this time is in memory, as the desk keeps emergencies for a longer time.
  private static let memoryLasts: Microseconds = 3_600_000_000
  /// A cursor may be this far ahead of the server's clock: transitions keep their order where the clock is set back.
  private static let cursorTolerance: Microseconds = 86_400_000_000

  /// Without a cursor, first what is not over; with one, what has changed since; then every change, until the call
  /// ends. Of changes that come quickly one after the other the newest is sent.
  /// - Throws: INVALID_ARGUMENT for a cursor that is none of this service or ahead of it; UNAVAILABLE when the server
  ///   ends; `CancellationError`.
  public func watchEmergencies(
    _ request: Trackme_Sos_V1_WatchEmergenciesRequest,
    responses: ResponseWriter<Trackme_Sos_V1_WatchEmergenciesResponse>, context: CallContext
  ) async throws {
    let person = try context.account()
    let start = try request.cursor.isEmpty ? nil : transition(of: request.cursor)
    let place = watch.join(person)
    defer { watch.leave(person, place) }
    // Read after joining: what changes between the two is told.
    let head = watch.head
    let memory = active(of: person).sorted { $0.changed < $1.changed }
    var last = start ?? 0
    if let start {
      try await resend(after: start, of: person, memory: memory, &last, responses)
    } else {
      // In the order of their newest transitions, so that a cursor of any of them leaves nothing out.
      for emergency in memory where !emergency.state.isFinal { try await send(emergency, &last, responses) }
      last = max(last, head)
    }
    try await responses.send(.init(cursor: seal.cursor(.emergencies, at: last)))
    try await place.signal.pump { _ in
      let news = place.take().filter { $0.changed > last }
      for emergency in news { try await send(emergency, &last, responses) }
      return news.isEmpty ? .nothing : .more
    } beat: {
      try await responses.send(.init(cursor: seal.cursor(.emergencies, at: last)))
    }
  }

  /// Sends what has changed since a cursor, by the newest transitions: out of the database and out of memory, where the
  /// newer one of two counts.
  private func resend(
    after start: Microseconds, of person: PersonID, memory: [Emergency], _ last: inout Microseconds,
    _ responses: ResponseWriter<Trackme_Sos_V1_WatchEmergenciesResponse>
  ) async throws {
    var memory = memory.filter { $0.changed > start }[...]
    let inMemory = Set(memory.map(\.id))
    var seen = start
    // What is young enough is in memory, whether the database is there or not.
    while desk == nil || start < clock() - Self.memoryLasts {
      let page = try await archive.changed(of: person, after: seen, limit: Self.watchedPage)
      for stored in page {
        seen = stored.changed
        if inMemory.contains(stored.id) { continue }
        while let next = memory.first, next.changed < stored.changed {
          try await send(memory.removeFirst(), &last, responses)
        }
        try await send(stored, &last, responses)
      }
      if page.count < Self.watchedPage { break }
    }
    for emergency in memory { try await send(emergency, &last, responses) }
  }

  private func send(
    _ emergency: Emergency, _ last: inout Microseconds,
    _ responses: ResponseWriter<Trackme_Sos_V1_WatchEmergenciesResponse>
  ) async throws {
    last = max(last, emergency.changed)
    try await responses.send(.init(cursor: seal.cursor(.emergencies, at: last), emergency: await wire(emergency)))
  }

  private func transition(of text: String) throws -> Microseconds {
    guard let changed = seal.position(.emergencies, of: text) else {
      throw RPCStatus.invalidArgument(field: "cursor", problem: "is not a cursor of this service")
    }
    guard changed <= max(watch.head, clock() + Self.cursorTolerance) else {
      throw RPCStatus.invalidArgument(field: "cursor", problem: "is ahead of every emergency")
    }
    return changed
  }
}

extension Seal.Kind {
  /// A place in the order of what happens to emergencies.
  static let emergencies = Seal.Kind(3)
}
