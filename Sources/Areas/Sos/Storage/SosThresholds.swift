public import Domain
internal import Postgres
public import SosRules

extension SosStore {
  /// Replaces a person's own limits of a metric, or goes back to the defaults.
  ///
  /// - Parameter threshold: nil goes back to the defaults.
  /// - Returns: how often the person's limits have changed by now: setting again what holds is no change. Nil without
  ///   an account.
  /// - Throws: `PostgresError`.
  public func set(_ threshold: Threshold?, of metric: MetricID, for person: PersonID) async throws -> Int64? {
    try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        // Changes of one person come one after the other.
        let row = try connection.query(
          "SELECT thresholds_version FROM sos_settings WHERE person = $1 FOR UPDATE", [.int8(person)])
        guard row.rowCount == 1 else { return nil }
        let isChanged =
          if let threshold {
            try Self.write(connection, threshold, metric, person)
          } else {
            try connection.query(
              "DELETE FROM sos_threshold WHERE person = $1 AND metric = $2", [.int8(person), .int4(metric)]
            ).affectedRows == 1
          }
        if !isChanged { return try row.int64(0, 0) }
        return try connection.query(
          """
          UPDATE sos_settings SET thresholds_version = thresholds_version + 1, changed_in = pg_current_xact_id()
          WHERE person = $1 RETURNING thresholds_version
          """, [.int8(person)]
        ).int64(0, 0)
      }
    }
  }

  private static func write(
    _ connection: Connection, _ threshold: Threshold, _ metric: MetricID, _ person: PersonID
  ) throws -> Bool {
    try connection.query(
      """
      INSERT INTO sos_threshold AS t (person, metric, rest_low, rest_high, rest_hold_us, rest_hysteresis,
        exertion_low, exertion_high, exertion_hold_us, exertion_hysteresis)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      ON CONFLICT (person, metric) DO UPDATE SET (rest_low, rest_high, rest_hold_us, rest_hysteresis, exertion_low,
        exertion_high, exertion_hold_us, exertion_hysteresis) = (excluded.rest_low, excluded.rest_high,
        excluded.rest_hold_us, excluded.rest_hysteresis, excluded.exertion_low, excluded.exertion_high,
        excluded.exertion_hold_us, excluded.exertion_hysteresis)
      WHERE t IS DISTINCT FROM excluded
      """,
      [.int8(person), .int4(metric)] + parameters(threshold.rest) + parameters(threshold.exertion)
    ).affectedRows == 1
  }

  private static func parameters(_ limits: Limits?) -> [Parameter] {
    [
      limits?.low.map { .float8($0) } ?? .null(TypeOID.float8),
      limits?.high.map { .float8($0) } ?? .null(TypeOID.float8),
      limits.map { .int8($0.hold) } ?? .null(TypeOID.int8),
      limits.map { .float8($0.hysteresis) } ?? .null(TypeOID.float8),
    ]
  }

  /// Reads limits from four columns; nil where there are none.
  static func limits(_ rows: Result, _ row: Int, from column: Int) throws -> Limits? {
    if rows.isNull(row, column + 2) { return nil }
    return Limits(
      low: rows.isNull(row, column) ? nil : try rows.double(row, column),
      high: rows.isNull(row, column + 1) ? nil : try rows.double(row, column + 1),
      hold: try rows.int64(row, column + 2), hysteresis: try rows.double(row, column + 3))
  }
}
