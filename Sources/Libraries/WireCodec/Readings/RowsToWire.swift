public import Domain

extension ReadingColumns {
  /// The readings as rows: scalars first, then positions, then waveforms.
  ///
  /// - Parameters:
  ///   - metricName: the name of a metric's number.
  ///   - sourceName: the name of a registered source.
  public func wireRows(
    metricName: (MetricID) -> String, sourceName: (SourceID) -> String
  ) -> [Trackme_Readings_V1_Reading] {
    var rows: [Trackme_Readings_V1_Reading] = []
    rows.reserveCapacity(count)
    for i in 0..<scalars.count {
      rows.append(
        .init(
          personID: scalars.person[i], metric: metricName(scalars.metric[i]), source: sourceName(scalars.source[i]),
          timeUs: scalars.time[i], value: .scalar(scalars.value[i])))
    }
    for i in 0..<positions.count {
      rows.append(
        .init(
          personID: positions.person[i], metric: metricName(positions.metric[i]),
          source: sourceName(positions.source[i]), timeUs: positions.time[i],
          value: .position(
            .init(
              latitude: positions.latitude[i], longitude: positions.longitude[i],
              altitude: known(positions.altitude[i]),
              accuracy: known(positions.accuracy[i]), speed: known(positions.speed[i]),
              course: known(positions.course[i])))))
    }
    var start = 0
    for i in 0..<waveforms.count {
      let end = start + Int(waveforms.sampleCount[i])
      rows.append(
        .init(
          personID: waveforms.person[i], metric: metricName(waveforms.metric[i]),
          source: sourceName(waveforms.source[i]), timeUs: waveforms.time[i],
          value: .waveform(.init(rateHz: waveforms.rate[i], samples: Array(waveforms.samples[start..<end])))))
      start = end
    }
    return rows
  }
}

private func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
