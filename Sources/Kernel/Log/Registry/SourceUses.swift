internal import Domain
internal import Postgres
internal import Synchronization

/// Puts down whose readings name which source, in one transaction. A name may tell who somebody is ("Mario's watch"), and may
/// be everybody's ("watch"): it is erased with the last person who used it, unless it is common.
final class SourceUses {
  /// A name that comes with readings of more persons than these at once tells nothing of any of them: it is common, and
  /// stays when they go.
  static let maxPersons = 100

  /// Nil: nothing is known, and nothing is to be remembered.
  private let sources: SourceRegistry?
  /// What is to be put down.
  private var noted: [SourceID: Set<PersonID>] = [:]
  private var common: Set<SourceID>
  private var newCommon: Set<SourceID> = []
  /// The last that was found to be common: most readings have the same.
  private var lastCommon: SourceID = 0
  private var new: Set<SourceUse> = []
  private var count: Int?

  init(_ sources: SourceRegistry?) {
    self.sources = sources
    common = sources?.uses.common ?? []
  }

  /// Notes that readings of a person are from a source.
  func note(_ source: SourceID, of person: PersonID) {
    guard source > 0, source != lastCommon else { return }
    if common.contains(source) {
      lastCommon = source
      return
    }
    noted[source, default: []].insert(person)
    guard noted[source]!.count > Self.maxPersons else { return }
    noted[source] = nil
    common.insert(source)
    newCommon.insert(source)
  }

  func note(_ uses: [SourceUse]) {
    for use in uses { note(use.source, of: use.person) }
  }

  /// Puts down what was noted, in the transaction that writes the chunks.
  ///
  /// Names that were erased with a person, but that another's readings bring again while the server still knows them, come
  /// back under their numbers.
  func record(on connection: Connection) throws {
    var uses = Set(noted.lazy.flatMap { source, persons in persons.lazy.map { SourceUse(source: source, person: $0) } })
    noted = [:]
    if let known = sources?.uses {
      if count == nil { count = known.count }
      known.remove(from: &uses)
    }
    if uses.isEmpty, newCommon.isEmpty { return }
    // Sorted: two transactions that meet wait for each other in one order.
    let sorted = uses.sorted { ($0.source, $0.person) < ($1.source, $1.person) }
    let nameless = try connection.query(
      """
      WITH new AS (
        INSERT INTO reading_source_use (source, person) SELECT * FROM unnest($1::integer[], $2::bigint[])
        ON CONFLICT DO NOTHING RETURNING source
      ), used AS (SELECT source FROM new UNION SELECT unnest($3::integer[]))
      SELECT source FROM used WHERE NOT EXISTS (SELECT FROM reading_source s WHERE s.id = used.source)
      """, [.int4Array(sorted.map(\.source)), .int8Array(sorted.map(\.person)), .int4Array(newCommon.sorted())])
    let missing = Set(try (0..<nameless.rowCount).map { try nameless.int32($0, 0) })
    for (source, name) in missing.isEmpty ? [:] : sources?.namesAtHand(of: missing) ?? [:] where !name.isEmpty {
      _ = try connection.query(
        """
        INSERT INTO reading_source (id, name) OVERRIDING SYSTEM VALUE VALUES ($1, $2) ON CONFLICT DO NOTHING
        """, [.int4(source), .text(name)])
    }
    for source in newCommon.sorted() {
      _ = try connection.query("UPDATE reading_source SET is_common = true WHERE id = $1", [.int4(source)])
      _ = try connection.query("DELETE FROM reading_source_use WHERE source = $1", [.int4(source)])
    }
    newCommon = []
    new.formUnion(uses)
  }

  /// To be called when the transaction is committed.
  func committed() {
    guard let known = sources?.uses else { return }
    known.add(common: common)
    if let count { known.add(new, asOf: count) }
  }
}

/// Uses that are put down, so that only new ones are: some 40 bytes each; and names that are common.
final class KnownSourceUses: Sendable {
  /// One more and all are forgotten.
  static let max = 500_000

  private struct State {
    var uses: Set<SourceUse> = []
    var count = 0
    var common: Set<SourceID> = []
  }

  private let state = Mutex(State())

  /// How often they were forgotten: to be taken before the database is asked.
  var count: Int { state.withLock(\.count) }

  /// Sources whose uses are not put down; they are for ever.
  var common: Set<SourceID> { state.withLock(\.common) }

