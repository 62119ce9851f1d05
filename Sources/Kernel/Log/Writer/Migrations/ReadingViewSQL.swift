/// The view `reading`: one row a reading for psql users, out of chunks and the log's tail.
enum ReadingViewSQL {
  static let view = """
    CREATE VIEW reading AS
    SELECT DISTINCT ON (r.person, r.metric, r.source, r.time_us)
      r.person,
      m.name AS metric_name,
      timestamptz 'epoch' + r.time_us * interval '1 microsecond' AS time,
      r.value,
      m.unit,
      coalesce(s.name, '') AS source_name,
      r.latitude, r.longitude, r.altitude, r.accuracy, r.speed, r.course,
      r.rate_hz, r.samples,
      r.log_position,
      r.metric, r.source, r.time_us
    FROM (
      \(branches.joined(separator: "\n  UNION ALL\n  "))
    ) r
    JOIN metric m ON m.id = r.metric
    LEFT JOIN reading_source s ON s.id = r.source
    ORDER BY r.person, r.metric, r.source, r.time_us, r.log_position DESC, r.ordinality DESC;
    COMMENT ON VIEW reading IS
      'One row a reading, of repeated ones the newest. Ask for a person: each payload that is touched is decoded in SQL';
    """

  /// The columns of each kind, NULL where a kind has none.
  private static let kinds: [(kind: String, function: String, columns: String)] = [
    (
      "scalar", "reading_block_scalars",
      """
      b.value, NULL::float8 AS latitude, NULL::float8 AS longitude, NULL::float8 AS altitude, NULL::float8 AS accuracy,
      NULL::float8 AS speed, NULL::float8 AS course, NULL::float8 AS rate_hz, NULL::float8[] AS samples
      """
    ),
    (
      "position", "reading_block_positions",
      "NULL, b.latitude, b.longitude, b.altitude, b.accuracy, b.speed, b.course, NULL, NULL"
    ),
    ("waveform", "reading_block_waveforms", "NULL, NULL, NULL, NULL, NULL, NULL, NULL, b.rate, b.samples"),
  ]

  private static var branches: [String] {
    kinds.map { kind in
      // Person and metric come from the chunk's own columns, so that a condition on them finds the chunks by index.
      """
      SELECT c.person, c.metric, b.source, b.time_us, b.position AS log_position, b.ordinality, \(kind.columns)
      FROM reading_chunk c JOIN metric k ON k.id = c.metric AND k.kind = '\(kind.kind)'
      CROSS JOIN LATERAL \(kind.function)(c.payload) WITH ORDINALITY b
      """
    }
      + kinds.map { kind in
        """
        SELECT b.person, b.metric, b.source, b.time_us, l.position, b.ordinality, \(kind.columns)
        FROM reading_log l CROSS JOIN LATERAL \(kind.function)(l.payload) WITH ORDINALITY b
        """
      }
  }
}
