/// The columns by which readings of any kind are ordered and told apart.
struct ReadingKeys {
  let person: [PersonID]
  let metric: [MetricID]
  let source: [SourceID]
  let time: [Microseconds]
  let logPosition: [LogPosition]

  var count: Int { time.count }
}

extension ReadingBlock {
  var scalarKeys: ReadingKeys {
    ReadingKeys(
      person: columns.scalars.person, metric: columns.scalars.metric, source: columns.scalars.source,
      time: columns.scalars.time, logPosition: positions.scalars)
  }

  var positionKeys: ReadingKeys {
    ReadingKeys(
      person: columns.positions.person, metric: columns.positions.metric, source: columns.positions.source,
      time: columns.positions.time, logPosition: positions.positions)
  }

  var waveformKeys: ReadingKeys {
    ReadingKeys(
      person: columns.waveforms.person, metric: columns.waveforms.metric, source: columns.waveforms.source,
      time: columns.waveforms.time, logPosition: positions.waveforms)
  }
}

/// Readings sorted into series: by person, metric and hour, then time and source. Of readings that are equal in all of
/// these, the one committed last is kept: that with the greatest log position, then the greatest index.
struct SeriesOrder {
  struct Series {
    let key: SeriesKey
    /// The part of `indices` that is this series.
    let range: Range<Int>
  }

  /// Indices of the readings kept.
  private(set) var indices: [Int32] = []
  private(set) var series: [Series] = []
  /// The readings that are not kept, each with the one that replaces it.
  private(set) var replaced: [(index: Int32, by: Int32)] = []

  /// - Parameter isEveryVersionKept: whether those that others replace are kept too.
  init(_ keys: ReadingKeys, isEveryVersionKept: Bool = false) {
    guard keys.count > 0 else { return }
    var table = SeriesTable()
    var numbers = [Int32](repeating: 0, count: keys.count)
    for index in 0..<keys.count {
      let key = SeriesKey(
        person: keys.person[index], metric: keys.metric[index], hour: Chunk.hourIndex(of: keys.time[index]))
      numbers[index] = Int32(table.number(of: key))
    }
    let order = table.keys.indices.sorted { SeriesKey.precedes(table.keys[$0], table.keys[$1]) }
    distribute(numbers, order)
    var kept = 0
    var start = 0
    series.reserveCapacity(order.count)
    for number in order {
      let end = start + sizes[number]
      let first = kept
      sortRun(start..<end, keys)
      if isEveryVersionKept { kept = end } else { keepLatest(start..<end, keys, into: &kept) }
      series.append(Series(key: table.keys[number], range: first..<kept))
      start = end
    }
    indices.removeLast(indices.count - kept)
  }

  private var sizes: [Int] = []

  /// Counting sort: fills `indices` with the readings of each series next to each other, in the order of arrival.
  private mutating func distribute(_ numbers: [Int32], _ order: [Int]) {
    sizes = Array(repeating: 0, count: order.count)
    for number in numbers { sizes[Int(number)] += 1 }
    var next = [Int](repeating: 0, count: order.count)
    var offset = 0
    for number in order {
      next[number] = offset
      offset += sizes[number]
    }
    indices = Array(repeating: 0, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      indices[next[Int(number)]] = Int32(index)
      next[Int(number)] += 1
    }
  }

  /// Sorts the indices of one series, which mostly arrived in order.
  private mutating func sortRun(_ range: Range<Int>, _ keys: ReadingKeys) {
    func precedes(_ a: Int32, _ b: Int32) -> Bool {
      let (i, j) = (Int(a), Int(b))
      if keys.time[i] != keys.time[j] { return keys.time[i] < keys.time[j] }
      if keys.source[i] != keys.source[j] { return keys.source[i] < keys.source[j] }
      if keys.logPosition[i] != keys.logPosition[j] { return keys.logPosition[i] < keys.logPosition[j] }
      return i < j
    }
    for place in range.dropFirst() where !precedes(indices[place - 1], indices[place]) {
      indices[range].sort(by: precedes)
      return
    }
  }

  /// Moves the indices of one sorted series to `kept`, leaving out those that a later one replaces.
  private mutating func keepLatest(_ range: Range<Int>, _ keys: ReadingKeys, into kept: inout Int) {
    for place in range {
      let index = Int(indices[place])
      if place + 1 < range.upperBound {
        let next = Int(indices[place + 1])
        if keys.time[index] == keys.time[next], keys.source[index] == keys.source[next] {
          replaced.append((Int32(index), Int32(next)))
          continue
        }
      }
      indices[kept] = Int32(index)
      kept += 1
    }
  }
}