  func add(common: Set<SourceID>) { state.withLock { $0.common.formUnion(common) } }

  func remove(from uses: inout Set<SourceUse>) {
    let known = state.withLock(\.uses)
    uses = uses.filter { !known.contains($0) }
  }

  /// - Parameter count: from when they are. What was put down before uses were forgotten may be gone.
  func add(_ uses: Set<SourceUse>, asOf count: Int) {
    state.withLock { state in
      guard state.count == count else { return }
      if state.uses.count + uses.count > Self.max { state.uses = [] }
      state.uses.formUnion(uses)
    }
  }

  /// To be called before a transaction that deletes some is committed.
  func forget() {
    state.withLock { state in
      state.uses = []
      state.count += 1
    }
  }
}

extension SourceUses {
  /// Notes whose readings are from which sources.
  func note(_ columns: ReadingColumns) {
    for (persons, sources) in [
      (columns.scalars.person, columns.scalars.source), (columns.positions.person, columns.positions.source),
      (columns.waveforms.person, columns.waveforms.source),
    ] {
      var last: SourceUse?
      for (person, source) in zip(persons, sources) where last?.person != person || last?.source != source {
        last = SourceUse(source: source, person: person)
        note(source, of: person)
      }
    }
  }
}

extension StorageSystem {
  /// Erases the names of sources that only an erased person's readings had, and those that the person brought and nobody
  /// uses, but for common ones; also where a bridge or an operator's program was called so. Such a client begins its count anew.
  ///
  /// So go the names of clients that have pushed for this person alone, whatever the sources of those readings were called;
  /// where others have a client of that name, or readings from such a source, the name stays with them.
  ///
  /// The server may know a name until it ends: whoever else comes with it meanwhile has it under its old number, and its row
  /// comes back with their readings.
  func eraseSources(of person: PersonID) async throws {
    let known = sources.uses
    try await pool.withConnection { [self] connection in
      try connection.inTransaction { connection in
        // Nobody's use is being written down meanwhile.
        try CompactionPass.waitForOthers(connection)
        try eraseClients(of: person, connection)
        _ = try connection.query(
          """
          WITH gone AS (DELETE FROM reading_source_use WHERE person = $1 RETURNING source), erased AS (
            DELETE FROM reading_source s WHERE (s.registered_by = $1 OR s.id IN (SELECT source FROM gone))
              AND NOT s.is_common AND NOT EXISTS (SELECT FROM reading_source_use u WHERE u.source = s.id AND u.person <> $1)
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

  /// Takes a person from those for whom clients have pushed. Those of nobody else are no more.
  private func eraseClients(of person: PersonID, _ connection: Connection) throws {
    func source(_ name: String) -> String {
      "regexp_replace(\(name), '^(operator|(person|device|bridge)/[0-9]+)/', '')"
    }
    let gone = try connection.query(
      """
      WITH gone AS (DELETE FROM ingest_client WHERE persons = ARRAY[$1] RETURNING name), named AS (
        DELETE FROM reading_source s USING gone g WHERE s.name = \(source("g.name")) AND NOT s.is_common
          AND NOT EXISTS (SELECT FROM reading_source_use u WHERE u.source = s.id AND u.person <> $1)
          AND NOT EXISTS (
            SELECT FROM ingest_client c WHERE \(source("c.name")) = s.name AND c.persons IS DISTINCT FROM ARRAY[$1])
      ), shared AS (
        UPDATE ingest_client SET persons = array_remove(persons, $1) WHERE persons @> ARRAY[$1] AND persons <> ARRAY[$1]
      )
      SELECT name FROM gone
      """, [.int8(person)])
    writer.forget(clients: try (0..<gone.rowCount).map { try gone.string($0, 0) })
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
          let uses = SourceUses(sources)
          try connection.streamRows(
            "SELECT payload FROM reading_chunk WHERE ctid >= $1::text::tid AND ctid < $2::text::tid",
            [.text("(\(first),0)"), .text("(\(first + 256),0)")]
          ) { row in
            uses.note(try row.withBytes(0) { try BlockCodec.decode($0) }.columns)
          }
          try uses.record(on: connection)
        }
      }
    }
    try await pool.withConnection { connection in
      _ = try connection.execute(
        "UPDATE log_state SET source_uses_complete = true WHERE NOT source_uses_complete")
    }
  }
}
