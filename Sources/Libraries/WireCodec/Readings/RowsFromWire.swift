public import Domain

/// A batch that came row by row, as columns.
public struct RowBatch: Sendable {
  public var columns = ReadingColumns()
  /// For each reading of `columns`, scalars first, then positions, then waveforms: its row in the request.
  public private(set) var rows: [Int] = []

  /// A row without a value becomes a scalar that is not a number, which the rules refuse like any other.
  ///
  /// - Parameters:
  ///   - readings: the rows.
  ///   - metricNumber: the number of a metric's name; 0 where there is none.
  ///   - sourceNumber: the registered number of a source's name.
  public init(
    _ readings: [Trackme_Readings_V1_Reading], metricNumber: (String) -> MetricID,
    sourceNumber: (String) -> SourceID
  ) {
    var scalarRows: [Int] = []
    var positionRows: [Int] = []
    var waveformRows: [Int] = []
    for (row, reading) in readings.enumerated() {
      let metric = metricNumber(reading.metric)
      let source = sourceNumber(reading.source)
      switch reading.value {
      case .scalar(let value):
        columns.scalars.append(reading, metric, source, value)
        scalarRows.append(row)
      case .position(let position):
        columns.positions.append(reading, metric, source, position)
        positionRows.append(row)
      case .waveform(let waveform):
        columns.waveforms.append(reading, metric, source, waveform)
        waveformRows.append(row)
      case nil:
        columns.scalars.append(reading, metric, source, .nan)
        scalarRows.append(row)
      }
    }
    rows = scalarRows + positionRows + waveformRows
  }
}

extension ScalarColumns {
  fileprivate mutating func append(
    _ reading: Trackme_Readings_V1_Reading, _ metric: MetricID, _ source: SourceID, _ value: Double
  ) {
    person.append(reading.personID)
    self.metric.append(metric)
    self.source.append(source)
    time.append(reading.timeUs)
    self.value.append(value)
  }
}

extension PositionColumns {
  fileprivate mutating func append(
    _ reading: Trackme_Readings_V1_Reading, _ metric: MetricID, _ source: SourceID,
    _ position: Trackme_Readings_V1_Position
  ) {
    person.append(reading.personID)
    self.metric.append(metric)
    self.source.append(source)
    time.append(reading.timeUs)
    latitude.append(position.latitude)
    longitude.append(position.longitude)
    altitude.append(position.altitude ?? .nan)
    accuracy.append(position.accuracy ?? .nan)
    speed.append(position.speed ?? .nan)
    course.append(position.course ?? .nan)
  }
}

extension WaveformColumns {
  fileprivate mutating func append(
    _ reading: Trackme_Readings_V1_Reading, _ metric: MetricID, _ source: SourceID,
    _ waveform: Trackme_Readings_V1_Waveform
  ) {
    person.append(reading.personID)
    self.metric.append(metric)
    self.source.append(source)
    time.append(reading.timeUs)
    rate.append(waveform.rateHz)
    sampleCount.append(Int32(waveform.samples.count))
    samples += waveform.samples
  }
}
