public import Domain
public import Postgres
internal import Synchronization

/// The metric registry of the database, kept at hand. New metrics are taken up while the server runs.
public final class MetricRegistry: Sendable {
  private let current: Mutex<ReadingRules>
  let pool: Pool

  private init(_ catalog: MetricCatalog, pool: Pool) {
    current = Mutex(ReadingRules(catalog: catalog))
    self.pool = pool
  }

  /// Reads the registry.
  /// - Throws: `PostgresError`.
  public static func load(from pool: Pool) async throws -> MetricRegistry {
    MetricRegistry(try await read(pool), pool: pool)
  }

  /// The rules for readings, with the registry as it stands.
  public var rules: ReadingRules { current.withLock { $0 } }

  /// The registry as it stands.
  public var catalog: MetricCatalog { rules.catalog }

  /// Reads the registry again.
  public func refresh() async throws {
    let catalog = try await Self.read(pool)
    current.withLock { rules in
      if rules.catalog != catalog { rules = ReadingRules(catalog: catalog) }
    }
  }

  private static func read(_ pool: Pool) async throws -> MetricCatalog {
    try await pool.withConnection { connection in
      let rows = try connection.repeatedQuery(
        """
        SELECT id, name, display_name, kind, unit, loinc_code, minimum, maximum, zero_is_no_value FROM metric ORDER BY id
        """, [])
      return MetricCatalog(
        try (0..<rows.rowCount).compactMap { row in
          let (minimum, maximum) = (try rows.double(row, 6), try rows.double(row, 7))
          // PostgreSQL takes NaN for the greatest number: such a range is none, and no reading could meet it.
          guard let kind = MetricKind(rawValue: try rows.string(row, 3)), minimum <= maximum else { return nil }
          return Metric(
            id: try rows.int32(row, 0), name: try rows.string(row, 1), displayName: try rows.string(row, 2),
            kind: kind, unit: try rows.string(row, 4), loincCode: try rows.string(row, 5), minimum: minimum,
            maximum: maximum, zeroIsNoValue: try rows.bool(row, 8))
        })
    }
  }
}
