internal import Domain
internal import GroupsRules
internal import Log
internal import Postgres

/// Persons' days that have to be made anew, by where they are stored.
struct CellWork {
  private struct Block: Hashable {
    let metric: MetricID
    let day: Int32
    let part: Int32
  }

  private var persons: [Block: Set<PersonID>] = [:]

  /// The most persons whose readings of a day are in memory at once.
  private static let personsAtOnce = 256

  init() {}

  /// What chunks that were written after a position touch. Where somebody was is a part of every kind.
  /// - Throws: `PostgresError`.
  static func touched(_ connection: Connection, since position: LogPosition, _ catalog: MetricCatalog) throws
    -> CellWork
  {
    let found = try days(connection, "c.last_position > $1", .int8(position))
    var work = CellWork()
    let shared = try Shared.read(connection, Set((0..<found.rowCount).map { try found.int64($0, 0) }))
    for row in 0..<found.rowCount {
      let (person, metric) = (try found.int64(row, 0), try found.int32(row, 2))
      let isPlace = catalog[metric]?.kind == .position
      work.add(person, try found.int32(row, 1), isPlace ? Array(shared[person].keys) : [metric], catalog)
    }
    return work
  }

  /// All days of some persons: those that stand in cells, and those of which they share something now.
  /// - Throws: `PostgresError`.
  mutating func add(remaking persons: Set<PersonID>, _ connection: Connection, _ catalog: MetricCatalog) throws {
    if persons.isEmpty { return }
    let parts = Set(persons.map { DayCells.part(of: $0) })
    try connection.streamRows(
      "SELECT metric, day, part, payload FROM group_cell WHERE part = ANY ($1) AND hour = $2",
      [.int4Array(parts.sorted()), .int2(Int16(DayCells.who))]
    ) { row in
      let block = Block(metric: try row.int32(0), day: try row.int32(1), part: try row.int32(2))
      let numbers = try row.withBytes(3) { try CellKeys.persons(Array($0)) }
      let standing = Set(numbers.map { DayCells.person($0, of: block.part) }).intersection(persons)
      if !standing.isEmpty { self.persons[block, default: []].formUnion(standing) }
    }
    let found = try Self.days(connection, "person = ANY ($1)", .int8Array(persons.sorted()))
    for row in 0..<found.rowCount {
      add(try found.int64(row, 0), try found.int32(row, 1), [try found.int32(row, 2)], catalog)
    }
  }

  /// Days of persons who share what they have of them: person, day, metric.
  private static func days(
    _ connection: Connection, _ condition: String, _ parameter: Parameter
  ) throws -> Postgres.Result {
    try connection.query(
      """
      SELECT DISTINCT person, c.hour / 24, metric FROM reading_chunk c JOIN anonymous_metric m USING (person, metric)
      WHERE \(condition) AND (c.hour + 1) * 3600000000 > m.counts_from_us
      """, [parameter])
  }

  private mutating func add(_ person: PersonID, _ day: Int32, _ metrics: [MetricID], _ catalog: MetricCatalog) {
    for metric in metrics where catalog[metric]?.kind == .scalar {
      persons[Block(metric: metric, day: day, part: DayCells.part(of: person)), default: []].insert(person)
    }
  }

  /// Makes them.
  /// - Throws: `PostgresError`; `CellError`, `BlockError` for what is stored and can't be read.
  func run(_ connection: Connection, _ catalog: MetricCatalog) throws {
    for (block, persons) in persons.sorted(by: { ($0.key.day, $0.key.metric) < ($1.key.day, $1.key.metric) }) {
      guard let metric = catalog[block.metric] else { continue }
      var rows: [CellRow] = []
      let sorted = persons.sorted()
      for start in stride(from: 0, to: sorted.count, by: Self.personsAtOnce) {
        let some = Array(sorted[start..<min(start + Self.personsAtOnce, sorted.count)])
        rows += try Self.rows(of: some, block, metric, connection, catalog)
      }
      try Self.write(block, Set(sorted.map { DayCells.number(of: $0) }), rows, connection)
    }
  }

