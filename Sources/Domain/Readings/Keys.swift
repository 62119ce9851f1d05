extension ReadingColumns {
  /// Calls `body` with the number, person and metric of each reading, scalars first, then positions, then waveforms.
  public func forEachKey(_ body: (Int, PersonID, MetricID) -> Void) {
    for i in 0..<scalars.count { body(i, scalars.person[i], scalars.metric[i]) }
    for i in 0..<positions.count { body(scalars.count + i, positions.person[i], positions.metric[i]) }
    let base = scalars.count + positions.count
    for i in 0..<waveforms.count { body(base + i, waveforms.person[i], waveforms.metric[i]) }
  }

  /// When reading `index` was taken.
  public func time(of index: Int) -> Microseconds {
    if index < scalars.count { return scalars.time[index] }
    let rest = index - scalars.count
    return rest < positions.count ? positions.time[rest] : waveforms.time[rest - positions.count]
  }

  /// The readings that were taken in an interval, in order.
  public func taken(in interval: Range<Microseconds>) -> ReadingColumns {
    let indices = (0..<count).lazy.filter { interval.contains(time(of: $0)) }.map { Int32($0) }
    if indices.count == count { return self }
    var taken = ReadingColumns()
    taken.append(Array(indices), of: self)
    return taken
  }

  /// The numbers of the sources that occur.
  public var sources: Set<SourceID> {
    var found: Set<SourceID> = []
    var last: SourceID?
    for column in [scalars.source, positions.source, waveforms.source] {
      for source in column where source != last {
        found.insert(source)
        last = source
      }
    }
    return found
  }

  /// Adds some readings of other columns, by their numbers, which rise.
  public mutating func append(_ indices: [Int32], of other: ReadingColumns) {
    let scalarCount = other.scalars.count
    let positionCount = other.positions.count
    let offsets = other.waveforms.isEmpty ? [] : other.waveforms.sampleOffsets
    for index in indices.lazy.map(Int.init) {
      if index < scalarCount {
        scalars.append(index, of: other.scalars)
      } else if index < scalarCount + positionCount {
        positions.append(index - scalarCount, of: other.positions)
      } else {
        let waveform = index - scalarCount - positionCount
        waveforms.append(waveform, of: other.waveforms, firstSample: offsets[waveform])
      }
    }
  }
}
