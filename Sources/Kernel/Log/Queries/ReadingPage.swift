public import Domain

/// A reading's place in a person's history: no two readings share one.
public struct ReadingPlace: Sendable, Equatable {
  public let time: Microseconds
  public let metric: MetricID
  public let source: SourceID

  public init(time: Microseconds, metric: MetricID, source: SourceID) {
    self.time = time
    self.metric = metric
    self.source = source
  }

  /// Readings of one time are in the order of metric and source, whichever way time goes.
  func precedes(_ other: ReadingPlace, newestFirst: Bool) -> Bool {
    if time != other.time { return newestFirst ? time > other.time : time < other.time }
    return (metric, source) < (other.metric, other.source)
  }
}

/// A page of a history while it is being put together.
public struct ReadingPage: Sendable {
  /// A page ends after about this many bytes, whatever its limit, so that it fits into a message.
  private static let maxBytes = 2 << 20

  /// One reading each, in the order of the page.
  public private(set) var readings: [ReadingColumns] = []
  /// The place of the last reading, if there are more after it.
  public private(set) var next: ReadingPlace?

  private let newestFirst: Bool
  private let after: ReadingPlace?
  private let limit: Int
  private var bytes = 0
  private var last: ReadingPlace?

  init(newestFirst: Bool, after: ReadingPlace?, limit: Int) {
    self.newestFirst = newestFirst
    self.after = after
    self.limit = limit
  }

  var isFull: Bool { next != nil }

  /// What is left of an interval after the pages before.
  func interval(in time: Range<Microseconds>) -> Range<Microseconds> {
    guard let after else { return time }
    if newestFirst {
      let end = min(time.upperBound, after.time == .max ? .max : after.time + 1)
      return min(time.lowerBound, end)..<end
    }
    return min(max(time.lowerBound, after.time), time.upperBound)..<time.upperBound
  }

  /// Adds the readings of the next window of time.
  mutating func append(_ columns: ReadingColumns) {
    var places: [(place: ReadingPlace, index: Int32)] = []
    places.reserveCapacity(columns.count)
    columns.forEachPlace { index, place in
      if let after, !after.precedes(place, newestFirst: newestFirst) { return }
      places.append((place, Int32(index)))
    }
    places.sort { $0.place.precedes($1.place, newestFirst: newestFirst) }
    for (place, index) in places {
      guard readings.count < limit, bytes < Self.maxBytes || readings.isEmpty else {
        next = last
        return
      }
      var reading = ReadingColumns()
      reading.append([index], of: columns)
      bytes += 64 + reading.waveforms.samples.count * 8
      readings.append(reading)
      last = place
    }
  }
}

extension ReadingColumns {
  fileprivate func forEachPlace(_ body: (Int, ReadingPlace) -> Void) {
    for i in 0..<scalars.count {
      body(i, ReadingPlace(time: scalars.time[i], metric: scalars.metric[i], source: scalars.source[i]))
    }
    for i in 0..<positions.count {
      body(
        scalars.count + i,
        ReadingPlace(time: positions.time[i], metric: positions.metric[i], source: positions.source[i]))
    }
    for i in 0..<waveforms.count {
      body(
        scalars.count + positions.count + i,
        ReadingPlace(time: waveforms.time[i], metric: waveforms.metric[i], source: waveforms.source[i]))
    }
  }

  /// The last of each metric by time; of readings at one time, the one of the greatest source number.
  func newestOfEachMetric() -> ReadingColumns {
    var newest: [MetricID: (place: ReadingPlace, index: Int)] = [:]
    forEachPlace { index, place in
      if let known = newest[place.metric]?.place, (place.time, place.source) < (known.time, known.source) { return }
      newest[place.metric] = (place, index)
    }
    var columns = ReadingColumns()
    columns.append(newest.values.map { Int32($0.index) }.sorted(), of: self)
    return columns
  }
}
