public import Domain
internal import Postgres

/// Answers questions about the readings of one person. An answer holds everything that was acknowledged before the
/// question came; readings that repeat each other count once.
///
/// Askers take turns: a long history is read in several, and between two of them others have theirs. Readings that are
/// committed meanwhile may be seen or not. What reads little, the newest readings and the beginning of a small page, has
/// turns of its own, so that it waits for nobody's history.
public struct ReadingStore: Sendable {
  /// Who may read, and with which connections.
  struct Door: Sendable {
    /// Has a connection for each turn.
    let pool: Pool
    let turns: FairTurns
  }

  /// A turn ends with the first part after so long.
  private static let turnTime: Duration = .milliseconds(250)
  /// The same of what reads little; what it has not read by then is read in the other turns.
  private static let briefTurnTime: Duration = .milliseconds(20)
  /// A page of more readings reads much.
  private static let briefPageReadings = 1_000
  /// What is looked at together: about so many readings of an hour that has more, or forty times as many samples.
  public static let maxPieceReadings = 262_144

  private let heavy: Door
  private let brief: Door
  private let tail: LogTail
  private let pieceReadings: Int
  private let zones = TimeZoneNames()

  /// - Parameter pieceReadings: hours that have more readings are read in pieces of about so many.
  init(heavy: Door, brief: Door, tail: LogTail, pieceReadings: Int = maxPieceReadings) {
    self.heavy = heavy
    self.brief = brief
    self.tail = tail
    self.pieceReadings = pieceReadings
  }

  /// The newest reading of each metric.
  public func currentStatus(of person: PersonID, metrics: [MetricID]) async throws -> ReadingColumns {
    try await history(person, metrics, .min..<(.max), by: brief) { try $0.newest().newestOfEachMetric() }
  }

  /// One page of a history.
  ///
  /// - Parameters:
  ///   - after: the place of the last reading of the page before; nil for the first page.
  ///   - limit: the most readings.
  /// - Returns: the readings in the order asked for, and whether there are more.
  public func page(
    of person: PersonID, metrics: [MetricID], in time: Range<Microseconds>, newestFirst: Bool, after: ReadingPlace?,
    limit: Int
  ) async throws -> ReadingPage {
    let page = ReadingPage(newestFirst: newestFirst, after: after, limit: limit)
    let windows = HistoryWindows(
      page.interval(in: time), newestFirst: newestFirst, pieceReadings: pieceReadings, step: 1)
    let isBrief = limit <= Self.briefPageReadings
    return try await inTurns(person, metrics, windows, beginsBriefly: isBrief, into: page) { page, windows, history in
      guard !page.isFull, let window = try windows.next(history, readings: limit + 1) else { return false }
      page.append(try history.readings(in: window))
      return true
    }
  }

  /// The first part of a history, oldest first: whole seconds, about `readings` readings, or some more if one hour has them.
  ///
  /// - Parameter position: what was committed after it is left out.
  /// - Returns: the readings of the part, and what is left of the interval; nil at its end.
  public func part(
    of person: PersonID, metrics: [MetricID], in time: Range<Microseconds>, through position: LogPosition,
    readings limit: Int
  ) async throws -> (columns: ReadingColumns, rest: Range<Microseconds>?) {
    try await history(person, metrics, time) { history in
      var windows = HistoryWindows(
        time, newestFirst: false, pieceReadings: pieceReadings, step: Granularity.second.length)
      guard let window = try windows.next(history, readings: limit) else { return (ReadingColumns(), nil) }
      let rest = window.upperBound..<time.upperBound
      return (try history.positioned(in: window).committed(through: position), rest.isEmpty ? nil : rest)
    }
  }

  /// The first part of what a third party is shown of a history at a granularity, oldest first.
  ///
  /// - Parameters:
  ///   - time: a part of what was granted; whole intervals of the granularity.
  ///   - watermark: what closes what is shown; what was committed after it is left out.
  ///   - readings: about how many readings are looked at; some more if one hour has them, and at the granularity of hours
  ///     all of one hour.
  /// - Returns: the values, what is left of the interval (nil at its end), and a position that a watermark would have to
  ///   cover to show more of the part; nil if none would.
  public func shown(
    of person: PersonID, metrics: [MetricID], at granularity: Granularity, in time: Range<Microseconds>,
    closedBy watermark: Watermark, readings limit: Int
  ) async throws -> (columns: ReadingColumns, rest: Range<Microseconds>?, uncovered: LogPosition?) {
    try await history(person, metrics, time) { history in
      var windows = HistoryWindows(
        time, newestFirst: false, pieceReadings: pieceReadings, step: granularity.length)
      guard let window = try windows.next(history, readings: limit) else { return (ReadingColumns(), nil, nil) }
      let rest = window.upperBound..<time.upperBound
      let versions = try history.versions(in: window)
      let intervals = ShownIntervals(closedBy: watermark, granularity: granularity, time: window)
      let columns = intervals.shown(of: versions, by: try WatermarkRows.closing(versions, history.connection))
      return (columns, rest.isEmpty ? nil : rest, intervals.unreached(of: versions))
    }
  }

