public import Domain
public import Postgres
public import SosRules

/// Emergencies, for good: all of them, with every transition, until their person is erased.
public struct EmergencyStore: EmergencyArchive {
  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Writes an emergency as it stands; writing it again, or an older one after a newer one, changes nothing.
  ///
  /// In the same transaction answers of people at desks are written, and the person is told when it is written first and when it is over, and contacts with an
  /// e-mail address get a mail, unless it is beyond the person's budget; each once. An emergency of somebody whose account was erased is not kept.
  /// - Throws: `PostgresError`; then nothing was written, or all of it.
  public func record(_ emergency: Emergency) async throws {
    let facts = try EmergencyJSON.text(emergency)
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        _ = try connection.query(
          "SELECT record_emergency($1::uuid, $2, $3, $4, $5, $6, $7::jsonb, $8)",
          [
            .text("\(emergency.id)"), .int8(emergency.person), .int2(Int16(emergency.state.rawValue)),
            .timestamptz(microsecondsSinceUnixEpoch: emergency.detected), .int8(emergency.changed),
            .bool(emergency.status == .exercise), .text(facts),
            .textArray(emergency.isBeyondBudget ? [] : Self.addresses(emergency.contacts)),
          ])
        try DeskAnswerRecords.record(emergency, connection)
      }
    }
  }

  /// Tells a person that no heart rate has come, and contacts with an e-mail address by mail; once for each silence.
  /// - Throws: `PostgresError`; then nothing was written, or all of it.
  public func record(_ silence: SilenceNotice, status: DispatchStatus) async throws {
    try await pool.withConnection { connection in
      _ = try connection.query(
        "SELECT record_silence($1, $2, $3, $4)",
        [
          .int8(silence.person), .timestamptz(microsecondsSinceUnixEpoch: silence.since), .bool(status == .exercise),
          .textArray(Self.addresses(silence.contacts)),
        ])
    }
  }

  private static func addresses(_ contacts: [EmergencyContact]) -> [String] {
    contacts.map(\.email).filter { !$0.isEmpty }
  }

  /// The emergencies that are not final, and those that changed after a time, by their newest transition.
  public func unfinished(orChangedAfter time: Microseconds) async throws -> [Emergency] {
    try await read("WHERE state < 5 OR changed > $1 ORDER BY changed", [.int8(time)])
  }

  /// An emergency of a person; nil if the person has none of the number.
  /// - Throws: `PostgresError`.
  public func find(_ id: EmergencyID, of person: PersonID) async throws -> Emergency? {
    try await read("WHERE id = $1::uuid AND person = $2", [.text("\(id)"), .int8(person)]).first
  }

  /// The numbers of all emergencies of a person.
  /// - Throws: `PostgresError`.
  public func numbers(of person: PersonID) async throws -> Set<EmergencyID> {
    try await pool.withConnection { connection in
      let rows = try connection.query("SELECT id::text FROM emergency WHERE person = $1", [.int8(person)])
      return Set(try (0..<rows.rowCount).compactMap { EmergencyID(try rows.string($0, 0)) })
    }
  }

  /// The emergencies of a person that were detected at a time or before it, newest first, then by their numbers.
  /// - Throws: `PostgresError`.
  public func list(of person: PersonID, detectedUpTo time: Microseconds, limit: Int) async throws -> [Emergency] {
    try await read(
      "WHERE person = $1 AND detected_at <= $2 ORDER BY detected_at DESC, id DESC LIMIT $3",
      [
        .int8(person), .timestamptz(microsecondsSinceUnixEpoch: min(time, Self.lastTime)), .int8(Int64(limit)),
      ])
  }

  /// The emergencies of a person whose newest transition is after a time, by that.
  /// - Throws: `PostgresError`.
  public func changed(of person: PersonID, after time: Microseconds, limit: Int) async throws -> [Emergency] {
    try await read(
      "WHERE person = $1 AND changed > $2 ORDER BY changed LIMIT $3",
      [.int8(person), .int8(time), .int8(Int64(limit))])
  }

  /// The newest transition of all; 0 if there was never any.
  /// - Throws: `PostgresError`.
  public func newestTransition() async throws -> Microseconds {
    try await pool.withConnection { try $0.query("SELECT coalesce(max(changed), 0) FROM emergency").int64(0, 0) }
  }

  /// 9999-12-31, as microseconds since the Unix epoch.
  private static let lastTime: Microseconds = 253_402_300_799_000_000

  private func read(_ condition: String, _ parameters: [Parameter]) async throws -> [Emergency] {
    try await pool.withConnection { connection in
      let rows = try connection.query("SELECT facts::text FROM emergency \(condition)", parameters)
      return try (0..<rows.rowCount).map { try EmergencyJSON.emergency(try rows.string($0, 0)) }
    }
  }
}