  /// The rows of some persons, as their readings give them.
  private static func rows(
    of persons: [PersonID], _ block: Block, _ metric: Metric, _ connection: Connection, _ catalog: MetricCatalog
  ) throws -> [CellRow] {
    let shared = try Shared.read(connection, Set(persons))
    let places = catalog.metrics.filter { $0.kind == .position }.map(\.id)
    var blocks: [PersonID: [ReadingBlock]] = [:]
    try connection.streamRows(
      """
      SELECT c.person, c.payload FROM reading_chunk c JOIN anonymous_metric m USING (person, metric)
      WHERE c.person = ANY ($1) AND c.metric = ANY ($2) AND c.hour BETWEEN $3 AND $4
      """,
      [
        .int8Array(persons), .int4Array([metric.id] + places), .int4(block.day * 24), .int4(block.day * 24 + 23),
      ]
    ) { row in
      blocks[try row.int64(0), default: []].append(try row.withBytes(1) { try BlockCodec.decode($0) })
    }
    let begins = Microseconds(block.day) * 24 * Chunk.hour
    return persons.flatMap { person -> [CellRow] in
      guard let countsFrom = shared[person][metric.id], let found = blocks[person] else { return [] }
      let columns = ReadingMerge.merge(found, from: begins, to: begins + 24 * Chunk.hour).columns
      let positions = columns.positions.shared(by: shared[person])
      return DayReadings.rows(
        of: DayCells.number(of: person), day: block.day, columns.scalars, positions, ValueScale(of: metric),
        isCounted: ValueScale.counted.contains(metric.name), countsFrom: countsFrom)
    }
  }

  private static func write(
    _ block: Block, _ persons: Set<UInt16>, _ rows: [CellRow], _ connection: Connection
  ) throws {
    let key: [Parameter] = [.int4(block.metric), .int4(block.day), .int4(block.part)]
    let stored = try connection.query(
      """
      WITH gone AS (DELETE FROM group_cell WHERE metric = $1 AND day = $2 AND part = $3 RETURNING hour, payload)
      SELECT payload FROM gone ORDER BY hour
      """, key)
    var cells = DayCells()
    if stored.rowCount > 0 {
      cells = try DayCells(columns: (0..<stored.rowCount).map { row in try stored.withBytes(row, 0) { Array($0) } })
    }
    cells.replace(persons, by: rows)
    if cells.rows.isEmpty { return }
    _ = try connection.query(
      """
      INSERT INTO group_cell (metric, day, part, hour, payload)
      SELECT $1, $2, $3, place - 1, payload FROM unnest($4::bytea[]) WITH ORDINALITY AS c (payload, place)
      """, key + [.byteaArray(cells.columns)])
  }
}

/// What some persons share, by kind with the time from which readings count.
private struct Shared {
  private var all: [PersonID: [MetricID: Microseconds]] = [:]

  subscript(person: PersonID) -> [MetricID: Microseconds] { all[person] ?? [:] }

  static func read(_ connection: Connection, _ persons: Set<PersonID>) throws -> Shared {
    let rows = try connection.query(
      "SELECT person, metric, counts_from_us FROM anonymous_metric WHERE person = ANY ($1)",
      [.int8Array(persons.sorted())])
    var shared = Shared()
    for row in 0..<rows.rowCount {
      shared.all[try rows.int64(row, 0), default: [:]][try rows.int32(row, 1)] = try rows.int64(row, 2)
    }
    return shared
  }
}

extension PositionColumns {
  /// Those of kinds that are shared, from when on they count.
  fileprivate func shared(by countsFrom: [MetricID: Microseconds]) -> PositionColumns {
    var kept = PositionColumns()
    for index in time.indices {
      guard let from = countsFrom[metric[index]], time[index] >= from else { continue }
      kept.time.append(time[index])
      kept.latitude.append(latitude[index])
      kept.longitude.append(longitude[index])
    }
    return kept
  }
}

extension ValueScale {
  /// Of a kind: the one that is known, or all that the registry takes for possible.
  init(of metric: Metric) {
    self =
      Self.known[metric.name]
      ?? ValueScale(metric.minimum, metric.maximum > metric.minimum ? metric.maximum : metric.minimum + 1)
  }
}
