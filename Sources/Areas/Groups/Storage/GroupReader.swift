package import Domain
package import GroupsRules
internal import Log
internal import Postgres

/// What the persons of a question add up to. Nothing of it may leave without noise.
package struct GroupTallies: Sendable {
  /// How often cells have been made: the same epoch, the same answer.
  package let epoch: Int64
  /// When that was.
  package let gathered: Microseconds
  /// By metric, then bucket.
  package let buckets: [String: [Tally]]
  /// By metric, then hour of the clock, where they are asked for.
  package let hours: [String: [Tally]]
  /// By metric, then stratum, where records are asked for; then there are no buckets.
  package let strata: [String: [Tally]]
}

/// Adds cells up.
package struct GroupReader: Sendable {
  private let pool: Pool
  private let turns: FairTurns
  private let zones = TimeZoneNames()

  init(pool: Pool, turns: FairTurns) {
    self.pool = pool
    self.turns = turns
  }

  /// - Returns: nil where there is no such time zone.
  /// - Throws: `PostgresError`; `FairTurns.Full`; `CellError`; `CancellationError`.
  package func tallies(of question: GroupQuestion, _ catalog: MetricCatalog) async throws -> GroupTallies? {
    let metrics = question.metrics.compactMap { catalog[$0] }
    return try await turns.run(for: .current) {
      try await pool.withConnection { connection in
        try connection.inTransaction { connection in
          _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
          let state = try connection.query("SELECT epoch, made_at FROM group_state")
          guard try zones.contains(question.times.timeZone, connection) else { return nil }
          let hours = try Self.hours(connection, question.times)
          let strata = question.statistics.contains(.records) ? Stratum.all(of: question.persons) : nil
          var (buckets, profiles): ([String: [Tally]], [String: [Tally]]) = ([:], [:])
          var ofStrata: [String: [Tally]] = [:]
          for metric in metrics {
            let members = try Self.members(connection, of: question, sharing: metric.id, strata)
            var sums = GroupSums(question, hours, strata: strata?.count)
            try sums.read(connection, metric.id, members)
            (buckets[metric.name], profiles[metric.name]) = (sums.buckets, sums.hours)
            ofStrata[metric.name] = sums.strata
          }
          return GroupTallies(
            epoch: try state.int64(0, 0), gathered: try state.timestamptz(0, 1), buckets: buckets, hours: profiles,
            strata: ofStrata)
        }
      }
    }
  }

  /// What clocks of the zone show in every hour that can belong to the days.
  private static func hours(_ connection: Connection, _ times: GroupQuestion.Times) throws -> [LocalHour] {
    // No zone is farther from UTC than 15 hours.
    let first = times.days.lowerBound.daysSinceEpoch * 24 - 15
    let last = times.days.upperBound.daysSinceEpoch * 24 + 24 + 15
    let rows = try connection.query(
      """
      SELECT hour, local::date - date '1970-01-01', extract(hour FROM local)::integer
      FROM generate_series($1::integer, $2::integer) AS hour,
        LATERAL (SELECT to_timestamp(hour * 3600::bigint) AT TIME ZONE $3 AS local) AS clock
      ORDER BY hour
      """, [.int4(Int32(first)), .int4(Int32(last)), .text(times.timeZone)])
    return try (0..<rows.rowCount).map { row in
      LocalHour(
        hour: try rows.int32(row, 0), localDay: try rows.int32(row, 1), localHour: Int(try rows.int32(row, 2)))
    }
  }

  /// Who is asked about and shares the kind, by part. A fiscal code counts once, and whoever has withdrawn something not
  /// at all until the cells are without it.
  /// - Parameter strata: to tell them apart by; nil: they are not.
  private static func members(
    _ connection: Connection, of question: GroupQuestion, sharing metric: MetricID, _ strata: [Stratum]?
  ) throws -> [Int32: PartMembers] {
    let persons = question.persons
    var parameters: [Parameter] = [
      .int4(metric), .int4(Int32(question.times.days.lowerBound.daysSinceEpoch)), .int4(Int32(persons.ages.from)),
      .int4(Int32(persons.ages.to ?? AgeBands.greatest)), .float8(Double(persons.weights.from ?? 0)),
      .float8(persons.weights.to.map { Double($0) } ?? .infinity), .text(persons.sex?.rawValue ?? ""),
    ]
    var address = ""
    if !persons.address.isEmpty {
      parameters.append(.text(persons.address))
      address = """
        AND strpos(regexp_replace(lower(coalesce(
          (SELECT form_values ->> 'address' FROM account WHERE id = m.person), '')), '\\s+', ' ', 'g'), $8) > 0
        """
    }
    var group = (columns: "", by: "")
    if let strata {
      parameters.append(.int4Array(Set(strata.map { Int32($0.fromAge) }).sorted(by: >)))
      // How many age groups are of persons who are older.
      group.columns = """
        , p.sex, width_bucket(p.date_of_birth, (
          SELECT array_agg((date '1970-01-01' + $2 - make_interval(years => age) + interval '1 day')::date ORDER BY place)
          FROM unnest($\(parameters.count)::integer[]) WITH ORDINALITY AS a (age, place)))
        """
      group.by = ", 3, 4"
    }
    // There are as many rows as persons: dates of birth are compared with two dates that are known when the statement is
    // planned (a text made a date would not be), and those who do not count are looked up once.
    let rows = try connection.query(
      """
      SELECT (m.person / \(DayCells.persons))::integer, array_agg(m.person)\(group.columns)
      FROM anonymous_metric m JOIN person p ON p.account = m.person
      WHERE m.metric = $1 AND p.holds_fiscal_code
        AND p.date_of_birth <= (date '1970-01-01' + $2 - make_interval(years => $3))::date
        AND p.date_of_birth > (date '1970-01-01' + $2 - make_interval(years => $4 + 1))::date
        AND p.weight_kg >= $5 AND p.weight_kg < $6 AND ($7 = '' OR p.sex = $7)
        AND m.person NOT IN (
          SELECT person FROM group_stale UNION ALL SELECT id FROM account WHERE state <> 'active')
        \(address)
      GROUP BY 1\(group.by)
      """, parameters)
    var members: [Int32: PartMembers] = [:]
    for row in 0..<rows.rowCount {
      let stratum = try strata.map { try Self.stratum(rows, row, $0) } ?? 0
      var part = members.removeValue(forKey: try rows.int32(row, 0)) ?? PartMembers()
      for person in try rows.int64Array(row, 1) { part.add(DayCells.number(of: person), stratum: stratum) }
      members[try rows.int32(row, 0)] = part
    }
    return members
  }

  /// The stratum of the persons of a row.
  private static func stratum(_ rows: Postgres.Result, _ row: Int, _ strata: [Stratum]) throws -> Int {
    let (sex, older) = (try rows.string(row, 2), Int(try rows.int32(row, 3)))
    let ages = Set(strata.map(\.fromAge)).sorted(by: >)
    let stratum = strata.firstIndex { $0.sex.rawValue == sex && $0.fromAge == ages[older] }
    guard let stratum else { throw CellError() }
    return stratum
  }
}

