package import ExpenditureRules
package import Log
internal import Postgres

/// Accounts of bodies, read when somebody asks: a release has hundreds of them. They are never added up. What is told
/// is without the consolidations (999), which are the accounts of the regions themselves.
package struct EditionBodies: Sendable {
  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// A body, as the newest year of a release calls it.
  package struct Body: Sendable, Hashable {
    package let code: TerritoryCode
    package let name: String
  }

  /// Bodies of an account, in the order of their codes.
  /// - Throws: `PostgresError`.
  package func list(of account: AccountNumber, _ edition: Edition) async throws -> [Body] {
    let release = edition.facts.release
    return try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT DISTINCT ON (b.body) b.body, b.name
        FROM expenditure_body b JOIN \(EditionSets.table) ON b.release = s.release AND b.year = s.year
        WHERE b.account = $4 AND b.body <> 999 ORDER BY b.body, b.year DESC
        """, try EditionSets(release, connection).parameters([.bodies]) + [.int4(Int32(account.value))])
      return try (0..<rows.rowCount).map { row in
        Body(
          code: TerritoryCode(account, body: Int(try rows.int32(row, 0))), name: try rows.string(row, 1))
      }
    }
  }

  /// One body's accounts.
  package struct Found: Sendable {
    package let body: Body
    package let figures: BodyFigures
    /// By year and voice of the figures: where there is no file among the edition's, it is among these.
    package let files: [Int32: SourceFile]
  }

  /// - Parameter voices: whose amounts are read, by their places in the edition's tree.
  /// - Returns: nil where the release has no such body.
  /// - Throws: `PostgresError`.
  package func find(
    _ code: TerritoryCode, _ voices: Set<Int>, _ edition: Edition
  ) async throws -> Found? {
    guard let number = code.body, number != 999 else { return nil }
    let release = edition.facts.release
    let byCode = Dictionary(
      uniqueKeysWithValues: voices.map { (edition.voices.voices[$0].code.text, $0) })
    return try await pool.withConnection { connection in
      let sets = try EditionSets(release, connection).parameters([.bodies])
      let named = try connection.query(
        """
        SELECT b.year, b.name
        FROM expenditure_body b JOIN \(EditionSets.table) ON b.release = s.release AND b.year = s.year
        WHERE b.account = $4 AND b.body = $5 ORDER BY b.year DESC
        """, sets + [.int4(Int32(code.account.value)), .int4(Int32(number))])
      guard named.rowCount > 0 else { return nil }
      let rows = try connection.query(
        """
        SELECT f.year::integer, v.code, f.cents, f.file, f.row, e.release, e.name
        FROM expenditure_figure f JOIN \(EditionSets.table)
            ON f.release = s.release AND f.form = s.form AND f.year = s.year
          JOIN expenditure_voice v ON v.id = f.voice JOIN expenditure_file e ON e.id = f.file
        WHERE f.form = 3 AND f.account = $4 AND f.body = $5 AND v.code = ANY ($6)
        """,
        sets + [.int2(Int16(code.account.value)), .int2(Int16(number)), .textArray(byCode.keys.sorted())])
      var amounts: [Int: [Int: Amount]] = [:]
      var files: [Int32: SourceFile] = [:]
      for row in 0..<rows.rowCount {
        guard let voice = byCode[try rows.string(row, 1)] else { continue }
        let file = try rows.int32(row, 3)
        amounts[Int(try rows.int32(row, 0)), default: [:]][voice] = Amount(
          cents: try rows.int64(row, 2), file: file, row: try rows.int32(row, 4))
        files[file] = SourceFile(release: Int(try rows.int32(row, 5)), name: try rows.string(row, 6))
      }
      return Found(
        body: Body(code: code, name: try named.string(0, 1)),
        figures: BodyFigures(years: try (0..<named.rowCount).map { Int(try named.int32($0, 0)) }, amounts: amounts),
        files: files)
    }
  }
}

extension StorageSystem {
  /// Accounts of bodies of the health service.
  package var bodies: EditionBodies { EditionBodies(pool: pool) }
}
