package import Domain
internal import ExpenditureRules
package import Log
package import Postgres
internal import ServiceKit
package import WireCodec

/// Releases of figures: drafts and published ones.
package struct ReleaseStore: Sendable {
  let pool: Pool

  /// The newest first.
  /// - Parameters:
  ///   - isWithDrafts: whether those that are not published are listed too.
  ///   - before: only smaller numbers.
  /// - Throws: `PostgresError`.
  package func list(
    isWithDrafts: Bool, before: Int64, limit: Int
  ) async throws -> [Trackme_Expenditure_V1_Release] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT \(Self.columns) FROM expenditure_release
        WHERE number < $1 AND ($2 OR published_at IS NOT NULL) ORDER BY number DESC LIMIT $3
        """, [.int8(before), .bool(isWithDrafts), .int8(Int64(limit))])
      return try (0..<rows.rowCount).map { try Self.release(rows, $0) }
    }
  }

  private static let columns = "number, published_at, override_reason, checks"

  private static func release(_ rows: Result, _ row: Int) throws -> Trackme_Expenditure_V1_Release {
    let told = try Trackme_Expenditure_V1_ImportFiguresResponse.decode(try rows.bytes(row, 3))
    var release = told.release ?? .init()
    release.number = try rows.int64(row, 0)
    let isPublished = !rows.isNull(row, 1)
    if isPublished { release.publishedTime = Google_Protobuf_Timestamp(try rows.timestamptz(row, 1)) }
    release.overrideReason = try rows.string(row, 2)
    release.etag = ReleaseRecord.etag(release.number, isPublished: isPublished)
    return release
  }

  /// A file that a release has already.
  static func file(sha256: [UInt8], _ connection: Connection) throws -> ReleaseRecord.File? {
    let rows = try connection.query(
      "SELECT name, form, rows, first_year, last_year, source, licence, uri FROM expenditure_file WHERE sha256 = $1",
      [.bytea(sha256)])
    guard rows.rowCount > 0, let form = FileForm(rawValue: Int(try rows.int64(0, 1))) else { return nil }
    return .init(
      name: try rows.string(0, 0), form: form, sha256: sha256, rows: try rows.int64(0, 2),
      firstYear: Int(try rows.int64(0, 3)), lastYear: Int(try rows.int64(0, 4)),
      source: FigureSource(name: try rows.string(0, 5), licence: try rows.string(0, 6), uri: try rows.string(0, 7)),
      wasImportedBefore: true)
  }

  static func keepChecks(_ release: ReleaseRecord, at now: Microseconds, _ connection: Connection) throws {
    try keep(release.wire, at: now, connection)
  }

  private static func keep(
    _ release: Trackme_Expenditure_V1_Release, at now: Microseconds, _ connection: Connection
  ) throws {
    _ = try connection.query(
      "UPDATE expenditure_release SET checks = $2, checked_at = $3 WHERE number = $1",
      [
        .int8(release.number), .bytea(Trackme_Expenditure_V1_ImportFiguresResponse(release: release).encoded()),
        .timestamptz(microsecondsSinceUnixEpoch: now),
      ])
  }

  /// Shows a draft to everybody. What a published release shows never changes: its number is greater than all that were
  /// published before, and older drafts are taken away, as they never can be published any more; their files can be
  /// imported again.
  /// - Parameters:
  ///   - reason: why failed checks do not matter; "": none was given.
  ///   - etag: nil: whatever it is.
  /// - Throws: `ReleaseError`, `PostgresError`.
  package static func publish(
    _ number: Int64, reason: String, etag: String?, at now: Microseconds, _ connection: Connection
  ) throws -> Trackme_Expenditure_V1_Release {
    // Kept whether it can be published or not: the administrator sees what is wrong.
    try connection.inTransaction { try checkAgain(number, at: now, $0) }
    return try connection.inTransaction { connection in
      try FigureImport.lock(connection)
      let release = try locked(number, connection)
      guard etag == nil || etag == release.etag else { throw ReleaseError.stale }
      guard release.publishedTime == nil else { throw ReleaseError.alreadyPublished }
      // Another one was published between the two transactions.
      guard try !isCheckedTooEarly(number, connection) else { throw ReleaseError.busy }
      let failed = release.checks.compactMap { count -> CheckCount? in
        guard let kind = CheckKind(rawValue: Int(count.kind.rawValue)), kind.blocks, count.failed > 0 else {
          return nil
        }
        return CheckCount(kind: kind, made: count.made, failed: count.failed)
      }
      guard failed.isEmpty || !reason.isEmpty else { throw ReleaseError.checksFailed(failed) }
      _ = try connection.query(
        "UPDATE expenditure_release SET published_at = $2, override_reason = $3 WHERE number = $1",
        [.int8(number), .timestamptz(microsecondsSinceUnixEpoch: now), .text(failed.isEmpty ? "" : reason)])
      for table in tables {
        _ = try connection.query(
          """
          DELETE FROM \(table.name) WHERE \(table.column) IN (
            SELECT number FROM expenditure_release WHERE number < $1 AND published_at IS NULL)
          """, [.int8(number)])
      }
      return try locked(number, connection)
    }
  }

  /// What belongs to a release, itself the last.
  private static let tables: [(name: String, column: String)] =
    ["figure", "description", "body", "residents", "price", "mobility", "set", "file"].map {
      ("expenditure_\($0)", "release")
    } + [("expenditure_release", "number")]

  private static func locked(_ number: Int64, _ connection: Connection) throws -> Trackme_Expenditure_V1_Release {
    let rows = try connection.query(
      "SELECT \(columns) FROM expenditure_release WHERE number = $1 FOR UPDATE", [.int8(number)])
    guard rows.rowCount > 0 else { throw ReleaseError.missing }
    return try release(rows, 0)
  }

  /// Makes the checks of a draft anew if others were published since.
  private static func checkAgain(_ number: Int64, at now: Microseconds, _ connection: Connection) throws {
    try FigureImport.lock(connection)
    var release = try locked(number, connection)
    guard try isCheckedTooEarly(number, connection) else { return }
    var record = ReleaseRecord(number: number, createdAt: 0, note: "", files: [])
    (record.checks, record.findings) = try ReleaseChecker(release: number).check(connection)
    let checked = record.wire
    (release.checks, release.findings) = (checked.checks, checked.findings)
    try keep(release, at: now, connection)
  }

  /// Whether a draft was checked before another release was published.
  private static func isCheckedTooEarly(_ number: Int64, _ connection: Connection) throws -> Bool {
    let found = try connection.query(
      """
      SELECT published_at IS NULL AND checked_at <= (SELECT max(published_at) FROM expenditure_release)
      FROM expenditure_release WHERE number = $1
      """, [.int8(number)])
    return try !found.isNull(0, 0) && found.bool(0, 0)
  }
}

extension StorageSystem {
  /// Releases of what the health service spends.
  package var figureReleases: ReleaseStore { ReleaseStore(pool: pool) }
}