  /// The summaries of a scalar metric, oldest first.
  ///
  /// - Parameter limit: the most summaries; one more is made where there are more.
  public func summaries(
    of person: PersonID, metric: MetricID, in time: Range<Microseconds>, by buckets: SummaryBuckets, limit: Int
  ) async throws -> SummaryColumns {
    let windows = HistoryWindows(time, newestFirst: false, pieceReadings: pieceReadings, step: 1)
    return try await inTurns(person, [metric], windows, into: Summarizer(buckets)) { summarizer, windows, history in
      guard summarizer.count <= limit, let window = try windows.next(history, readings: 262_144) else { return false }
      summarizer.add(try history.readings(in: window).scalars)
      return true
    }.finish()
  }

  /// Runs a history through a body, oldest first, on a thread for questions to the database.
  ///
  /// - Parameters:
  ///   - readings: about how many are read at once; some more if one hour has them.
  ///   - state: what the body changes.
  ///   - body: takes readings that are not older than those before; returns false to end it.
  /// - Returns: the state after the last part.
  /// - Throws: `PostgresError`, `CancellationError`, and what the body throws.
  public func fold<State: Sendable>(
    of person: PersonID, metrics: [MetricID], in time: Range<Microseconds>, readings limit: Int, into state: State,
    _ body: @escaping @Sendable (inout State, ReadingColumns) throws -> Bool
  ) async throws -> State {
    let windows = HistoryWindows(time, newestFirst: false, pieceReadings: pieceReadings, step: 1)
    return try await inTurns(person, metrics, windows, into: state) { state, windows, history in
      guard let window = try windows.next(history, readings: limit) else { return false }
      return try body(&state, try history.readings(in: window))
    }
  }

  /// Takes steps through a history, some in each turn, until one says that it was the last or nothing is left.
  /// - Parameter beginsBriefly: whether the first turn is one of those for what reads little.
  private func inTurns<State: Sendable>(
    _ person: PersonID, _ metrics: [MetricID], _ windows: HistoryWindows, beginsBriefly: Bool = false,
    into state: State,
    _ step: @escaping @Sendable (inout State, inout HistoryWindows, PersonHistory) throws -> Bool
  ) async throws -> State {
    var (state, windows) = (state, windows)
    var isOver = false
    var isBrief = beginsBriefly
    while !isOver, !windows.rest.isEmpty {
      let before = (state, windows)
      let (door, time) = isBrief ? (brief, Self.briefTurnTime) : (heavy, Self.turnTime)
      isBrief = false
      (state, windows, isOver) = try await history(person, metrics, windows.rest, by: door) { history in
        var (state, windows) = before
        let end = ContinuousClock.now + time
        repeat {
          guard try step(&state, &windows, history) else { return (state, windows, true) }
        } while ContinuousClock.now < end
        return (state, windows, false)
      }
    }
    return state
  }

  /// The beginnings of days or weeks of a time zone that cover an interval, and the end of the last one.
  ///
  /// - Parameters:
  ///   - unit: `day` or `week`.
  ///   - zone: an IANA name.
  /// - Returns: nil if there is no such zone.
  public func boundaries(
    _ unit: CalendarUnit, in zone: String, covering time: Range<Microseconds>
  ) async throws -> [Microseconds]? {
    try await heavy.turns.run { try await readBoundaries(unit, in: zone, covering: time) }
  }

  private func readBoundaries(
    _ unit: CalendarUnit, in zone: String, covering time: Range<Microseconds>
  ) async throws -> [Microseconds]? {
    try await heavy.pool.withConnection { [zones] connection in
      guard try zones.contains(zone, connection) else { return nil }
      let rows = try connection.query(
        """
        SELECT (extract(epoch FROM (day AT TIME ZONE $1)) * 1000000)::bigint
        FROM generate_series(
          date_trunc($2, to_timestamp($3 / 1e6) AT TIME ZONE $1),
          date_trunc($2, to_timestamp($4 / 1e6) AT TIME ZONE $1) + ('1 ' || $2)::interval,
          ('1 ' || $2)::interval) AS day
        """,
        [.text(zone), .text(unit.rawValue), .float8(Double(time.lowerBound)), .float8(Double(time.upperBound))])
      return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
    }
  }

  private func history<T: Sendable>(
    _ person: PersonID, _ metrics: [MetricID], _ time: Range<Microseconds>, by door: Door? = nil,
    _ body: @escaping @Sendable (PersonHistory) throws -> T
  ) async throws -> T {
    let door = door ?? heavy
    return try await door.turns.run {
      // Not before its turn: a snapshot keeps rows in memory.
      let snapshot = tail.uncompacted()
      return try await door.pool.withConnection { connection in
        try PersonHistory.read(
          connection, snapshot: snapshot, person: person, metrics: metrics, time: time, body)
      }
    }
  }
}

/// A length of time whose beginning depends on the time zone.
public enum CalendarUnit: String, Sendable {
  case day
  /// From Monday, as ISO 8601 has it.
  case week
}
