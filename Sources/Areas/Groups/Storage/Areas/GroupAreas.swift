package import GroupsRules
internal import Log
package import Postgres

/// An area with a name.
package struct GroupArea: Sendable, Hashable {
  package let code: AreaCode
  package let name: String
  /// The code of the area around it, which need not be imported; empty where nobody knows.
  package let parent: String
  /// In their order; none of an area that is too small for the grid.
  package let cells: [Range<PlaceGrid.Cell>]
}

/// Areas that questions may name: Italy's regions, and what an operator has imported.
package struct GroupAreas: Sendable {
  /// The most characters of a name.
  package static let nameMax = 100

  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// The cells of an area.
  /// - Returns: nil where there is no such area.
  /// - Throws: `PostgresError`.
  package func cells(of code: AreaCode) async throws -> [Range<PlaceGrid.Cell>]? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT lower(r), upper(r) FROM group_area LEFT JOIN LATERAL unnest(cells) AS r ON true WHERE code = $1 ORDER BY 1
        """, [.text(code.text)])
      if rows.rowCount == 0 { return nil }
      return try (0..<rows.rowCount).filter { !rows.isNull($0, 0) }.map { try rows.int32($0, 0)..<rows.int32($0, 1) }
    }
  }

  /// An area in a list.
  package struct Entry: Sendable, Hashable {
    package let code: AreaCode
    package let name: String
    package let parent: String
    package let cellCount: Int64
  }

  /// Regions first, each level in the order of ISTAT's codes.
  /// - Parameters:
  ///   - level: nil: every one.
  ///   - prefix: what the name begins with, in whatever case.
  ///   - code: nil: from the first area on.
  /// - Throws: `PostgresError`.
  package func list(
    _ level: AreaCode.Level?, prefix: String, after code: AreaCode?, limit: Int
  ) async throws -> [Entry] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT code, name, parent, (SELECT coalesce(sum(upper(r) - lower(r)), 0) FROM unnest(cells) AS r)
        FROM group_area
        WHERE ($1 = 0 OR level = $1) AND starts_with(name_lower, $2) AND (level, code) > ($3, $4)
        ORDER BY level, code LIMIT $5
        """,
        [
          .int4(Int32(level?.rawValue ?? 0)), .text(prefix.lowercased()), .int4(Int32(code?.level.rawValue ?? 0)),
          .text(code?.text ?? ""), .int8(Int64(limit)),
        ])
      return try (0..<rows.rowCount).compactMap { row in
        guard let code = AreaCode(try rows.string(row, 0)) else { return nil }
        return Entry(
          code: code, name: try rows.string(row, 1), parent: try rows.string(row, 2), cellCount: try rows.int64(row, 3))
      }
    }
  }

  /// What an import has done.
  package struct Outcome: Sendable, Hashable {
    package let added: Int64
    package let changed: Int64
  }

  /// Puts areas in, and in place of those with the same codes; the others stay. One import waits for another.
  /// - Parameter areas: each code once.
  /// - Throws: `PostgresError`.
  package static func put(_ areas: [GroupArea], _ connection: Connection) throws -> Outcome {
    // Questions go on.
    _ = try connection.execute("LOCK TABLE group_area IN SHARE ROW EXCLUSIVE MODE")
    let rows = try connection.query(
      """
      WITH given AS (
        SELECT * FROM unnest($1::text[], $2::smallint[], $3::text[], $4::text[], $5::text[], $6::text[])
          AS g (code, level, name, name_lower, parent, cells)
      ), written AS (
        INSERT INTO group_area AS a (code, level, name, name_lower, parent, cells)
        SELECT code, level, name, name_lower, parent, cells::int4multirange FROM given
        ON CONFLICT (code) DO UPDATE
        SET (name, name_lower, parent, cells) = (excluded.name, excluded.name_lower, excluded.parent, excluded.cells)
        WHERE (a.name, a.parent, a.cells) IS DISTINCT FROM (excluded.name, excluded.parent, excluded.cells)
        RETURNING xmax = 0 AS is_new
      )
      SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new) FROM written
      """,
      [
        .textArray(areas.map(\.code.text)), .int2Array(areas.map { Int16($0.code.level.rawValue) }),
        .textArray(areas.map(\.name)), .textArray(areas.map { $0.name.lowercased() }), .textArray(areas.map(\.parent)),
        .textArray(
          areas.map { area in "{\(area.cells.map { "[\($0.lowerBound),\($0.upperBound))" }.joined(separator: ","))}" }),
      ])
    return Outcome(added: try rows.int64(0, 0), changed: try rows.int64(0, 1))
  }
}

extension StorageSystem {
  /// Areas that questions about groups may name.
  package var groupAreas: GroupAreas { GroupAreas(pool: pool) }
}