/// The sums of one kind, part after part.
private struct GroupSums {
  private let spans: [Int32: [HourSpan]]
  private let hourSpans: [Int32: [HourSpan]]
  private let places: CellSet?
  private let bucketCount: Int
  private let hasProfile: Bool
  private(set) var buckets: [Tally]
  private(set) var hours: [Tally]?
  private(set) var strata: [Tally]?

  /// - Parameter strata: how many there are, where they are told apart, and buckets are not.
  init(_ question: GroupQuestion, _ hours: [LocalHour], strata: Int?) {
    hasProfile = question.releases.contains(.hours)
    spans = Dictionary(grouping: HourSpan.buckets(hours, question.times), by: \.day)
    hourSpans = hasProfile ? Dictionary(grouping: HourSpan.profile(hours, question.times), by: \.day) : [:]
    places = question.place.cells.map { CellSet($0) }
    bucketCount = question.times.boundaries.count - 1
    buckets = [Tally](repeating: Tally(), count: bucketCount)
    self.hours = hasProfile ? [Tally](repeating: Tally(), count: CellRow.hours) : nil
    self.strata = strata.map { [Tally](repeating: Tally(), count: $0) }
  }

  /// What has been read of a part and day.
  private struct Open {
    let part: Int32
    let day: Int32
    var persons: [UInt16]?
    var places: [PlaceGrid.Cell] = []
    var columns: [Int: CellColumn] = [:]
  }

