import Domain
import Testing

/// What a grant shows at its granularity.
struct GranularViewTests {
  private func scalars(_ readings: [(Microseconds, Double)], metric: MetricID = 1, source: SourceID = 0)
    -> ReadingColumns
  {
    var columns = ReadingColumns()
    for (time, value) in readings {
      columns.scalars.person.append(7)
      columns.scalars.metric.append(metric)
      columns.scalars.source.append(source)
      columns.scalars.time.append(time)
      columns.scalars.value.append(value)
    }
    return columns
  }

  @Test func aMinuteIsItsMeanAtItsStartAndShowsNoSecond() {
    let minute: Microseconds = 60_000_000
    let shown = scalars([(minute + 1, 10), (minute + 59_999_999, 20), (2 * minute, 7)]).shown(at: .minute)
    #expect(shown.scalars.time == [minute, 2 * minute])
    #expect(shown.scalars.value == [15, 7])
  }

  @Test(arguments: [Granularity.minute, .hour]) func minutesAndHoursAreOneValueOfAllSources(granularity: Granularity) {
    let (start, length) = (granularity.length, granularity.length)
    var columns = scalars([(start, 10), (start + length, 40)])
    columns.append(contentsOf: scalars([(start + 1, 20), (start + 2, 60)], source: 4))
    columns.append(contentsOf: scalars([(start + 3, 5)], metric: 2, source: 4))
    for source in [0, 4] as [SourceID] {
      columns.positions.person.append(7)
      columns.positions.metric.append(11)
      columns.positions.source.append(source)
      columns.positions.time.append(start)
      columns.positions.latitude.append(source == 0 ? 45 : 46)
      columns.positions.longitude.append(9)
      columns.positions.altitude.append(.nan)
      columns.positions.accuracy.append(3)
      columns.positions.speed.append(1)
      columns.positions.course.append(90)
    }
    let shown = columns.shown(at: granularity)
    #expect(shown.scalars.value == [30, 40, 5])
    #expect(shown.scalars.source == [0, 0, 0])
    #expect(shown.positions.latitude == [45.5] && shown.positions.source == [0])
  }

  @Test func metricsAndSourcesAreNotMixedInSeconds() {
    var columns = scalars([(0, 1), (1, 3)])
    columns.append(contentsOf: scalars([(2, 5)], metric: 2))
    columns.append(contentsOf: scalars([(3, 9)], source: 4))
    let shown = columns.shown(at: .second)
    #expect(shown.scalars.value == [2, 5, 9])
    #expect(shown.scalars.time == [0, 0, 0])
  }

  @Test(arguments: Granularity.allCases) func timesBefore1970AreRoundedDownToo(granularity: Granularity) {
    #expect(granularity.start(of: -1) == -granularity.length)
    #expect(granularity.start(of: -granularity.length) == -granularity.length)
    #expect(granularity.start(of: 0) == 0)
    #expect(granularity.start(of: granularity.length - 1) == 0)
  }

  @Test func anIntervalIsWidenedToWholeOnesAndNoFurther() {
    let hour = Granularity.hour.length
    #expect(Granularity.hour.widened(1..<2) == 0..<hour)
    #expect(Granularity.hour.widened(0..<hour) == 0..<hour)
    #expect(Granularity.hour.widened(-1..<(hour + 1)) == -hour..<(2 * hour))
    #expect(Granularity.hour.widened(.min..<(.max)) == .min..<(.max))
    #expect(Granularity.minute.widened(.min..<0) == .min..<0)
  }

  @Test func positionsAcrossTheDateLineHaveTheirMeanThere() {
    var columns = ReadingColumns()
    for longitude in [179.0, -179.0, -178.0] {
      columns.positions.person.append(7)
      columns.positions.metric.append(11)
      columns.positions.source.append(0)
      columns.positions.time.append(5)
      columns.positions.latitude.append(10)
      columns.positions.longitude.append(longitude)
      columns.positions.altitude.append(.nan)
      columns.positions.accuracy.append(3)
      columns.positions.speed.append(1)
      columns.positions.course.append(90)
    }
    columns.positions.altitude[1] = 40
    let shown = columns.shown(at: .minute).positions
    #expect(shown.count == 1)
    #expect(abs(shown.longitude[0] - -179.333_333) < 0.001)
    #expect(shown.latitude[0] == 10 && shown.altitude[0] == 40)
    #expect(shown.accuracy[0].isNaN && shown.speed[0].isNaN && shown.course[0].isNaN)
  }

  @Test func waveformsAreShownAtSecondsOnly() {
    var columns = ReadingColumns()
    columns.waveforms.person = [7]
    columns.waveforms.metric = [8]
    columns.waveforms.source = [0]
    columns.waveforms.time = [1_500_000]
    columns.waveforms.rate = [250]
    columns.waveforms.sampleCount = [2]
    columns.waveforms.samples = [0.5, 0.25]
    let shown = columns.shown(at: .second)
    #expect(shown.waveforms.time == [1_000_000] && shown.waveforms.samples == [0.5, 0.25])
    #expect(columns.shown(at: .minute).isEmpty && columns.shown(at: .hour).isEmpty)
  }

  @Test func aRequestsLifeHasNoWayBack() {
    for state in AccessState.allCases where state.isFinal {
      #expect(!AccessState.allCases.contains { $0.mayFollow(state) })
    }
    #expect(AccessState.pending.predecessors == [.awaitingPayment])
    #expect(AccessState.accepted.predecessors == [.pending])
    #expect(Set(AccessState.refused.predecessors) == [.awaitingPayment, .pending])
    #expect(Set(AccessState.withdrawn.predecessors) == [.awaitingPayment, .pending, .accepted])
    #expect(AccessState.revoked.predecessors == [.accepted])
    #expect(Set(AccessState.expired.predecessors) == [.awaitingPayment, .pending, .accepted])
  }
}
