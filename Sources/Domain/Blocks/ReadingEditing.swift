extension ReadingColumns {
  public mutating func removeAll(keepingCapacity: Bool = false) {
    scalars.removeAll(keepingCapacity: keepingCapacity)
    positions.removeAll(keepingCapacity: keepingCapacity)
    waveforms.removeAll(keepingCapacity: keepingCapacity)
  }

  public mutating func append(contentsOf other: ReadingColumns) {
    scalars.append(contentsOf: other.scalars)
    // Most batches have one kind: seventeen arrays need not be asked for nothing.
    if !other.positions.isEmpty { positions.append(contentsOf: other.positions) }
    if !other.waveforms.isEmpty { waveforms.append(contentsOf: other.waveforms) }
  }

  /// The readings whose person and metric `isIncluded` accepts, in order.
  public func filtered(_ isIncluded: (PersonID, MetricID) -> Bool) -> ReadingColumns {
    ReadingBlock(columns: self).filtered(isIncluded).columns
  }

  /// The readings of some persons and metrics, in order; nil stands for all.
  public func filtered(persons: Set<PersonID>?, metrics: Set<MetricID>?) -> ReadingColumns {
    filtered { (persons?.contains($0) ?? true) && (metrics?.contains($1) ?? true) }
  }

  /// Memory that the entries take, in bytes: what a bounded buffer counts.
  public var approximateBytes: Int {
    // Three keys and a time are 24 bytes; a scalar has one double more, a position six, a waveform a rate and a count.
    scalars.count * 32 + positions.count * 72 + waveforms.count * 36 + waveforms.samples.count * 8
  }
}

extension BlockPositions {
  public mutating func append(contentsOf other: BlockPositions) {
    scalars.append(contentsOf: other.scalars)
    positions.append(contentsOf: other.positions)
    waveforms.append(contentsOf: other.waveforms)
  }
}

extension ReadingBlock {
  /// The readings whose person and metric `isIncluded` accepts, in order, with their log positions.
  public func filtered(_ isIncluded: (PersonID, MetricID) -> Bool) -> ReadingBlock {
    var kept = ReadingBlock()
    let hasPositions = !positions.isEmpty
    let scalars = columns.scalars
    for index in 0..<scalars.count where isIncluded(scalars.person[index], scalars.metric[index]) {
      kept.columns.scalars.append(index, of: scalars)
      if hasPositions { kept.positions.scalars.append(positions.scalars[index]) }
    }
    let points = columns.positions
    for index in 0..<points.count where isIncluded(points.person[index], points.metric[index]) {
      kept.columns.positions.append(index, of: points)
      if hasPositions { kept.positions.positions.append(positions.positions[index]) }
    }
    let waveforms = columns.waveforms
    var firstSample = 0
    for index in 0..<waveforms.count {
      defer { firstSample += Int(waveforms.sampleCount[index]) }
      guard isIncluded(waveforms.person[index], waveforms.metric[index]) else { continue }
      kept.columns.waveforms.append(index, of: waveforms, firstSample: firstSample)
      if hasPositions { kept.positions.waveforms.append(positions.waveforms[index]) }
    }
    return kept
  }
}

extension ReadingBlock {
  /// The readings with times in an interval, in order, with their log positions, which the block has.
  public func taken(in interval: Range<Microseconds>) -> ReadingBlock {
    func isWhole(_ times: [Microseconds]) -> Bool { times.allSatisfy(interval.contains) }
    if isWhole(columns.scalars.time), isWhole(columns.positions.time), isWhole(columns.waveforms.time) { return self }
    var indices: [Int32] = []
    var kept = ReadingBlock()
    var base = 0
    func take(_ times: [Microseconds], _ own: [LogPosition], _ positions: inout [LogPosition]) {
      for (index, time) in times.enumerated() where interval.contains(time) {
        indices.append(Int32(base + index))
        positions.append(own[index])
      }
      base += times.count
    }
    take(columns.scalars.time, positions.scalars, &kept.positions.scalars)
    take(columns.positions.time, positions.positions, &kept.positions.positions)
    take(columns.waveforms.time, positions.waveforms, &kept.positions.waveforms)
    kept.columns.append(indices, of: columns)
    return kept
  }

  /// The readings that were committed at or before a position, in order.
  public func committed(through position: LogPosition) -> ReadingColumns {
    var indices: [Int32] = []
    var base = 0
    for committed in [positions.scalars, positions.positions, positions.waveforms] {
      for (index, own) in committed.enumerated() where own <= position { indices.append(Int32(base + index)) }
      base += committed.count
    }
    if indices.count == columns.count { return columns }
    var kept = ReadingColumns()
    kept.append(indices, of: columns)
    return kept
  }
}

extension ReadingBlock {
  /// Makes room for all readings of `parts`.
  mutating func reserveCapacity(for parts: [ReadingColumns]) {
    let scalars = parts.reduce(0) { $0 + $1.scalars.count }
    columns.scalars.reserveCapacity(scalars)
    positions.scalars.reserveCapacity(scalars)
    columns.positions.reserveCapacity(parts.reduce(0) { $0 + $1.positions.count })
    columns.waveforms.reserveCapacity(
      parts.reduce(0) { $0 + $1.waveforms.count }, samples: parts.reduce(0) { $0 + $1.waveforms.samples.count })
  }
}