  private struct Sums {
    let members: PartMembers
    var buckets: PartTally
    var hours: PartTally?
  }

  mutating func read(_ connection: Connection, _ metric: MetricID, _ members: [Int32: PartMembers]) throws {
    guard let first = spans.keys.min(), let last = spans.keys.max(), !members.isEmpty else { return }
    let ends = Set([spans, hourSpans].flatMap { $0.values.joined() }.flatMap { [$0.from, $0.to] })
    var open: Open?
    var sums: Sums?
    try connection.streamRows(
      """
      SELECT part, day, hour::integer, payload FROM group_cell
      WHERE metric = $1 AND part = ANY ($2) AND day BETWEEN $3 AND $4 AND hour = ANY ($5)
      ORDER BY part, day, hour
      """,
      [
        .int4(metric), .int4Array(members.keys.sorted()), .int4(first), .int4(last),
        .int2Array(
          ends.union(places == nil ? [DayCells.who] : [DayCells.who, DayCells.place]).sorted().map { Int16($0) }),
      ]
    ) { row in
      let (part, day, hour) = (try row.int32(0), try row.int32(1), Int(try row.int32(2)))
      let payload = try row.withBytes(3) { Array($0) }
      if open?.part != part || open?.day != day {
        try close(&open, members, &sums)
        if open?.part != part { take(&sums) }
        open = Open(part: part, day: day)
      }
      switch hour {
      case DayCells.who: open?.persons = try CellKeys.persons(payload)
      case DayCells.place: open?.places = try CellKeys.places(payload)
      default: open?.columns[hour] = try CellColumn(payload)
      }
    }
    try close(&open, members, &sums)
    take(&sums)
  }

  /// Adds a day to the sums of its part.
  private func close(_ open: inout Open?, _ members: [Int32: PartMembers], _ sums: inout Sums?) throws {
    guard let day = open, let persons = day.persons, let counted = members[day.part] else { return }
    var added =
      sums
      ?? Sums(
        members: counted, buckets: PartTally(buckets: bucketCount),
        hours: hasProfile ? PartTally(buckets: CellRow.hours) : nil)
    sums = nil
    for span in spans[day.day] ?? [] {
      guard let until = day.columns[span.to] else { continue }
      try added.buckets.add(
        persons, at: day.places, from: day.columns[span.from], to: until, bucket: span.bucket, members: counted,
        asked: places)
    }
    for span in hourSpans[day.day] ?? [] {
      guard let until = day.columns[span.to] else { continue }
      try added.hours?.add(
        persons, at: day.places, from: day.columns[span.from], to: until, bucket: span.bucket, members: counted,
        asked: places)
    }
    sums = added
  }

  /// Takes over a part that is complete: nobody is in another one.
  private mutating func take(_ sums: inout Sums?) {
    guard let part = sums else { return }
    sums = nil
    if let count = strata?.count {
      let tallies = part.buckets.tallies(of: part.members, strata: count)
      for (stratum, tally) in tallies.enumerated() { strata?[stratum].add(tally) }
      return
    }
    for (bucket, tally) in part.buckets.tallies.enumerated() { buckets[bucket].add(tally) }
    for (hour, tally) in (part.hours?.tallies ?? []).enumerated() { hours?[hour].add(tally) }
  }
}
