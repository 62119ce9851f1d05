internal import Domain
internal import Postgres

extension LogWriter {
  /// Where each client stood when the server before this one ended.
  /// - Throws: `PostgresError`.
  static func readClients(_ connection: Connection) throws -> [String: ClientPlace] {
    var clients: [String: ClientPlace] = [:]
    try connection.streamRows("SELECT name, last_sequence, last_position FROM ingest_client") { row in
      clients[try row.string(0)] = ClientPlace(sequence: UInt64(try row.int64(1)), position: try row.int64(2))
    }
    return clients
  }

  /// Begins a session of a client, without asking the database. An older session of the same name is superseded, and what
  /// it has queued is committed first, so that the new session's `firstSequence` is final.
  ///
  /// - Parameters:
  ///   - name: see `IngestSession.name`.
  ///   - limit: when the log has made no progress for so long, what the older session has queued is not waited for: see
  ///     `IngestSession.takesBatches`. Somebody looks at it now and then, and calls `wakeStalled()`. Nil to wait as long as
  ///     it takes.
  /// - Throws: `CancellationError`.
  public func openSession(
    name: String?, owner: any IngestSessionOwner, orStallOf limit: Duration? = nil
  ) async throws -> IngestSession {
    let session = IngestSession(name: name, owner: owner)
    guard let name else { return session }
    while let older = take(name, for: session) {
      older.owner.superseded()
      try await wait(for: .drained(older, orStallOf: limit))
      let hangs = monitor.withLock { state in
        guard let limit, older.uncommittedBatches > 0, !state.hasEnded, state.isStalled(for: limit) else {
          return false
        }
        session.begin(at: older.place, takesBatches: false)
        return true
      }
      if hangs { return session }
    }
    return session
  }

  /// Ends a session. What it has queued is still committed; until then its name stays taken.
  public func closeSession(_ session: IngestSession) {
    monitor.withLock { state in
      session.isClosed = true
      if session.uncommittedBatches == 0 { state.forget(session) }
    }
  }

  /// Clients that are no more.
  func forget(clients names: [String]) {
    monitor.withLock { state in for name in names { state.clients[name] = nil } }
  }

  /// Registers the session under its name, in the place of an older one that has nothing queued.
  ///
  /// - Returns: an older session that must be drained first; nil when the name is the session's own.
  private func take(_ name: String, for session: IngestSession) -> IngestSession? {
    let (older, isTaken) = monitor.withLock { state -> (IngestSession?, Bool) in
      let older = state.sessions[name]
      older?.isSuperseded = true
      // When the log has ended nothing will drain; the session finds out at its first batch.
      guard older?.uncommittedBatches ?? 0 == 0 || state.hasEnded else { return (older, false) }
      // From here on nobody else can commit under the name.
      session.begin(at: older?.place ?? state.clients[name] ?? ClientPlace())
      state.sessions[name] = session
      return (older, true)
    }
    guard isTaken else { return older }
    older?.owner.superseded()
    return nil
  }
}

extension LogWriter.State {
  /// Takes a session out of the register, and remembers where its client stands.
  mutating func forget(_ session: IngestSession) {
    guard let name = session.name, sessions[name] === session else { return }
    sessions[name] = nil
    if session.lastCommitted > 0 { clients[name] = session.place }
  }
}
