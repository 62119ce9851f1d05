import Domain

/// One reading of any kind, for reference answers that sort and filter plainly.
struct Reading: Hashable {
  /// What makes two readings the same one.
  struct Key: Hashable {
    let person: PersonID
    let metric: MetricID
    let source: SourceID
    let time: Microseconds
  }

  let key: Key
  /// The bits of every number that the reading holds; all NaNs are one.
  let bits: [UInt64]
  let position: LogPosition

  init(_ key: Key, _ values: [Double], at position: LogPosition) {
    self.key = key
    bits = values.map { $0.isNaN ? Double.nan.bitPattern : $0.bitPattern }
    self.position = position
  }

  /// A scalar's value.
  var value: Double { Double(bitPattern: bits[0]) }

  /// The same at no position, to compare what is said without one.
  var unplaced: Reading { Reading(key: key, bits: bits, position: 0) }

  private init(key: Key, bits: [UInt64], position: LogPosition) {
    self.key = key
    self.bits = bits
    self.position = position
  }

  /// Readings one by one, in the order of the columns.
  static func all(of block: ReadingBlock) -> [Reading] {
    var readings: [Reading] = []
    let (scalars, points, waves) = (block.columns.scalars, block.columns.positions, block.columns.waveforms)
    for i in 0..<scalars.count {
      let key = Key(
        person: scalars.person[i], metric: scalars.metric[i], source: scalars.source[i], time: scalars.time[i])
      readings.append(Reading(key, [scalars.value[i]], at: block.positions.scalars[i]))
    }
    for i in 0..<points.count {
      let key = Key(person: points.person[i], metric: points.metric[i], source: points.source[i], time: points.time[i])
      let place = [
        points.latitude[i], points.longitude[i], points.altitude[i], points.accuracy[i], points.speed[i],
        points.course[i],
      ]
      readings.append(Reading(key, place, at: block.positions.positions[i]))
    }
    var first = 0
    for i in 0..<waves.count {
      let end = first + Int(waves.sampleCount[i])
      let key = Key(person: waves.person[i], metric: waves.metric[i], source: waves.source[i], time: waves.time[i])
      readings.append(Reading(key, [waves.rate[i]] + waves.samples[first..<end], at: block.positions.waveforms[i]))
      first = end
    }
    return readings
  }

  static func all(of columns: ReadingColumns, at position: LogPosition = 0) -> [Reading] {
    all(of: ReadingBlock(columns: columns, at: position))
  }

  /// Each reading once: of those with one key the last of the greatest position.
  static func latest(_ readings: [Reading]) -> [Key: Reading] {
    readings.reduce(into: [:]) { latest, reading in
      if let known = latest[reading.key], known.position > reading.position { return }
      latest[reading.key] = reading
    }
  }
}

extension [Reading] {
  /// In the order of a history: by time, then metric and source.
  func history(newestFirst: Bool = false) -> [Reading] {
    sorted { a, b in
      if a.key.time != b.key.time { return newestFirst ? a.key.time > b.key.time : a.key.time < b.key.time }
      return (a.key.metric, a.key.source) < (b.key.metric, b.key.source)
    }
  }
}

/// SplitMix64: the same seed gives the same readings, so that a failure can be repeated.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Metrics of the registry that the tests use.
enum Metrics {
  static let heartRate: MetricID = 1
  static let oxygen: MetricID = 6
  static let ecg: MetricID = 8
  static let position: MetricID = 11
  static let all: [MetricID] = [heartRate, oxygen, ecg, position]
}

extension ReadingColumns {
  /// Scalars of one person and metric, one a time.
  static func scalars(
    person: PersonID = 1, metric: MetricID = Metrics.heartRate, source: SourceID = 0, _ values: [(Microseconds, Double)]
  ) -> ReadingColumns {
    var columns = ReadingColumns()
    for (time, value) in values { columns.add(person, metric, source, time, value) }
    return columns
  }

  mutating func add(_ person: PersonID, _ metric: MetricID, _ source: SourceID, _ time: Microseconds, _ value: Double) {
    scalars.person.append(person)
    scalars.metric.append(metric)
    scalars.source.append(source)
    scalars.time.append(time)
    scalars.value.append(value)
  }

  mutating func addPosition(_ person: PersonID, _ source: SourceID, _ time: Microseconds, _ place: [Double]) {
    positions.person.append(person)
    positions.metric.append(Metrics.position)
    positions.source.append(source)
    positions.time.append(time)
    positions.latitude.append(place[0])
    positions.longitude.append(place[1])
    positions.altitude.append(place[2])
    positions.accuracy.append(.nan)
    positions.speed.append(.nan)
    positions.course.append(.nan)
  }

  mutating func addWaveform(
    _ person: PersonID, _ source: SourceID, _ time: Microseconds, rate: Double = 250, _ samples: [Double]
  ) {
    waveforms.person.append(person)
    waveforms.metric.append(Metrics.ecg)
    waveforms.source.append(source)
    waveforms.time.append(time)
    waveforms.rate.append(rate)
    waveforms.sampleCount.append(Int32(samples.count))
    waveforms.samples += samples
  }

  /// Readings of a few persons and of every kind, around the epoch, whose times often meet.
  static func random(
    _ generator: inout Seeded, count: ClosedRange<Int> = 0...30, persons: PersonID = 4, hours: Int64 = 3
  ) -> ReadingColumns {
    var columns = ReadingColumns()
    for _ in 0..<Int.random(in: count, using: &generator) {
      let person = PersonID.random(in: 1...persons, using: &generator)
      let source = SourceID.random(in: 0...1, using: &generator)
      let time = Int64.random(in: -hours * 12...hours * 12, using: &generator) * 300_000_000
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        let place = (0..<3).map { _ in Double(Int.random(in: -900...900, using: &generator)) / 10 }
        columns.addPosition(person, source, time, place)
      case 1:
        let samples = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
          Double(Int.random(in: -99...99, using: &generator)) / 100
        }
        columns.addWaveform(person, source, time, samples)
      default:
        let metric = Bool.random(using: &generator) ? Metrics.heartRate : Metrics.oxygen
        columns.add(person, metric, source, time, Double(Int.random(in: 0...100, using: &generator)))
      }
    }
    return columns
  }
}
