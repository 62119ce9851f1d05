extension ScalarColumns {
  public mutating func reserveCapacity(_ count: Int) {
    person.reserveCapacity(count)
    metric.reserveCapacity(count)
    source.reserveCapacity(count)
    time.reserveCapacity(count)
    value.reserveCapacity(count)
  }

  public mutating func removeAll(keepingCapacity: Bool = false) {
    person.removeAll(keepingCapacity: keepingCapacity)
    metric.removeAll(keepingCapacity: keepingCapacity)
    source.removeAll(keepingCapacity: keepingCapacity)
    time.removeAll(keepingCapacity: keepingCapacity)
    value.removeAll(keepingCapacity: keepingCapacity)
  }

  public mutating func append(contentsOf other: ScalarColumns) {
    append(contentsOf: other, in: 0..<other.count)
  }

  /// Appends a run of readings of `other`.
  public mutating func append(contentsOf other: ScalarColumns, in range: Range<Int>) {
    person.append(contentsOf: other.person[range])
    metric.append(contentsOf: other.metric[range])
    source.append(contentsOf: other.source[range])
    time.append(contentsOf: other.time[range])
    value.append(contentsOf: other.value[range])
  }

  /// Appends reading `index` of `other`.
  public mutating func append(_ index: Int, of other: ScalarColumns) {
    person.append(other.person[index])
    metric.append(other.metric[index])
    source.append(other.source[index])
    time.append(other.time[index])
    value.append(other.value[index])
  }
}

extension ScalarColumns {
  /// Appends some readings of `other`, column after column.
  mutating func append(_ picked: ArraySlice<Int32>, of other: ScalarColumns) {
    person.append(picked, of: other.person)
    metric.append(picked, of: other.metric)
    source.append(picked, of: other.source)
    time.append(picked, of: other.time)
    value.append(picked, of: other.value)
  }
}

extension PositionColumns {
  /// Appends some readings of `other`, column after column.
  mutating func append(_ picked: ArraySlice<Int32>, of other: PositionColumns) {
    person.append(picked, of: other.person)
    metric.append(picked, of: other.metric)
    source.append(picked, of: other.source)
    time.append(picked, of: other.time)
    latitude.append(picked, of: other.latitude)
    longitude.append(picked, of: other.longitude)
    altitude.append(picked, of: other.altitude)
    accuracy.append(picked, of: other.accuracy)
    speed.append(picked, of: other.speed)
    course.append(picked, of: other.course)
  }
}

extension Array {
  mutating func append(_ picked: ArraySlice<Int32>, of other: [Element]) {
    guard let first = picked.first else { return }
    let start = count
    // Room is made by a fill, because appending one by one checks capacity and uniqueness each time.
    append(contentsOf: repeatElement(other[Int(first)], count: picked.count))
    withUnsafeMutableBufferPointer { entries in
      for (place, index) in picked.enumerated() { entries[start &+ place] = other[Int(index)] }
    }
  }
}

extension PositionColumns {
  public mutating func reserveCapacity(_ count: Int) {
    person.reserveCapacity(count)
    metric.reserveCapacity(count)
    source.reserveCapacity(count)
    time.reserveCapacity(count)
    latitude.reserveCapacity(count)
    longitude.reserveCapacity(count)
    altitude.reserveCapacity(count)
    accuracy.reserveCapacity(count)
    speed.reserveCapacity(count)
    course.reserveCapacity(count)
  }

  public mutating func removeAll(keepingCapacity: Bool = false) {
    person.removeAll(keepingCapacity: keepingCapacity)
    metric.removeAll(keepingCapacity: keepingCapacity)
    source.removeAll(keepingCapacity: keepingCapacity)
    time.removeAll(keepingCapacity: keepingCapacity)
    latitude.removeAll(keepingCapacity: keepingCapacity)
    longitude.removeAll(keepingCapacity: keepingCapacity)
    altitude.removeAll(keepingCapacity: keepingCapacity)
    accuracy.removeAll(keepingCapacity: keepingCapacity)
    speed.removeAll(keepingCapacity: keepingCapacity)
    course.removeAll(keepingCapacity: keepingCapacity)
  }

  public mutating func append(contentsOf other: PositionColumns) {
    append(contentsOf: other, in: 0..<other.count)
  }

  /// Appends a run of readings of `other`.
  public mutating func append(contentsOf other: PositionColumns, in range: Range<Int>) {
    person.append(contentsOf: other.person[range])
    metric.append(contentsOf: other.metric[range])
    source.append(contentsOf: other.source[range])
    time.append(contentsOf: other.time[range])
    latitude.append(contentsOf: other.latitude[range])
    longitude.append(contentsOf: other.longitude[range])
    altitude.append(contentsOf: other.altitude[range])
    accuracy.append(contentsOf: other.accuracy[range])
    speed.append(contentsOf: other.speed[range])
    course.append(contentsOf: other.course[range])
  }

  /// Appends reading `index` of `other`.
  public mutating func append(_ index: Int, of other: PositionColumns) {
    append(contentsOf: other, in: index..<index + 1)
  }
}

extension WaveformColumns {
  /// - Parameter samples: room for samples of all waveforms together.
  public mutating func reserveCapacity(_ count: Int, samples sampleTotal: Int = 0) {
    person.reserveCapacity(count)
    metric.reserveCapacity(count)
    source.reserveCapacity(count)
    time.reserveCapacity(count)
    rate.reserveCapacity(count)
    sampleCount.reserveCapacity(count)
    samples.reserveCapacity(sampleTotal)
  }

  public mutating func removeAll(keepingCapacity: Bool = false) {
    person.removeAll(keepingCapacity: keepingCapacity)
    metric.removeAll(keepingCapacity: keepingCapacity)
    source.removeAll(keepingCapacity: keepingCapacity)
    time.removeAll(keepingCapacity: keepingCapacity)
    rate.removeAll(keepingCapacity: keepingCapacity)
    sampleCount.removeAll(keepingCapacity: keepingCapacity)
    samples.removeAll(keepingCapacity: keepingCapacity)
  }

  public mutating func append(contentsOf other: WaveformColumns) {
    append(contentsOf: other, in: 0..<other.count, firstSample: 0)
  }

  /// Appends a run of waveforms of `other`.
  /// - Parameter firstSample: where the samples of the run's first waveform begin; see `sampleOffsets`.
  public mutating func append(contentsOf other: WaveformColumns, in range: Range<Int>, firstSample: Int) {
    person.append(contentsOf: other.person[range])
    metric.append(contentsOf: other.metric[range])
    source.append(contentsOf: other.source[range])
    time.append(contentsOf: other.time[range])
    rate.append(contentsOf: other.rate[range])
    sampleCount.append(contentsOf: other.sampleCount[range])
    let total = other.sampleCount[range].reduce(0) { $0 + Int($1) }
    samples.append(contentsOf: other.samples[firstSample..<firstSample + total])
  }

  /// Appends waveform `index` of `other`, whose samples begin at `firstSample`; see `sampleOffsets`.
  public mutating func append(_ index: Int, of other: WaveformColumns, firstSample: Int) {
    append(contentsOf: other, in: index..<index + 1, firstSample: firstSample)
  }

  /// Where each waveform's samples begin in `samples`, and at the end where the last ones end: `count + 1` entries.
  public var sampleOffsets: [Int] {
    var offsets = [0]
    offsets.reserveCapacity(count + 1)
    var offset = 0
    for count in sampleCount {
      offset += Int(count)
      offsets.append(offset)
    }
    return offsets
  }
}
