internal import Domain
internal import Postgres
internal import Synchronization

/// Puts down whose readings name which source, in one transaction. A name may tell who somebody is ("Mario's watch"), and may
/// be everybody's ("watch"): it is erased with the last person whose readings it is named by.
final class SourceUses {
  /// A source and a person of whose readings it is.
  struct Use: Hashable, Sendable {
    let source: SourceID
    let person: PersonID
  }

  /// Nil: nothing is known, and nothing is to be remembered.
  private let sources: SourceRegistry?
  private var new: Set<Use> = []
  private var count: Int?

  init(_ sources: SourceRegistry?) { self.sources = sources }

  /// Puts down who uses which sources, in the transaction that writes their chunks.
  ///
  /// Names that were erased with a person, but that another's readings bring again while the server still knows them, come
  /// back under their numbers.
  func record(_ uses: [Use], on connection: Connection) throws {
    var uses = Set(uses.lazy.filter { $0.source > 0 })
    if let known = sources?.uses {
      if count == nil { count = known.count }
      known.remove(from: &uses)
    }
    // Sorted: two transactions that meet wait for each other in one order.
    let sorted = uses.sorted { ($0.source, $0.person) < ($1.source, $1.person) }
    if sorted.isEmpty { return }
    let nameless = try connection.query(
      """
      WITH new AS (
        INSERT INTO reading_source_use (source, person) SELECT * FROM unnest($1::integer[], $2::bigint[])
        ON CONFLICT DO NOTHING RETURNING source
      )
      SELECT DISTINCT source FROM new WHERE NOT EXISTS (SELECT FROM reading_source s WHERE s.id = new.source)
      """, [.int4Array(sorted.map(\.source)), .int8Array(sorted.map(\.person))])
    let missing = Set(try (0..<nameless.rowCount).map { try nameless.int32($0, 0) })
    for (source, name) in missing.isEmpty ? [:] : sources?.namesAtHand(of: missing) ?? [:] where !name.isEmpty {
      _ = try connection.query(
        """
        INSERT INTO reading_source (id, name) OVERRIDING SYSTEM VALUE VALUES ($1, $2) ON CONFLICT DO NOTHING
        """, [.int4(source), .text(name)])
    }
    new.formUnion(uses)
  }

  /// To be called when the transaction is committed.
  func committed() {
    if let count { sources?.uses.add(new, asOf: count) }
  }
}

/// Uses that are put down, so that only new ones are: some 40 bytes each.
final class KnownSourceUses: Sendable {
  /// One more and all are forgotten.
  static let max = 500_000

  private let state = Mutex<(uses: Set<SourceUses.Use>, count: Int)>(([], 0))

  /// How often they were forgotten: to be taken before the database is asked.
  var count: Int { state.withLock(\.count) }

  func remove(from uses: inout Set<SourceUses.Use>) {
    let known = state.withLock(\.uses)
    uses = uses.filter { !known.contains($0) }
  }

  /// - Parameter count: from when they are. What was put down before uses were forgotten may be gone.
  func add(_ uses: Set<SourceUses.Use>, asOf count: Int) {
    state.withLock { state in
      guard state.count == count else { return }
      if state.uses.count + uses.count > Self.max { state.uses = [] }
      state.uses.formUnion(uses)
    }
  }

  /// To be called before a transaction that deletes some is committed.
  func forget() { state.withLock { $0 = ([], $0.count + 1) } }
}

extension ReadingColumns {
  /// Which sources are named, by readings of whom; some more than once.
  var sourceUses: [SourceUses.Use] {
    var uses: [SourceUses.Use] = []
    var last: SourceUses.Use?
    for (persons, sources) in [
      (scalars.person, scalars.source), (positions.person, positions.source), (waveforms.person, waveforms.source),
    ] {
      for (person, source) in zip(persons, sources) where last?.person != person || last?.source != source {
        let use = SourceUses.Use(source: source, person: person)
        uses.append(use)
        last = use
      }
    }
    return uses
  }
}

extension StorageSystem {
  /// Erases the names of sources that only an erased person's readings had, and those that the person brought and nobody
  /// uses; also where a bridge or an operator's program was called so. Such a client begins its count anew.
  ///
  /// The server may know a name until it ends: whoever else comes with it meanwhile has it under its old number, and its row
  /// comes back with their readings.
  func eraseSources(of person: PersonID) async throws {
    let known = sources.uses
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Nobody's use is being written down meanwhile.
        try CompactionPass.waitForOthers(connection)
        _ = try connection.query(
          """
          WITH gone AS (DELETE FROM reading_source_use WHERE person = $1 RETURNING source), erased AS (
            DELETE FROM reading_source s WHERE (s.registered_by = $1 OR s.id IN (SELECT source FROM gone))
              AND NOT EXISTS (SELECT FROM reading_source_use u WHERE u.source = s.id AND u.person <> $1)
            RETURNING name
          )
          DELETE FROM ingest_client c USING erased e
          WHERE e.name = regexp_replace(c.name, '^(operator|bridge/[0-9]+)/', '') AND c.name <> e.name
          """, [.int8(person)])
        _ = try connection.query(
          "UPDATE reading_source SET registered_by = NULL WHERE registered_by = $1", [.int8(person)])
        known.forget()
      }
    }
  }

  /// Puts down the uses in chunks that are older than the table of uses; once, some at a time. Chunks that are written
  /// meanwhile have theirs put down by whoever writes them.
  func completeSourceUses() async throws {
    let pages = try await pool.withConnection { connection in
      try connection.query(
        """
        SELECT CASE WHEN source_uses_complete THEN 0
          ELSE pg_relation_size('reading_chunk') / current_setting('block_size')::bigint END FROM log_state
        """, []
      ).int64(0, 0)
    }
    for first in stride(from: 0, to: pages, by: 256) {
      let sources = sources
      try await pool.withConnection { connection in
        try connection.inTransaction { connection in
          var uses: [SourceUses.Use] = []
          try connection.streamRows(
            "SELECT payload FROM reading_chunk WHERE ctid >= $1::text::tid AND ctid < $2::text::tid",
            [.text("(\(first),0)"), .text("(\(first + 256),0)")]
          ) { row in
            uses += (try row.withBytes(0) { try BlockCodec.decode($0) }.columns.sourceUses)
          }
          try SourceUses(sources).record(uses, on: connection)
        }
      }
    }
    try await pool.withConnection { connection in
      _ = try connection.execute(
        "UPDATE log_state SET source_uses_complete = true WHERE NOT source_uses_complete")
    }
  }
}
