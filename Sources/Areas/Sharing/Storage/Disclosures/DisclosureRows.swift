internal import Domain
internal import Identity
internal import Postgres

/// The ledger's rows in the database.
enum DisclosureRows {
  /// Writes days as they are. Writing one again changes nothing, and no row ever says less than before.
  static func write(
    _ days: [(disclosure: Disclosure, day: DisclosureDay)], instance: Int64, _ connection: Connection
  ) throws(PostgresError) {
    try connection.query(
      """
      INSERT INTO disclosure (delivery, day, access_request, kind, metrics, reading_count, from_us, to_us, began_at,
        ended_at, instance, through_position)
      SELECT d.delivery, d.day, d.request, d.kind, d.metrics::integer[], d.count,
        nullif(d.oldest, 9223372036854775807), nullif(d.newest, (-9223372036854775808)::bigint),
        timestamptz 'epoch' + d.began * interval '1 microsecond',
        timestamptz 'epoch' + nullif(d.ended, 9223372036854775807) * interval '1 microsecond',
        $11, d.through
      FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::smallint[], $5::text[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::bigint[], $12::bigint[])
        AS d (delivery, day, request, kind, metrics, count, oldest, newest, began, ended, through)
      ORDER BY d.delivery, d.day
      ON CONFLICT (delivery, day) DO UPDATE SET
        metrics = CASE WHEN cardinality(excluded.metrics) < cardinality(disclosure.metrics) THEN disclosure.metrics
          ELSE excluded.metrics END,
        reading_count = greatest(disclosure.reading_count, excluded.reading_count),
        from_us = least(disclosure.from_us, excluded.from_us), to_us = greatest(disclosure.to_us, excluded.to_us),
        ended_at = excluded.ended_at,
        through_position = greatest(disclosure.through_position, excluded.through_position)
      """,
      [
        .int8Array(days.map(\.disclosure.delivery)), .int4Array(days.map(\.day.day)),
        .int8Array(days.map(\.disclosure.request)), .int2Array(days.map(\.disclosure.kind.rawValue)),
        .textArray(days.map { "{" + $0.day.metrics.sorted().map(String.init).joined(separator: ",") + "}" }),
        .int8Array(days.map(\.day.count)), .int8Array(days.map(\.day.oldest)), .int8Array(days.map(\.day.newest)),
        .int8Array(days.map(\.day.began)), .int8Array(days.map { $0.day.ended ?? .max }), .int8(instance),
        .int8Array(days.map(\.day.through)),
      ])
  }

  static func read(
    _ connection: Connection, of person: PersonID, request: AccessRequestID?, before: Int64, limit: Int
  ) throws -> [DisclosureRecord] {
    let rows = try connection.query(
      """
      SELECT d.id, d.access_request, r.third_party, d.kind, d.metrics, d.reading_count,
        d.from_us, d.to_us, d.began_at, d.ended_at, d.at_most, \(ThirdPartyProfile.columns)
      FROM access_request r JOIN disclosure d ON d.access_request = r.id JOIN account a ON a.id = r.third_party
        \(ThirdPartyProfile.join)
      WHERE r.person = $1 AND ($2::bigint IS NULL OR r.id = $2) AND d.id < $3
      ORDER BY d.id DESC LIMIT $4
      """,
      [.int8(person), request.map { .int8($0) } ?? .null(20), .int8(before), .int8(Int64(limit))])
    return try (0..<rows.rowCount).compactMap { row in
      guard let kind = DisclosureKind(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, 3))) else { return nil }
      var taken: ClosedRange<Microseconds>?
      if !rows.isNull(row, 6), !rows.isNull(row, 7) {
        let (oldest, newest) = (try rows.int64(row, 6), try rows.int64(row, 7))
        if oldest <= newest { taken = oldest...newest }
      }
      return DisclosureRecord(
        id: try rows.int64(row, 0), request: try rows.int64(row, 1), thirdParty: try rows.int64(row, 2),
        recipient: try ThirdPartyProfile(rows, row, from: 11), kind: kind,
        metrics: Set(try rows.int64Array(row, 4).map(MetricID.init(clamping:))), readingCount: try rows.int64(row, 5),
        taken: taken, began: try rows.timestamptz(row, 8),
        ended: rows.isNull(row, 9) ? nil : try rows.timestamptz(row, 9), isAtMost: try rows.bool(row, 10))
    }
  }
}
