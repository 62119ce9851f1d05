public import Domain
internal import Postgres

extension LogWriter {
  /// Begins a session of a client. An older session of the same name is superseded, and what it has queued is
  /// committed first, so that the new session's `firstSequence` is final.
  ///
  /// - Parameter name: see `IngestSession.name`.
  /// - Throws: `PostgresError` if the client's last sequence can't be read; `CancellationError`.
  public func openSession(name: String?, owner: any IngestSessionOwner) async throws -> IngestSession {
    guard let name else { return IngestSession(name: nil, lastSequence: 0, lastPosition: 0, owner: owner) }
    while true {
      while let older = supersede(name) {
        older.owner.superseded()
        try await wait(for: .drained(older))
      }
      let (sequence, position) = try await lastCommitted(of: name)
      let session = IngestSession(name: name, lastSequence: sequence, lastPosition: position, owner: owner)
      let isRegistered = monitor.withLock { state in
        // Another stream of the same client may have come meanwhile; then that one is the older.
        if state.sessions[name] != nil { return false }
        state.sessions[name] = session
        return true
      }
      if isRegistered { return session }
    }
  }

  /// Ends a session. What it has queued is still committed; until then its name stays taken.
  public func closeSession(_ session: IngestSession) {
    monitor.withLock { state in
      session.isClosed = true
      if session.uncommittedBatches == 0 { state.forget(session) }
    }
  }

  /// The name's session that still has batches queued, marked as superseded.
  private func supersede(_ name: String) -> IngestSession? {
    monitor.withLock { state in
      guard let older = state.sessions[name] else { return nil }
      older.isSuperseded = true
      if older.uncommittedBatches == 0 { state.forget(older) }
      return older
    }
  }

  private func lastCommitted(of name: String) async throws -> (UInt64, LogPosition) {
    try await pool.withConnection { connection in
      let result = try connection.query(
        "SELECT last_sequence, last_position FROM ingest_client WHERE name = $1", [.text(name)])
      return result.rowCount == 0 ? (0, 0) : (UInt64(try result.int64(0, 0)), try result.int64(0, 1))
    }
  }
}

extension LogWriter.State {
  /// Takes a session out of the register.
  mutating func forget(_ session: IngestSession) {
    if let name = session.name, sessions[name] === session { sessions[name] = nil }
  }
}
