/// Counts the readings of each person in each hour of their times, and says which are more than a person may have.
///
/// What has to be read, merged or summarised as a whole is at most a person's hour: its size bounds what one question,
/// and one step of compaction, costs.
///
/// Few persons ever come near the limit. So readings are counted by hashes of person and hour at first, which is cheap,
/// and exactly from where one of the hashes has got a sixteenth of the limit: a person may have so much more.
public struct HourQuota: Sendable {
  /// The most readings of a person in an hour: forty metrics at 5 Hz, or ten at 10 Hz that are sent again three times. What
  /// is measured hundreds of times a second comes as waveforms, which count as one reading for up to 50,000 samples.
  public static let readingsMax = 1_000_000

  private struct Key: Hashable {
    let person: PersonID
    let hour: Int64

    /// Spread evenly (Fibonacci hashing).
    var slot: Int {
      Int(truncatingIfNeeded: UInt64(bitPattern: (person &* 31 &+ hour) &* -7_046_029_254_386_353_131) >> 48)
    }
  }

  private static let slots = 1 << 16
  /// More exact counts than these are not kept: the lower ones are forgotten.
  private static let exactMax = 100_000

  private let limit: Int
  private let countedExactly: Int
  private var hashed = [Int32](repeating: 0, count: slots)
  private var exact: [Key: Int] = [:]
  private var total = 0

  /// - Parameter limit: the most readings of a person in an hour.
  public init(limit: Int = readingsMax) {
    self.limit = limit
    countedExactly = limit / 16
  }

  /// Counts readings.
  /// - Returns: the numbers of those that are too many, in their order: scalars first, then positions, then waveforms. They
  ///   are not counted.
  public mutating func take(_ columns: borrowing ReadingColumns) -> [Int] {
    var refused: [Int] = []
    Self.forEachRun(columns) { key, run in
      let over = count(key, run.count)
      if over > 0 { refused += run.suffix(over) }
    }
    return refused
  }

  /// Counts the readings of a batch, and takes those out that are too many.
  ///
  /// - Parameters:
  ///   - columns: what is left of a batch after `ReadingRules.validate`; on return only what is accepted.
  ///   - rejections: of the batch so far, in the order of their numbers; those that are too many are added.
  public mutating func bound(_ columns: inout ReadingColumns, _ rejections: inout [Rejection]) {
    columns.refuse(take(columns), .tooManyInHour, "time_us", &rejections)
  }

  /// Readings that were counted have turned out to be a repeat.
  public mutating func giveBack(_ columns: borrowing ReadingColumns) {
    Self.forEachRun(columns) { key, run in _ = count(key, -run.count) }
  }

  /// Calls `body` with each run of readings of one person and hour.
  private static func forEachRun(_ columns: borrowing ReadingColumns, _ body: (Key, Range<Int>) -> Void) {
    let positions = columns.scalars.count
    forEachRun(columns.scalars.person, columns.scalars.time, base: 0, body)
    forEachRun(columns.positions.person, columns.positions.time, base: positions, body)
    forEachRun(columns.waveforms.person, columns.waveforms.time, base: positions + columns.positions.count, body)
  }

  private static func forEachRun(
    _ persons: [PersonID], _ times: [Microseconds], base: Int, _ body: (Key, Range<Int>) -> Void
  ) {
    var start = 0
    while start < times.count {
      let key = Key(person: persons[start], hour: Chunk.hourIndex(of: times[start]))
      let begins = key.hour &* Chunk.hour
      var end = start + 1
      while end < times.count, persons[end] == key.person, times[end] >= begins, times[end] &- begins < Chunk.hour {
        end += 1
      }
      body(key, base + start..<base + end)
      start = end
    }
  }

  /// - Parameter more: less than 0 to count back.
  /// - Returns: how many of them are too many.
  private mutating func count(_ key: Key, _ more: Int) -> Int {
    total += more
    if total > Self.slots * countedExactly / 8 { forget() }
    let slot = key.slot
    let (sum, overflow) = hashed[slot].addingReportingOverflow(Int32(clamping: more))
    hashed[slot] = overflow ? .max : max(0, sum)
    if more < 0 {
      exact[key] = exact[key].map { max(0, $0 + more) }
      return 0
    }
    guard hashed[slot] > countedExactly else { return 0 }
    let counted = exact[key, default: 0] + more
    exact[key] = min(counted, limit)
    return min(more, max(0, counted - limit))
  }

  /// Hashes fill up with the small counts of many: they begin again. Who is near the limit stays known.
  private mutating func forget() {
    total = 0
    hashed = [Int32](repeating: 0, count: Self.slots)
    if exact.count > Self.exactMax { exact = exact.filter { $0.value > limit / 2 } }
  }
}
