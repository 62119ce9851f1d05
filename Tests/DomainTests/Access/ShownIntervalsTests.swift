import Testing

@testable import Domain

@Suite struct ShownIntervalsTests {
  private static let minute: Microseconds = 60_000_000

  /// A reading: second since the epoch, value, position in the log, and where it comes from.
  private typealias Row = (second: Int64, value: Double, position: LogPosition, source: SourceID)

  /// The digest of the second hour, when the log stood at 10 for the one before and stands at 20 now.
  private func window(
    _ granularity: Granularity = .minute, time: Range<Microseconds> = .min..<(.max)
  ) -> ShownIntervals {
    ShownIntervals(
      period: 60 * Self.minute..<120 * Self.minute, after: 10, through: 20, granularity: granularity, time: time)
  }

  private func shown(
    _ rows: [(second: Int64, value: Double, position: LogPosition)], by window: ShownIntervals
  ) -> [Int64: Double] {
    shown(rows.map { ($0.second, $0.value, $0.position, 0) }, by: window)
  }

  private func shown(_ rows: [Row], by window: ShownIntervals) -> [Int64: Double] {
    var block = ReadingBlock()
    for row in rows.sorted(by: { ($0.second, $0.source, $0.position) < ($1.second, $1.source, $1.position) }) {
      block.columns.scalars.person.append(1)
      block.columns.scalars.metric.append(1)
      block.columns.scalars.source.append(row.source)
      block.columns.scalars.time.append(row.second * 1_000_000)
      block.columns.scalars.value.append(row.value)
      block.positions.scalars.append(row.position)
    }
    let watermarks = Watermarks([
      Watermark(time: 60 * Self.minute, position: 10), Watermark(time: 120 * Self.minute, position: 20),
    ])
    let scalars = window.shown(of: block, by: watermarks).scalars
    return Dictionary(uniqueKeysWithValues: zip(scalars.time.map { $0 / 1_000_000 }, scalars.value))
  }

  @Test("An interval of the period is shown with everything that is there")
  func whole() {
    #expect(shown([(3_600, 60, 11), (3_659, 70, 20), (7_199, 80, 15)], by: window()) == [3_600: 65, 7_140: 80])
  }

  @Test("What came before the digest before, for an interval that was not over then, is shown")
  func openThen() {
    #expect(shown([(3_600, 60, 9), (3_601, 70, 11)], by: window()) == [3_600: 65])
  }

  @Test("What is not in the log yet, or not over yet, is left for the next digest")
  func later() {
    #expect(shown([(3_600, 60, 21), (7_200, 70, 12)], by: window()) == [:])
    #expect(shown([(3_600, 60, 20), (3_601, 70, 21)], by: window()) == [3_600: 60])
  }

  @Test("A late reading stays out if its interval was shown, and is shown if nothing was known of it")
  func late() {
    #expect(shown([(60, 60, 10), (61, 70, 11), (180, 80, 12)], by: window()) == [180: 80])
  }

  @Test("A late reading of another source stays out of a minute or an hour that was shown, and is not shown alone")
  func lateOfAnotherSource() {
    let minutes: [Row] = [(60, 60, 10, 1), (61, 190, 11, 2), (180, 80, 12, 2), (181, 90, 12, 1)]
    // In the digest after the one that showed the minute.
    #expect(shown(minutes, by: window()) == [180: 85])
    for granularity in [Granularity.minute, .hour] {
      let all = ShownIntervals(
        closedBy: Watermark(time: 120 * Self.minute, position: 20), granularity: granularity, time: .min..<(.max))
      #expect(shown([(60, 60, 10, 1), (61, 190, 11, 2)], by: all) == [granularity == .minute ? 60 : 0: 60])
      #expect(shown([(60, 60, 10, 1), (61, 190, 10, 2)], by: all) == [granularity == .minute ? 60 : 0: 125])
    }
  }

  @Test("Only whole minutes of the granted time are shown: a part of one is nothing by itself")
  func granted() {
    let granted = window(time: 100_000_000..<200_000_000)
    #expect(shown([(60, 60, 11), (110, 70, 11), (120, 75, 11), (180, 80, 11)], by: granted) == [120: 75])
  }

  @Test("A reading that is replaced after its minute was closed counts there, and the other does not")
  func replaced() {
    let earlier = ShownIntervals(
      closedBy: Watermark(time: 120 * Self.minute, position: 20), granularity: .minute, time: .min..<(.max))
    #expect(shown([(60, 60, 10), (61, 70, 9), (60, 100, 11), (60, 120, 12)], by: earlier) == [60: 65])
    #expect(shown([(60, 60, 8), (60, 100, 10)], by: earlier) == [60: 100])
  }

  @Test("An hour is made of what counts in its minutes: a reading that was late for its minute is late for its hour")
  func hours() {
    let hours = ShownIntervals(
      closedBy: Watermark(time: 120 * Self.minute, position: 20), granularity: .hour, time: .min..<(.max))
    let late: [(Int64, Double, LogPosition)] = [(60, 60, 10), (61, 100, 11), (180, 80, 10)]
    #expect(shown(late, by: hours) == [0: 70])
    // A minute of which nothing was known when its hour was closed stays out of the hour.
    #expect(shown([(60, 60, 10), (180, 80, 11)], by: hours) == [0: 60])
  }

  @Test("Hours and seconds are cut as minutes are, before 1970 and at the ends of time too")
  func granularities() {
    #expect(shown([(0, 60, 9), (3_599, 90, 11)], by: window(.hour)) == [:])
    #expect(shown([(0, 60, 11), (3_599, 90, 11), (3_600, 1, 11)], by: window(.hour)) == [0: 75, 3_600: 1])
    #expect(shown([(-1, 60, 11), (-61, 90, 12)], by: window(.second)) == [-1: 60, -61: 90])
    var block = ReadingBlock()
    block.columns.scalars.person = [1, 1]
    block.columns.scalars.metric = [1, 1]
    block.columns.scalars.source = [0, 0]
    block.columns.scalars.time = [.min, .max]
    block.columns.scalars.value = [1, 2]
    block.positions.scalars = [11, 11]
    #expect(window(.hour).shown(of: block, by: Watermarks([])).scalars.count <= 1)
  }
}
