package import Domain
internal import ExpenditureRules
package import Postgres

/// Makes a draft release out of files: all of them, or none.
package struct FigureImport: Sendable {
  /// Held by an import and by a publication until they are over: their numbers are in the order of their ends.
  static let lockKey: Int64 = 0x7472_6163_6b6d_6558
  package static let filesMax = 64
  package static let noteMax = 1_000

  let files: [GivenFile]
  let note: String
  let isDryRun: Bool
  let now: Microseconds

  package init(_ files: [GivenFile], note: String, isDryRun: Bool, now: Microseconds) {
    self.files = files
    self.note = note
    self.isDryRun = isDryRun
    self.now = now
  }

  /// What a dry run is rolled back with.
  private struct DryRun: Error { let release: ReleaseRecord }

  /// Blocks until it is done.
  /// - Parameter onStep: is told what is done next.
  /// - Returns: the draft; its number is 0 in a dry run, and where every file had been imported before.
  /// - Throws: `ImportProblem`, `ReleaseError.busy`, `PostgresError`.
  package func run(
    _ connection: Connection, onStep: (String) -> Void = { _ in }
  ) throws -> ReleaseRecord {
    do {
      return try connection.inTransaction { connection in
        try Self.lock(connection)
        let release = try make(connection, onStep)
        if isDryRun { throw DryRun(release: release) }
        return release
      }
    } catch let dryRun as DryRun {
      var release = dryRun.release
      release.number = 0
      return release
    }
  }

  static func lock(_ connection: Connection) throws {
    guard try connection.query("SELECT pg_try_advisory_xact_lock($1)", [.int8(lockKey)]).bool(0, 0) else {
      throw ReleaseError.busy
    }
  }

  private func make(_ connection: Connection, _ onStep: (String) -> Void) throws -> ReleaseRecord {
    var read: [(file: GivenFile, facts: GivenFile.Facts)] = []
    var listed: [ReleaseRecord.File] = []
    for file in files {
      let facts = try file.facts()
      try connection.throwIfInterrupted()
      if let known = try ReleaseStore.file(sha256: facts.sha256, connection) {
        listed.append(known)
      } else if let same = read.first(where: { $0.facts.sha256 == facts.sha256 }) {
        throw ImportProblem(file: file.name, text: "has the same bytes as \(same.file.name)")
      } else {
        read.append((file, facts))
      }
    }
    guard !read.isEmpty else { return ReleaseRecord(number: 0, createdAt: now, note: note, files: listed) }
    let number = try connection.query(
      """
      INSERT INTO expenditure_release (number, created_at, checked_at, note, checks)
      SELECT coalesce(max(number), 0) + 1, $1, $1, $2, '' FROM expenditure_release RETURNING number
      """, [.timestamptz(microsecondsSinceUnixEpoch: now), .text(note)]
    ).int64(0, 0)
    var reading = FigureReading(release: Int(number), voices: try Self.voices(connection))
    for (place, (file, facts)) in read.enumerated() {
      onStep("reading \(file.name), \(place + 1) of \(read.count)")
      let id = try connection.query(
        """
        INSERT INTO expenditure_file (release, name, sha256, form, rows, first_year, last_year, source, licence, uri)
        VALUES ($1, $2, $3, 0, 0, 0, 0, '', '', '') RETURNING id
        """, [.int4(Int32(number)), .text(file.name), .bytea(facts.sha256)]
      ).int64(0, 0)
      let summary = try reading.read(file, id: Int(id), facts: facts, connection)
      let source = file.source ?? .publisher(of: summary.form)
      listed.append(
        .init(
          name: file.name, form: summary.form, sha256: facts.sha256, rows: Int64(summary.rows),
          firstYear: summary.years.lowerBound, lastYear: summary.years.upperBound, source: source))
      _ = try connection.query(
        """
        UPDATE expenditure_file SET (form, rows, first_year, last_year, source, licence, uri)
          = ($2, $3, $4, $5, $6, $7, $8) WHERE id = $1
        """,
        [
          .int4(Int32(id)), .int4(Int32(summary.form.rawValue)), .int8(Int64(summary.rows)),
          .int4(Int32(summary.years.lowerBound)), .int4(Int32(summary.years.upperBound)), .text(source.name),
          .text(source.licence), .text(source.uri),
        ])
    }
    onStep("writing the figures")
    try SetWriter(reading).write(connection)
    onStep("checking the figures")
    var release = ReleaseRecord(number: number, createdAt: now, note: note, files: listed)
    (release.checks, release.findings) = try ReleaseChecker(release: number).check(connection)
    try ReleaseStore.keepChecks(release, at: now, connection)
    return release
  }

  private static func voices(_ connection: Connection) throws -> [VoiceCode: Int] {
    let rows = try connection.query("SELECT id, code FROM expenditure_voice")
    var voices: [VoiceCode: Int] = [:]
    for row in 0..<rows.rowCount {
      if let code = VoiceCode(try rows.string(row, 1)) { voices[code] = Int(try rows.int64(row, 0)) }
    }
    return voices
  }
}
