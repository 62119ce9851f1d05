import Domain
import TestSupport

/// One reading of any kind, for reference implementations that sort and filter plainly.
struct NaiveReading: Equatable {
  enum Body: Equatable {
    case scalar(Double)
    case position([Double])
    case waveform(rate: Double, samples: [Double])

    var rank: Int {
      switch self {
      case .scalar: 0
      case .position: 1
      case .waveform: 2
      }
    }
  }

  var person: PersonID
  var metric: MetricID
  var source: SourceID
  var time: Microseconds
  var logPosition: LogPosition
  var body: Body

  func isSameReading(as other: NaiveReading) -> Bool {
    person == other.person && metric == other.metric && source == other.source && time == other.time
      && body.rank == other.body.rank
  }

  /// The readings of a block, one by one: scalars, positions, waveforms.
  static func all(of block: ReadingBlock) -> [NaiveReading] {
    let (scalars, points, waveforms) = (block.columns.scalars, block.columns.positions, block.columns.waveforms)
    var readings: [NaiveReading] = []
    for i in 0..<scalars.count {
      readings.append(
        NaiveReading(
          person: scalars.person[i], metric: scalars.metric[i], source: scalars.source[i], time: scalars.time[i],
          logPosition: block.positions.scalars[i], body: .scalar(scalars.value[i])))
    }
    for i in 0..<points.count {
      let place = [
        points.latitude[i], points.longitude[i], points.altitude[i], points.accuracy[i], points.speed[i],
        points.course[i],
      ]
      readings.append(
        NaiveReading(
          person: points.person[i], metric: points.metric[i], source: points.source[i], time: points.time[i],
          logPosition: block.positions.positions[i], body: .position(place)))
    }
    var first = 0
    for i in 0..<waveforms.count {
      let samples = Array(waveforms.samples[first..<first + Int(waveforms.sampleCount[i])])
      first += samples.count
      readings.append(
        NaiveReading(
          person: waveforms.person[i], metric: waveforms.metric[i], source: waveforms.source[i],
          time: waveforms.time[i], logPosition: block.positions.waveforms[i],
          body: .waveform(rate: waveforms.rate[i], samples: samples)))
    }
    return readings
  }

  /// Each reading once, the version committed last, later entries of `readings` winning ties.
  static func latest(of readings: [NaiveReading]) -> [NaiveReading] {
    struct Key: Hashable {
      var kind: Int
      var person: PersonID
      var metric: MetricID
      var source: SourceID
      var time: Microseconds
    }
    var latest: [Key: NaiveReading] = [:]
    for reading in readings {
      let key = Key(
        kind: reading.body.rank, person: reading.person, metric: reading.metric, source: reading.source,
        time: reading.time)
      if let known = latest[key], known.logPosition > reading.logPosition { continue }
      latest[key] = reading
    }
    return Array(latest.values)
  }
}

extension RandomReadings {
  /// Readings of a few persons and metrics, with repeats, in no order, within three hours of the epoch.
  mutating func commitGroup(persons: Int64 = 3, metrics: Int32 = 2) -> ReadingColumns {
    let spread: Int64 = 3 * 3_600_000_000
    var columns = ReadingColumns()
    func time(_ generator: inout SeededGenerator) -> Int64 {
      // Coarse, so that times repeat.
      Int64.random(in: -spread / 900_000_000...spread / 900_000_000, using: &generator) * 900_000_000
    }
    for _ in 0..<Int.random(in: 0...60, using: &generator) {
      columns.scalars.person.append(Int64.random(in: 1...persons, using: &generator))
      columns.scalars.metric.append(Int32.random(in: 1...metrics, using: &generator))
      columns.scalars.source.append(Int32.random(in: 0...1, using: &generator))
      columns.scalars.time.append(time(&generator))
      columns.scalars.value.append(Double(Int.random(in: 0...99, using: &generator)))
    }
    for _ in 0..<Int.random(in: 0...20, using: &generator) {
      columns.positions.person.append(Int64.random(in: 1...persons, using: &generator))
      columns.positions.metric.append(Int32.random(in: 1...metrics, using: &generator) + 100)
      columns.positions.source.append(Int32.random(in: 0...1, using: &generator))
      columns.positions.time.append(time(&generator))
      columns.positions.latitude.append(Double.random(in: -90...90, using: &generator))
      columns.positions.longitude.append(Double.random(in: -180...180, using: &generator))
      columns.positions.altitude.append(Double(Int.random(in: 0...999, using: &generator)) / 10)
      columns.positions.accuracy.append(5)
      columns.positions.speed.append(Double.random(in: 0...9, using: &generator))
      columns.positions.course.append(0)
    }
    for _ in 0..<Int.random(in: 0...9, using: &generator) {
      columns.waveforms.person.append(Int64.random(in: 1...persons, using: &generator))
      columns.waveforms.metric.append(200)
      columns.waveforms.source.append(0)
      columns.waveforms.time.append(time(&generator))
      columns.waveforms.rate.append(250)
      let count = Int.random(in: 0...5, using: &generator)
      columns.waveforms.sampleCount.append(Int32(count))
      for _ in 0..<count {
        columns.waveforms.samples.append(Double(Int.random(in: -99...99, using: &generator)) / 1000)
      }
    }
    return columns
  }
}
