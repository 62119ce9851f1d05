internal import Domain

/// What one delivery has sent in one day (UTC): a row of the ledger.
struct DisclosureDay: Sendable {
  static let length: Microseconds = 86_400_000_000

  /// Days since 1970-01-01.
  let day: Int32
  let began: Microseconds
  var ended: Microseconds?
  var metrics: Set<MetricID> = []
  var count: Int64 = 0
  /// When the oldest and the newest of the readings were taken; the ends of Int64, turned round, while there are none.
  var oldest: Microseconds = .max
  var newest: Microseconds = .min
  /// How far in the log the day counts.
  var through: LogPosition
  /// Counts the changes of the day.
  var revision = 1
  /// The newest revision that the database has.
  var writtenRevision = 0

  init(at time: Microseconds, began: Microseconds, through position: LogPosition) {
    day = Self.day(of: time)
    self.began = began
    through = position
  }

  static func day(of time: Microseconds) -> Int32 {
    Int32(clamping: time >= 0 ? time / length : (time - length + 1) / length)
  }

  var isWritten: Bool { writtenRevision == revision }

  mutating func add(_ columns: ReadingColumns, through position: LogPosition) {
    add(columns.scalars.metric, columns.scalars.time)
    add(columns.positions.metric, columns.positions.time)
    add(columns.waveforms.metric, columns.waveforms.time)
    through = max(through, position)
    revision += 1
  }

  private mutating func add(_ metrics: [MetricID], _ times: [Microseconds]) {
    count += Int64(times.count)
    // Readings of one metric mostly follow each other.
    var last: MetricID?
    for metric in metrics where metric != last {
      self.metrics.insert(metric)
      last = metric
    }
    for time in times {
      oldest = min(oldest, time)
      newest = max(newest, time)
    }
  }
}
