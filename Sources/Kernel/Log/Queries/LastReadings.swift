public import Domain
public import Postgres

/// Reads the newest reading of one scalar metric of many persons, however long ago it was taken.
public struct LastReadings: Sendable {
  /// How many persons' chunks are asked for at once; between two questions others have their turn.
  private static let pageSize = 1_000

  private let pool: Pool

  public init(pool: Pool) { self.pool = pool }

  /// Passes on the newest reading of each person who has one. What is committed meanwhile may be seen or not.
  ///
  /// In memory is one reading for each of the persons, and one chunk.
  ///
  /// - Parameters:
  ///   - persons: whose.
  ///   - body: called on a thread that may wait, once for each thousand persons.
  /// - Returns: how many readings were passed on.
  /// - Throws: `PostgresError`, `BlockError`, `CancellationError`.
  public func read(
    of persons: [PersonID], metric: MetricID, _ body: @escaping @Sendable (ReadingColumns) -> Void
  ) async throws -> Int {
    guard !persons.isEmpty else { return 0 }
    // What is compacted after this look is in a chunk when the chunks are looked at.
    let tail = try await tail(Set(persons), metric)
    var count = 0
    var rest = persons[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let page = Array(rest.prefix(Self.pageSize))
      rest = rest.dropFirst(Self.pageSize)
      count += try await pool.withConnection { connection in
        var newest = Newest()
        for person in page { newest.add(tail.readings[person]) }
        try connection.streamRows(
          """
          SELECT c.payload FROM unnest($1::bigint[]) AS p (person)
          CROSS JOIN LATERAL (
            SELECT payload FROM reading_chunk WHERE person = p.person AND metric = $2 AND hour = (
              SELECT hour FROM reading_chunk WHERE person = p.person AND metric = $2 ORDER BY hour DESC LIMIT 1)
          ) c
          """, [.int8Array(page), .int4(metric)]
        ) { row in newest.add(try row.withBytes(0) { try BlockCodec.decode($0) }.columns.scalars, metric) }
        if !newest.readings.isEmpty { body(newest.columns) }
        return newest.readings.count
      }
    }
    return count
  }

  private func tail(_ persons: Set<PersonID>, _ metric: MetricID) async throws -> Newest {
    try await pool.withConnection { connection in
      var newest = Newest()
      try connection.streamRows(
        """
        SELECT payload FROM reading_log
        WHERE position > (SELECT compacted_position FROM log_state) ORDER BY position
        """, []
      ) { row in
        let block = try row.withBytes(0) { try BlockCodec.decode($0, persons: persons, metrics: [metric]) }
        newest.add(block.columns.scalars, metric)
      }
      return newest
    }
  }

  /// The newest reading of each person.
  private struct Newest {
    struct Reading {
      let person: PersonID
      let metric: MetricID
      let source: SourceID
      let time: Microseconds
      let value: Double
    }

    private(set) var readings: [PersonID: Reading] = [:]

    mutating func add(_ found: Reading?) {
      guard let found, found.time > readings[found.person]?.time ?? .min else { return }
      readings[found.person] = found
    }

    mutating func add(_ scalars: ScalarColumns, _ metric: MetricID) {
      for index in 0..<scalars.count where scalars.metric[index] == metric {
        add(
          Reading(
            person: scalars.person[index], metric: metric, source: scalars.source[index], time: scalars.time[index],
            value: scalars.value[index]))
      }
    }

    var columns: ReadingColumns {
      var columns = ReadingColumns()
      for reading in readings.values {
        columns.scalars.person.append(reading.person)
        columns.scalars.metric.append(reading.metric)
        columns.scalars.source.append(reading.source)
        columns.scalars.time.append(reading.time)
        columns.scalars.value.append(reading.value)
      }
      return columns
    }
  }
}
