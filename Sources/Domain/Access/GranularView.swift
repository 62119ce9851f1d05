extension ReadingColumns {
  /// The readings as a granularity shows them: for each person, metric and interval the mean, at the start of the interval,
  /// in the order in which the intervals first occur. A second has one of each source, a minute and an hour one of all:
  /// see `Granularity.tellsSources`.
  ///
  /// The mean of positions is that of their coordinates, on the shorter way around the Earth; what is known of the
  /// single fix (accuracy, speed, course) is not shown where several make one. A waveform is one reading: at seconds it
  /// is shown whole, at minutes and hours not at all.
  public func shown(at granularity: Granularity) -> ReadingColumns {
    var shown = ReadingColumns()
    shown.scalars = scalars.means(of: granularity)
    shown.positions = positions.means(of: granularity)
    if granularity == .second {
      shown.waveforms = waveforms
      shown.waveforms.time = waveforms.time.map(granularity.start)
    }
    return shown
  }
}

/// What readings have in common that one value stands for.
private struct IntervalKey: Hashable {
  let person: PersonID
  let metric: MetricID
  let source: SourceID
  let start: Microseconds
}

extension ScalarColumns {
  fileprivate func means(of granularity: Granularity) -> ScalarColumns {
    var shown = ScalarColumns()
    var places: [IntervalKey: Int] = [:]
    var counts: [Double] = []
    for index in 0..<count {
      let start = granularity.start(of: time[index])
      let source = granularity.shown(source[index])
      let key = IntervalKey(person: person[index], metric: metric[index], source: source, start: start)
      if let place = places[key] {
        counts[place] += 1
        // Running mean: a sum of large values could overflow.
        shown.value[place] += (value[index] - shown.value[place]) / counts[place]
      } else {
        places[key] = shown.count
        counts.append(1)
        shown.append(index, of: self)
        shown.time[shown.count - 1] = start
        shown.source[shown.count - 1] = source
      }
    }
    return shown
  }
}

extension PositionColumns {
  fileprivate func means(of granularity: Granularity) -> PositionColumns {
    var shown = PositionColumns()
    var places: [IntervalKey: Int] = [:]
    var counts: [Double] = []
    var altitudes: [Double] = []
    for index in 0..<count {
      let start = granularity.start(of: time[index])
      let source = granularity.shown(source[index])
      let key = IntervalKey(person: person[index], metric: metric[index], source: source, start: start)
      guard let place = places[key] else {
        places[key] = shown.count
        counts.append(1)
        altitudes.append(altitude[index].isNaN ? 0 : 1)
        shown.append(contentsOf: self, in: index..<index + 1)
        shown.time[shown.count - 1] = start
        shown.source[shown.count - 1] = source
        continue
      }
      counts[place] += 1
      shown.latitude[place] += (latitude[index] - shown.latitude[place]) / counts[place]
      let eastward = Self.wrapped(longitude[index] - shown.longitude[place])
      shown.longitude[place] = Self.wrapped(shown.longitude[place] + eastward / counts[place])
      if !altitude[index].isNaN {
        altitudes[place] += 1
        shown.altitude[place] =
          altitudes[place] == 1
          ? altitude[index]
          : shown.altitude[place] + (altitude[index] - shown.altitude[place]) / altitudes[place]
      }
      shown.accuracy[place] = .nan
      shown.speed[place] = .nan
      shown.course[place] = .nan
    }
    return shown
  }

  /// Degrees from -180 to 180.
  private static func wrapped(_ degrees: Double) -> Double {
    if degrees > 180 { return degrees - 360 }
    return degrees < -180 ? degrees + 360 : degrees
  }
}
