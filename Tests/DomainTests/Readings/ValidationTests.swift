import TestSupport
import Testing

@testable import Domain

/// The rules that every reading must meet before it is stored.
@Suite struct ValidationTests {
  private static let now: Microseconds = 1_700_000_000_000_000
  private static let rules = ReadingRules(
    catalog: MetricCatalog([
      Metric(
        id: 1, name: "heart_rate", displayName: "", kind: .scalar, unit: "/min", loincCode: "", minimum: 0, maximum: 400
      ),
      Metric(
        id: 8, name: "ecg", displayName: "", kind: .waveform, unit: "mV", loincCode: "", minimum: -100, maximum: 100),
      Metric(
        id: 11, name: "position", displayName: "", kind: .position, unit: "deg", loincCode: "", minimum: -180,
        maximum: 180),
      Metric(
        id: 65_535, name: "last", displayName: "", kind: .scalar, unit: "1", loincCode: "", minimum: -.infinity,
        maximum: .infinity),
      Metric(
        id: 3, name: "pulse", displayName: "", kind: .scalar, unit: "/min", loincCode: "", minimum: 0, maximum: 400,
        zeroIsNoValue: true),
      Metric(
        id: 5, name: "temperature", displayName: "", kind: .scalar, unit: "Cel", loincCode: "", minimum: 10,
        maximum: 50,
        zeroIsNoValue: true),
      Metric(
        id: 6, name: "change", displayName: "", kind: .scalar, unit: "1", loincCode: "", minimum: -5, maximum: 5,
        zeroIsNoValue: true),
      Metric(
        id: 12, name: "fix", displayName: "", kind: .position, unit: "deg", loincCode: "", minimum: -180, maximum: 180,
        zeroIsNoValue: true),
    ]))

  /// A scalar, good unless something is changed.
  struct Scalar {
    var person: PersonID = 7
    var metric: MetricID = 1
    var source: SourceID = 0
    var time = ValidationTests.now
    var value = 60.0
  }

  /// A change of a good reading, and what it leads to: nil where it is still good.
  struct Case<Row: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let reason: RejectionReason?
    let field: String
    let change: @Sendable (inout Row) -> Void
    var testDescription: String { name }

