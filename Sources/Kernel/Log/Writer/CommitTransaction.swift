internal import Domain
internal import Postgres

/// One commit group, one transaction, in one round trip.
struct CommitTransaction {
  /// Writers take this lock before they number their rows, so that positions become visible in order.
  private static let lock: Int64 = 0x7472_6163_6b6d_6501

  private let database: ConnectionConfiguration
  private let fence = SessionFence(.writer)
  private let lock: ServerLock?
  private let pool: Pool
  private let opened: (CancelHandle) -> Void
  private var connection: Connection?

  /// - Parameters:
  ///   - pool: through which others may see what a commit without an answer has left.
  ///   - lock: of the server that writes; nil where nobody else can come.
  ///   - opened: hears of each session.
  init(
    database: ConnectionConfiguration, pool: Pool, lock: ServerLock? = nil, opened: @escaping (CancelHandle) -> Void
  ) {
    self.database = database
    self.lock = lock
    self.pool = pool
    self.opened = opened
  }

  /// Commits the group.
  ///
  /// - Parameters:
  ///   - payloads: of each row, empty for a row that has only sequence numbers to record.
  ///   - isRetry: whether an earlier try may have been committed without this side hearing of it.
  /// - Returns: the position of each row; for a row without readings, the log's head; nil for an entry whose condition
  ///   did not hold.
  mutating func commit(_ group: CommitGroup, payloads: [[UInt8]], isRetry: Bool) throws -> [LogPosition?] {
    if isRetry { pool.doubt() }
    let connection = try connect()
    // The session that was ended on the way here may have left something to be seen.
    if isRetry { pool.doubt() }
    if isRetry, let positions = try find(group, on: connection) { return positions }

    var names: [String] = []
    var sequences: [Int64] = []
    var (named, persons, ofMany): ([String], [PersonID], [String]) = ([], [], [])
    for (name, client) in clients(of: group) {
      names.append(name)
      sequences.append(Int64(client.sequence))
      if client.newPersons.areMany { ofMany.append(name) }
      for person in client.newPersons.persons {
        named.append(name)
        persons.append(person)
      }
    }
    let results = try connection.pipeline { pipeline in
      try pipeline.append(prepared: "lock", [.int8(Self.lock)])
      for (index, row) in group.rows.enumerated() {
        if let entry = row.entry?.request {
          try pipeline.append(entry.sql, [.int8(group.id), .int4(Int32(index))] + entry.parameters)
        } else if !payloads[index].isEmpty {
          try pipeline.append(
            prepared: "insert", [.int8(group.id), .int4(Int32(row.columns.count)), .bytea(payloads[index])])
        }
      }
      try pipeline.append(
        prepared: "clients",
        [.textArray(names), .int8Array(sequences), .textArray(named), .int8Array(persons), .textArray(ofMany)])
    }
    let head = try results[results.count - 1].int64(0, 0)
    var next = 1
    return try group.rows.indices.map { index in
      if payloads[index].isEmpty, group.rows[index].entry == nil { return head }
      defer { next += 1 }
      return results[next].isNull(0, 0) ? nil : try results[next].int64(0, 0)
    }
  }

  mutating func close() {
    connection?.close()
    connection = nil
  }

  private mutating func connect() throws -> Connection {
    if let connection { return connection }
    let connection = try Connection(database)
    opened(connection.cancelHandle)
    try fence.enter(connection)
    try lock?.checkNobodyElse(connection)
    _ = try connection.execute("SET synchronous_commit = on; SET idle_in_transaction_session_timeout = '30s'")
    try connection.prepare(name: "lock", sql: "SELECT pg_advisory_xact_lock($1)")
    try connection.prepare(
      name: "insert",
      sql: """
        INSERT INTO reading_log (position, commit_id, reading_count, payload)
        SELECT 1 + greatest((SELECT max(position) FROM reading_log), (SELECT compacted_position FROM log_state)),
          $1, $2, $3
        RETURNING position
        """)
    try connection.prepare(
      name: "clients",
      sql: """
        WITH head AS (
          SELECT greatest((SELECT max(position) FROM reading_log), (SELECT compacted_position FROM log_state)) AS position
        ), new AS (
          SELECT name, array_agg(person) AS persons FROM unnest($3::text[], $4::bigint[]) AS n (name, person) GROUP BY name
        ), written AS (
          INSERT INTO ingest_client (name, last_sequence, last_position, persons)
          SELECT c.name, c.sequence, head.position, CASE WHEN c.name <> ALL ($5::text[]) THEN coalesce(persons, '{}') END
          FROM unnest($1::text[], $2::bigint[]) AS c (name, sequence) LEFT JOIN new USING (name), head
          ON CONFLICT (name) DO UPDATE SET last_sequence = excluded.last_sequence,
            last_position = excluded.last_position, updated_at = now(),
            persons = CASE WHEN excluded.persons = '{}' THEN ingest_client.persons
              WHEN ingest_client.persons IS NOT NULL AND excluded.persons IS NOT NULL THEN (
                SELECT CASE WHEN count(*) <= \(SourceUses.maxPersons) THEN array_agg(p) END FROM (
                  SELECT unnest(ingest_client.persons) UNION SELECT unnest(excluded.persons)) u (p)) END
        )
        SELECT position FROM head
        """)
    self.connection = connection
    return connection
  }

  /// The positions of a group whose commit was not heard of, or nil if it did not happen. The lost connection's
  /// session has ended by now, so that it can't happen any more; but a session that is ended in mid-commit makes its rows
  /// visible before a standby has them, so that this look is believed only when the standbys have what it saw.
  private func find(_ group: CommitGroup, on connection: Connection) throws -> [LogPosition?]? {
    let results = try connection.pipeline { pipeline in
      try pipeline.append(prepared: "lock", [.int8(Self.lock)])
      try pipeline.append(
        "SELECT position, coalesce(entry_row, -1) FROM reading_log WHERE commit_id = $1 ORDER BY position",
        [.int8(group.id)])
      try pipeline.append(
        "SELECT greatest((SELECT max(position) FROM reading_log), (SELECT compacted_position FROM log_state))", [])
      try pipeline.append(Connection.recordForStandbys)
    }
    let found = results[1]
    guard found.rowCount > 0 else { return nil }
    let head = try results[2].int64(0, 0)
    var next = 0
    return try group.rows.enumerated().map { index, row in
      if row.entry != nil {
        // An entry is there only if its condition held.
        guard next < found.rowCount, try found.int32(next, 1) == Int32(index) else { return nil }
      } else if row.columns.isEmpty {
        return head
      }
      defer { next += 1 }
      return try found.int64(next, 0)
    }
  }

  /// Of each client that counts the greatest sequence number, and for whom it has pushed that its session had not before.
  private func clients(of group: CommitGroup) -> [String: (sequence: UInt64, newPersons: ClientPersons)] {
    var clients: [String: (sequence: UInt64, newPersons: ClientPersons)] = [:]
    for row in group.rows {
      for share in row.shares {
        guard let name = share.session.name else { continue }
        var client = clients[name] ?? (0, ClientPersons())
        client.sequence = max(client.sequence, share.lastSequence)
        client.newPersons.formUnion(share.newPersons)
        clients[name] = client
      }
    }
    return clients
  }
}
