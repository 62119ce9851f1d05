public import Domain
internal import Postgres

/// What became of a change of the metric registry.
public enum MetricChange: Sendable, Equatable {
  case put(Metric)
  /// The metric exists with another kind or unit, which never change.
  case differs(kind: MetricKind, unit: String)
  /// Every number is given away.
  case full
}

extension MetricRegistry {
  /// Adds a metric with the next number, or changes how an existing one is shown and what range it has; this server
  /// takes it up at once, others within two seconds.
  ///
  /// - Parameter metric: of a name as the registry takes it and an ordered range; its number does not count.
  /// - Throws: `PostgresError`.
  public func put(_ metric: Metric) async throws -> MetricChange {
    let change = try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Numbers are given one after the other; readers are not held up.
        try connection.execute("LOCK TABLE metric IN SHARE ROW EXCLUSIVE MODE")
        let found = try connection.query(
          """
          SELECT m.id, m.kind, m.unit, (SELECT coalesce(max(id), 0) FROM metric)
          FROM (SELECT) AS one LEFT JOIN metric m ON m.name = $1
          """, [.text(metric.name)])
        if !found.isNull(0, 0) {
          let unit = try found.string(0, 2)
          guard let kind = MetricKind(rawValue: try found.string(0, 1)), kind == metric.kind, unit == metric.unit else {
            return MetricChange.differs(kind: MetricKind(rawValue: try found.string(0, 1)) ?? .scalar, unit: unit)
          }
          return try Self.write(connection, metric, id: try found.int32(0, 0))
        }
        let next = try found.int32(0, 3) + 1
        return next > 65_535 ? .full : try Self.write(connection, metric, id: next)
      }
    }
    if case .put = change { try await refresh() }
    return change
  }

  private static func write(_ connection: Connection, _ metric: Metric, id: MetricID) throws -> MetricChange {
    try connection.query(
      """
      INSERT INTO metric (id, name, display_name, kind, unit, loinc_code, minimum, maximum, zero_is_no_value)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name, loinc_code = excluded.loinc_code,
        minimum = excluded.minimum, maximum = excluded.maximum, zero_is_no_value = excluded.zero_is_no_value
      """,
      [
        .int4(id), .text(metric.name), .text(metric.displayName), .text(metric.kind.rawValue), .text(metric.unit),
        .text(metric.loincCode), .float8(metric.minimum), .float8(metric.maximum),
        .bool(metric.zeroIsNoValue),
      ])
    return .put(
      Metric(
        id: id, name: metric.name, displayName: metric.displayName, kind: metric.kind, unit: metric.unit,
        loincCode: metric.loincCode, minimum: metric.minimum, maximum: metric.maximum,
        zeroIsNoValue: metric.zeroIsNoValue))
  }
}