    init(_ name: String, _ reason: RejectionReason?, _ field: String, _ change: @escaping @Sendable (inout Row) -> Void)
    {
      self.name = name
      self.reason = reason
      self.field = field
      self.change = change
    }
  }

  private func check<Row>(
    _ one: Case<Row>, _ row: Row, by principal: Principal = .operator, _ append: (Row, inout ReadingColumns) -> Void
  ) {
    var changed = row
    one.change(&changed)
    var columns = ReadingColumns()
    append(row, &columns)
    append(changed, &columns)
    append(row, &columns)
    let rejections = Self.rules.validate(&columns, by: principal, now: Self.now)
    #expect(rejections == (one.reason.map { [Rejection(index: 1, reason: $0, field: one.field)] } ?? []))
    // The others of the batch land.
    #expect(columns.count == (one.reason == nil ? 3 : 2))
  }

  static let scalars: [Case<Scalar>] = [
    .init("good", nil, "") { _ in },
    .init("the least value", nil, "") { $0.value = 0 },
    .init("the greatest value", nil, "") { $0.value = 400 },
    .init("minus zero", nil, "") { $0.value = -0.0 },
    .init("below", .outOfRange, "value") { $0.value = -Double.leastNonzeroMagnitude },
    .init("above", .outOfRange, "value") { $0.value = Double(400).nextUp },
    .init("not a number", .notANumber, "value") { $0.value = .nan },
    .init("a signalling NaN", .notANumber, "value") { $0.value = .signalingNaN },
    .init("infinite", .notANumber, "value") { $0.value = .infinity },
    .init("minus infinite", .notANumber, "value") { $0.value = -.infinity },
    .init("five minutes ahead", nil, "") { $0.time += 300_000_000 },
    .init("more than five minutes ahead", .timeInFuture, "time_us") { $0.time += 300_000_001 },
    .init("at the end of time", .timeInFuture, "time_us") { $0.time = .max },
    .init("the beginning of 1970", nil, "") { $0.time = 0 },
    .init("before 1970", .timeTooOld, "time_us") { $0.time = -1 },
    .init("at the beginning of time", .timeTooOld, "time_us") { $0.time = .min },
    .init("person 0", .invalidPerson, "person_id") { $0.person = 0 },
    .init("a negative person", .invalidPerson, "person_id") { $0.person = -7 },
    .init("the greatest person", nil, "") { $0.person = .max },
    .init("metric 0", .unknownMetric, "metric") { $0.metric = 0 },
    .init("a negative metric", .unknownMetric, "metric") { $0.metric = -1 },
    .init("a metric in between", .unknownMetric, "metric") { $0.metric = 4 },
    .init("a metric after the last", .unknownMetric, "metric") { $0.metric = 65_536 },
    .init("the greatest metric", .unknownMetric, "metric") { $0.metric = .max },
    .init("a waveform's metric", .wrongKind, "metric") { $0.metric = 8 },
    .init("a position's metric", .wrongKind, "metric") { $0.metric = 11 },
    .init("a source that is none", .invalidSource, "source") { $0.source = ReadingRules.invalidSource },
    .init("0 where that is no value", .noValue, "value") { ($0.metric, $0.value) = (3, 0) },
    .init("minus zero where that is no value", .noValue, "value") { ($0.metric, $0.value) = (3, -0.0) },
    .init("hardly more than 0", nil, "") { ($0.metric, $0.value) = (3, .leastNonzeroMagnitude) },
    .init("the greatest where 0 is no value", nil, "") { ($0.metric, $0.value) = (3, 400) },
    .init("above where 0 is no value", .outOfRange, "value") { ($0.metric, $0.value) = (3, 401) },
    .init("below where 0 is no value", .outOfRange, "value") { ($0.metric, $0.value) = (3, -1) },
    .init("no value, and outside of the range", .noValue, "value") { ($0.metric, $0.value) = (5, 0) },
    .init("no value within the range", .noValue, "value") { ($0.metric, $0.value) = (6, 0) },
    .init("beside what is no value", nil, "") { ($0.metric, $0.value) = (6, -1) },
    .init("outside of a range with no value inside", .outOfRange, "value") { ($0.metric, $0.value) = (6, 6) },
    .init("a metric without limits", nil, "") { ($0.metric, $0.value) = (65_535, 1e300) },
    // Of several faults the first counts, in the order: person, whose it is, metric, kind, source, time, value.
    .init("everything wrong", .invalidPerson, "person_id") {
      $0 = Scalar(person: 0, metric: 0, source: -1, time: .max, value: .nan)
    },
    .init("all but the person", .unknownMetric, "metric") {
      $0 = Scalar(metric: 0, source: -1, time: .max, value: .nan)
    },
    .init("kind before source", .wrongKind, "metric") { $0 = Scalar(metric: 8, source: -1, time: .max, value: .nan) },
    .init("source before time", .invalidSource, "source") { $0 = Scalar(source: -1, time: .max, value: .nan) },
    .init("time before value", .timeInFuture, "time_us") { $0 = Scalar(time: .max, value: .nan) },
  ]

  @Test(arguments: scalars) func aScalarMeetsTheRules(one: Case<Scalar>) {
    check(one, Scalar()) { $1.append($0) }
  }

  static let ofAPerson: [Case<Scalar>] = [
    .init("own", nil, "") { _ in },
    .init("of another", .notYours, "person_id") { $0.person = 8 },
    .init("of nobody", .invalidPerson, "person_id") { $0.person = 0 },
    .init("of another, before the metric", .notYours, "person_id") { ($0.person, $0.metric) = (8, 0) },
  ]

  @Test(arguments: ofAPerson) func aPersonPushesForThatPersonOnly(one: Case<Scalar>) {
    check(one, Scalar(), by: .person(7)) { $1.append($0) }
  }

  struct Place {
    var person: PersonID = 7
    var metric: MetricID = 11
    var time = ValidationTests.now
    /// Latitude, longitude, altitude, accuracy, speed, course.
    var fields = [45.0, 9.0, 120, 5, 1.5, 90]
  }

  private static func field(
    _ name: String, _ place: Int, good: [Double], outside: [Double], isOptional: Bool
  ) -> [Case<Place>] {
    good.map { value in .init("\(name) \(value)", nil, "") { $0.fields[place] = value } }
      + outside.map { value in .init("\(name) \(value)", .outOfRange, name) { $0.fields[place] = value } }
      + [
        .init("\(name) infinite", .notANumber, name) { $0.fields[place] = .infinity },
        .init("\(name) NaN", isOptional ? nil : .notANumber, name) { $0.fields[place] = .nan },
      ]
  }

  static let positions: [Case<Place>] =
    field("latitude", 0, good: [-90, 90], outside: [-90.000001, 91], isOptional: false)
    + field("longitude", 1, good: [-180, 180], outside: [-180.000001, 181], isOptional: false)
    + field("altitude", 2, good: [-500, 100_000], outside: [-501, 100_001], isOptional: true)
    + field("accuracy", 3, good: [0, 1e6], outside: [-1], isOptional: true)
    + field("speed", 4, good: [0, 350], outside: [-0.1, 351], isOptional: true)
    + field("course", 5, good: [0, 359.9], outside: [-1, 361], isOptional: true)
    + [
      .init("a scalar's metric", .wrongKind, "metric") { $0.metric = 1 },
      .init("ahead", .timeInFuture, "time_us") { $0.time = .max },
      .init("nobody's", .invalidPerson, "person_id") { $0.person = 0 },
      .init("without a fix", .noValue, "latitude") { ($0.metric, $0.fields[0], $0.fields[1]) = (12, 0, -0.0) },
      .init("at the equator", nil, "") { ($0.metric, $0.fields[0]) = (12, 0) },
      .init("at the prime meridian", nil, "") { ($0.metric, $0.fields[1]) = (12, 0) },
      .init("0 and 0 where that is a place", nil, "") { ($0.fields[0], $0.fields[1]) = (0, 0) },
      .init("latitude before longitude", .outOfRange, "latitude") { ($0.fields[0], $0.fields[1]) = (99, .nan) },
    ]

  @Test(arguments: positions) func aPositionMeetsTheRules(one: Case<Place>) {
    check(one, Place()) { $1.append($0) }
  }

  struct Wave {
    var person: PersonID = 7
    var metric: MetricID = 8
    var time = ValidationTests.now
    var rate = 250.0
    var samples = [0.1, 0.2]
  }

  static let waveforms: [Case<Wave>] = [
    .init("good", nil, "") { _ in },
    .init("the greatest rate", nil, "") { $0.rate = 100_000 },
    .init("no rate", .invalidWaveform, "rate_hz") { $0.rate = 0 },
    .init("a negative rate", .invalidWaveform, "rate_hz") { $0.rate = -1 },
    .init("too high a rate", .invalidWaveform, "rate_hz") { $0.rate = 100_000.1 },
    .init("a rate that is none", .invalidWaveform, "rate_hz") { $0.rate = .nan },
    .init("no samples", .invalidWaveform, "samples") { $0.samples = [] },
    .init("50,000 samples", nil, "") { $0.samples = Array(repeating: 1, count: 50_000) },
    .init("50,001 samples", .invalidWaveform, "samples") { $0.samples = Array(repeating: 1, count: 50_001) },
    .init("a sample outside", .outOfRange, "samples") { $0.samples = [0, 100.1] },
    .init("a sample at the limit", nil, "") { $0.samples = [-100, 100] },
    .init("a sample that is no number", .notANumber, "samples") { $0.samples = [.nan, 1] },
    .init("an infinite sample", .notANumber, "samples") { $0.samples = [1, -.infinity] },
    .init("a scalar's metric", .wrongKind, "metric") { $0.metric = 1 },
    .init("rate before samples", .invalidWaveform, "rate_hz") { ($0.rate, $0.samples) = (0, [.nan]) },
  ]

  @Test(arguments: waveforms) func aWaveformMeetsTheRules(one: Case<Wave>) {
    check(one, Wave()) { $1.append($0) }
  }

  @Test func rejectionsAreNumberedOverAllKindsAndWhatIsLeftFitsTogether() {
    var generator = SeededGenerator(seed: 99)
    for _ in 0..<50 {
      var columns = ReadingColumns()
      var expected: [Rejection] = []
      var kept = ReadingColumns()
      for index in 0..<Int.random(in: 0...6, using: &generator) {
        let isBad = generator.chance(0.4)
        let row = Scalar(value: isBad ? .nan : Double(index))
        columns.append(row)
        if isBad { expected.append(.init(index: index, reason: .notANumber, field: "value")) } else { kept.append(row) }
      }
      let scalars = columns.scalars.count
      for index in 0..<Int.random(in: 0...6, using: &generator) {
        let isBad = generator.chance(0.4)
        let row = Place(fields: [isBad ? 99 : Double(index), 0, 1, 2, 3, 4])
        columns.append(row)
        if isBad {
          expected.append(.init(index: scalars + index, reason: .outOfRange, field: "latitude"))
        } else {
          kept.append(row)
        }
      }
      let base = scalars + columns.positions.count
      for index in 0..<Int.random(in: 0...6, using: &generator) {
        let isBad = generator.chance(0.4)
        // Each waveform has other samples, and another number of them.
        let samples = (0...index).map { Double(index * 10 + $0) }
        let row = Wave(rate: isBad ? 0 : 250, samples: samples)
        columns.append(row)
        if isBad {
          expected.append(.init(index: base + index, reason: .invalidWaveform, field: "rate_hz"))
        } else {
          kept.append(row)
        }
      }
      #expect(Self.rules.validate(&columns, by: .operator, now: Self.now) == expected)
      #expect(columns == kept)
    }
  }

  @Test func anEmptyBatchIsGood() {
    var columns = ReadingColumns()
    #expect(Self.rules.validate(&columns, by: .operator, now: Self.now).isEmpty)
  }

  @Test func aRegistryWithoutMetricsRefusesEverything() {
    var columns = ReadingColumns()
    columns.append(Scalar())
    columns.append(Wave())
    let rejections = ReadingRules(catalog: MetricCatalog([])).validate(&columns, by: .operator, now: Self.now)
    #expect(rejections.map(\.reason) == [.unknownMetric, .unknownMetric])
    #expect(columns.isEmpty)
  }
}

extension ReadingColumns {
  fileprivate mutating func append(_ row: ValidationTests.Scalar) {
    scalars.person.append(row.person)
    scalars.metric.append(row.metric)
    scalars.source.append(row.source)
    scalars.time.append(row.time)
    scalars.value.append(row.value)
  }

  fileprivate mutating func append(_ row: ValidationTests.Place) {
    positions.person.append(row.person)
    positions.metric.append(row.metric)
    positions.source.append(0)
    positions.time.append(row.time)
    positions.latitude.append(row.fields[0])
    positions.longitude.append(row.fields[1])
    positions.altitude.append(row.fields[2])
    positions.accuracy.append(row.fields[3])
    positions.speed.append(row.fields[4])
    positions.course.append(row.fields[5])
  }

  fileprivate mutating func append(_ row: ValidationTests.Wave) {
    waveforms.person.append(row.person)
    waveforms.metric.append(row.metric)
    waveforms.source.append(0)
    waveforms.time.append(row.time)
    waveforms.rate.append(row.rate)
    waveforms.sampleCount.append(Int32(row.samples.count))
    waveforms.samples += row.samples
  }
}
