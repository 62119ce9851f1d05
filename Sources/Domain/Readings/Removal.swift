extension ReadingColumns {
  /// Removes readings of what is left of a batch, and adds them to those of it that are refused.
  /// - Parameters:
  ///   - over: their numbers in what is left, which rise.
  ///   - rejections: of the batch so far, in the order of their numbers.
  mutating func refuse(_ over: [Int], _ reason: RejectionReason, _ field: String, _ rejections: inout [Rejection]) {
    guard !over.isEmpty else { return }
    let refused = Set(rejections.map(\.index))
    let numbers = (0..<count + rejections.count).filter { !refused.contains($0) }
    rejections += over.map { Rejection(index: numbers[$0], reason: reason, field: field) }
    rejections.sort { $0.index < $1.index }
    remove(over)
  }

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
