/// Counts the readings of each person in each hour of their times, and says which are more than a person may have.
///
/// What has to be read, merged or summarised as a whole is at most a person's hour: its size bounds what one question,
/// and one step of compaction, costs.
///
/// Few persons ever come near the limit. So readings are counted by hashes of persons at first, which costs some
/// instructions a reading; where one of the hashes has got a 32nd of the limit, also by hashes of person and hour; and
/// exactly from where one of those has got as much: a person may have a sixteenth more than the limit.
public struct HourQuota: Sendable {
  /// The most readings of a person in an hour: forty metrics at 5 Hz, or ten at 10 Hz that are sent again three times. What
  /// is measured hundreds of times a second comes as waveforms, which count as one reading for up to 50,000 samples.
  public static let readingsMax = 1_000_000

  private struct Key: Hashable {
    let person: PersonID
    let hour: Int64
  }

  private static let slots = 1 << 16
  /// More exact counts than these are not kept: the lower ones are forgotten.
  private static let exactMax = 100_000

  private let limit: Int
  /// The most of a hash that is not counted more exactly.
  private let coarseMax: Int32
  private var ofPersons = [Int32](repeating: 0, count: slots)
  private var ofHours = [Int32](repeating: 0, count: slots)
  private var exact: [Key: Int] = [:]
  private var total = 0

  /// - Parameter limit: the most readings of a person in an hour.
  public init(limit: Int = readingsMax) {
    self.limit = limit
    coarseMax = Int32(max(1, limit / 32))
  }

  /// Counts readings.
  /// - Returns: the numbers of those that are too many, in their order: scalars first, then positions, then waveforms. They
  ///   are not counted.
  public mutating func take(_ columns: borrowing ReadingColumns) -> [Int] {
    total += columns.count
    if total > Self.slots * Int(coarseMax) / 8 { forget() }
    var refused: [Int] = []
    forEachHour(of: columns, adding: 1) { quota, key, run in
      let over = quota.count(key, run.count)
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
    total -= columns.count
    forEachHour(of: columns, adding: -1) { quota, key, run in quota.countBack(key, run.count) }
  }

  // MARK: By persons

  /// Counts readings by hashes of persons, and calls `body` with each run of readings of one hour of those who have many.
  private mutating func forEachHour(
    of columns: borrowing ReadingColumns, adding sign: Int32, _ body: (inout HourQuota, Key, Range<Int>) -> Void
  ) {
    let positions = columns.scalars.count
    let waveforms = positions + columns.positions.count
    forEachHour(columns.scalars.person, columns.scalars.time, base: 0, adding: sign, body)
    forEachHour(columns.positions.person, columns.positions.time, base: positions, adding: sign, body)
    forEachHour(columns.waveforms.person, columns.waveforms.time, base: waveforms, adding: sign, body)
  }

  private mutating func forEachHour(
    _ persons: [PersonID], _ times: [Microseconds], base: Int, adding sign: Int32,
    _ body: (inout HourQuota, Key, Range<Int>) -> Void
  ) {
    for run in countPersons(persons, sign) {
      var start = run.lowerBound
      while start < run.upperBound {
        let key = Key(person: persons[start], hour: Chunk.hourIndex(of: times[start]))
        let begins = key.hour &* Chunk.hour
        var end = start + 1
        while end < run.upperBound, times[end] >= begins, times[end] &- begins < Chunk.hour { end += 1 }
        body(&self, key, base + start..<base + end)
        start = end
      }
    }
  }

  /// - Returns: the runs of readings of persons who have many.
  private mutating func countPersons(_ persons: [PersonID], _ sign: Int32) -> [Range<Int>] {
    if persons.isEmpty { return [] }
    let coarseMax = coarseMax
    var found: [Range<Int>] = []
    persons.withUnsafeBufferPointer { persons in
      ofPersons.withUnsafeMutableBufferPointer { counts in
        var start = 0
        while start < persons.count {
          let person = persons[start]
          var end = start + 1
          while end < persons.count, persons[end] == person { end += 1 }
          let slot = Self.slot(of: person)
          let before = counts[slot]
          let after = max(0, before &+ sign &* Int32(truncatingIfNeeded: end - start))
          counts[slot] = after
          // The same when they are counted back.
          if max(before, after) > coarseMax { found.append(start..<end) }
          start = end
        }
      }
    }
    return found
  }

  // MARK: By hours

  /// - Returns: how many of them are too many.
  private mutating func count(_ key: Key, _ more: Int) -> Int {
    let slot = Self.slot(of: key.person &* 31 &+ key.hour)
    ofHours[slot] &+= Int32(truncatingIfNeeded: more)
    guard ofHours[slot] > coarseMax else { return 0 }
    let counted = exact[key, default: 0] + more
    exact[key] = min(counted, limit)
    return min(more, max(0, counted - limit))
  }

  private mutating func countBack(_ key: Key, _ fewer: Int) {
    let slot = Self.slot(of: key.person &* 31 &+ key.hour)
    ofHours[slot] = max(0, ofHours[slot] &- Int32(truncatingIfNeeded: fewer))
    exact[key] = exact[key].map { max(0, $0 - fewer) }
  }

  // MARK: Hashes

  /// Spread evenly (Fibonacci hashing).
  private static func slot(of number: Int64) -> Int {
    Int(truncatingIfNeeded: UInt64(bitPattern: number &* -7_046_029_254_386_353_131) >> 48)
  }

  /// Hashes fill up with the small counts of many: they begin again. Who is near the limit stays known.
  private mutating func forget() {
    total = 0
    ofPersons = [Int32](repeating: 0, count: Self.slots)
    ofHours = [Int32](repeating: 0, count: Self.slots)
    if exact.count > Self.exactMax { exact = exact.filter { $0.value > limit / 2 } }
  }
}
