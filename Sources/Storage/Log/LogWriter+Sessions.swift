internal import Domain
internal import Postgres

extension LogWriter {
  /// Begins a session of a client. An older session of the same name is superseded, and what it has queued is
  /// committed first, so that the new session's `firstSequence` is final.
  ///
  /// - Parameter name: see `IngestSession.name`.
  /// - Throws: `PostgresError` if the client's last sequence can't be read; `CancellationError`.
  public func openSession(name: String?, owner: any IngestSessionOwner) async throws -> IngestSession {
    let session = IngestSession(name: name, owner: owner)
    guard let name else { return session }
    while let older = take(name, for: session) {
      older.owner.superseded()
      try await wait(for: .drained(older))
    }
    do {
      // Read while the name is taken: nobody else can commit under it from here on.
      let (sequence, position) = try await lastCommitted(of: name)
      monitor.withLock { _ in session.begin(after: sequence, at: position) }
    } catch {
      closeSession(session)
      throw error
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

  /// Registers the session under its name, in the place of an older one that has nothing queued.
  ///
  /// - Returns: an older session that must be drained first; nil when the name is the session's own.
  private func take(_ name: String, for session: IngestSession) -> IngestSession? {
    let (older, isTaken) = monitor.withLock { state -> (IngestSession?, Bool) in
      let older = state.sessions[name]
      older?.isSuperseded = true
      // When the log has ended nothing will drain; the session finds out at its first batch.
      guard older?.uncommittedBatches ?? 0 == 0 || state.hasEnded else { return (older, false) }
      state.sessions[name] = session
      return (older, true)
    }
    guard isTaken else { return older }
    older?.owner.superseded()
    return nil
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
