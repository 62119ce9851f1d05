extension ReadingColumns {
  /// Removes the readings with these numbers, which rise: scalars first, then positions, then waveforms.
  mutating func remove(_ indices: [Int]) {
    let (scalarCount, positionCount) = (scalars.count, positions.count)
    scalars.remove(indices.filter { $0 < scalarCount })
    positions.remove(
      indices.filter { (scalarCount..<scalarCount + positionCount).contains($0) }.map { $0 - scalarCount })
    waveforms.remove(indices.filter { $0 >= scalarCount + positionCount }.map { $0 - scalarCount - positionCount })
  }
}

extension ScalarColumns {
  /// Removes the readings with these numbers, which rise.
  mutating func remove(_ indices: [Int]) {
    guard !indices.isEmpty else { return }
    person.remove(indices)
    metric.remove(indices)
    source.remove(indices)
    time.remove(indices)
    value.remove(indices)
  }
}

extension PositionColumns {
  /// Removes the readings with these numbers, which rise.
  mutating func remove(_ indices: [Int]) {
    guard !indices.isEmpty else { return }
    person.remove(indices)
    metric.remove(indices)
    source.remove(indices)
    time.remove(indices)
    latitude.remove(indices)
    longitude.remove(indices)
    altitude.remove(indices)
    accuracy.remove(indices)
    speed.remove(indices)
    course.remove(indices)
  }
}

extension WaveformColumns {
  /// Removes the readings with these numbers, which rise.
  mutating func remove(_ indices: [Int]) {
    guard !indices.isEmpty else { return }
    var kept: [Double] = []
    kept.reserveCapacity(samples.count)
    var next = 0
    var start = 0
    for index in 0..<count {
      let end = start + Int(sampleCount[index])
      if next < indices.count, indices[next] == index { next += 1 } else { kept += samples[start..<end] }
      start = end
    }
    samples = kept
    person.remove(indices)
    metric.remove(indices)
    source.remove(indices)
    time.remove(indices)
    rate.remove(indices)
    sampleCount.remove(indices)
  }
}

extension Array {
  /// Removes the elements at these places, which rise, in one pass.
  fileprivate mutating func remove(_ indices: [Int]) {
    var next = 0
    var kept = 0
    for index in self.indices {
      if next < indices.count, indices[next] == index {
        next += 1
      } else {
        self[kept] = self[index]
        kept += 1
      }
    }
    removeLast(count - kept)
  }
}
