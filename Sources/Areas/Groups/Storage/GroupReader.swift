package import Domain
package import GroupsRules
internal import Log
internal import Postgres

/// What a reader saw: which changes were committed before it.
package struct GroupSnapshot: Sendable {
  /// A `pg_snapshot`.
  package let text: String
  /// Everything that is in it was committed before.
  package let time: Microseconds
}

/// What the persons of a question add up to. Nothing of it may leave without noise.
package struct GroupTallies: Sendable {
  package let snapshot: GroupSnapshot
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

  /// For what is short.
  private let quick: Pool

  init(pool: Pool, quick: Pool) {
    self.pool = pool
    self.quick = quick
  }

  /// How many parts there are, each of `DayCells.persons`: persons are numbered one after the other.
  /// - Throws: `PostgresError`.
  package func parts() async throws -> Int {
    try await quick.withConnection { connection in
      let ends = try connection.query("SELECT coalesce(min(account), 0), coalesce(max(account), 0) FROM person")
      return Int(DayCells.part(of: try ends.int64(0, 1)) - DayCells.part(of: try ends.int64(0, 0))) + 1
    }
  }

  /// To be asked in a turn of `StorageSystem.questions`.
  /// - Parameter question: whose time zone there is.
  /// - Throws: `PostgresError`; `CellError`; `CancellationError`.
  package func tallies(of question: GroupQuestion, _ catalog: MetricCatalog) async throws -> GroupTallies {
    let metrics = question.metrics.compactMap { catalog[$0] }
    return try await pool.withConnection { connection in
      try connection.inTransaction { connection in
        _ = try connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let seen = try connection.query("SELECT pg_current_snapshot()::text, clock_timestamp()")
        let snapshot = GroupSnapshot(text: try seen.string(0, 0), time: try seen.timestamptz(0, 1))
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
        return GroupTallies(snapshot: snapshot, buckets: buckets, hours: profiles, strata: ofStrata)
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
  ///
  /// Every person is looked at, and every part is there: what is read and how long it takes does not tell who matches.
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
      // The first condition: it takes longest, and is looked at of everybody.
      address = """
        strpos(regexp_replace(lower(coalesce(
          (SELECT form_values ->> 'address' FROM account WHERE id = p.account), '')), '\\s+', ' ', 'g'), $8) > 0 AND
        """
    }
    var number = "1"
    if let strata {
      parameters.append(.int4Array(Set(strata.map { Int32($0.fromAge) }).sorted(by: >)))
      // How many age groups are of persons who are older, and the sex.
      number = """
        1 + (p.sex = 'male')::integer + 2 * width_bucket(p.date_of_birth, (
          SELECT array_agg((date '1970-01-01' + $2 - make_interval(years => age) + interval '1 day')::date ORDER BY place)
          FROM unnest($\(parameters.count)::integer[]) WITH ORDINALITY AS a (age, place)))
        """
    }
    let rows = try connection.query(
      """
      SELECT (p.account / \(DayCells.persons))::integer, array_agg(p.account << 16 | CASE WHEN \(address)
          m.person IS NOT NULL AND p.holds_fiscal_code
          AND p.date_of_birth <= (date '1970-01-01' + $2 - make_interval(years => $3))::date
          AND p.date_of_birth > (date '1970-01-01' + $2 - make_interval(years => $4 + 1))::date
          AND p.weight_kg >= $5 AND p.weight_kg < $6 AND ($7 = '' OR p.sex = $7)
          AND p.account NOT IN (
            SELECT person FROM group_stale UNION ALL SELECT id FROM account WHERE state <> 'active')
        THEN \(number) ELSE 0 END)
      FROM person p LEFT JOIN anonymous_metric m ON m.person = p.account AND m.metric = $1
      GROUP BY 1
      """, parameters)
    let numbers = try memberNumbers(strata)
    var members: [Int32: PartMembers] = [:]
    for row in 0..<rows.rowCount {
      var part = PartMembers()
      for person in try rows.int64Array(row, 1) {
        let number = Int(person & 0xffff)
        guard number < numbers.count else { throw CellError() }
        part.set(DayCells.number(of: person >> 16), number: numbers[number])
      }
      members[try rows.int32(row, 0)] = part
    }
    return members
  }

  /// What `PartMembers` are told of a number that PostgreSQL has given a person.
  private static func memberNumbers(_ strata: [Stratum]?) throws -> [UInt8] {
    guard let strata else { return [0, 1] }
    let ages = Set(strata.map(\.fromAge)).sorted(by: >)
    // Nobody who matches is in a stratum that is not asked about.
    return [0]
      + ages.flatMap { age in
        [Sex.female, .male].map { sex in
          strata.firstIndex { $0.sex == sex && $0.fromAge == age }.map { UInt8($0 + 1) } ?? 0
        }
      }
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
