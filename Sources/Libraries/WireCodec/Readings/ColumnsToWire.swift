public import Domain

extension Trackme_Readings_V1_ReadingColumns {
  /// Columns for the wire. A column whose entries are all equal goes out as one entry.
  ///
  /// - Parameter sourceName: the name of a registered source; asked once for each number.
  public init(_ columns: ReadingColumns, sourceName: @escaping (SourceID) -> String) {
    var sources = SourceDictionary(sourceName: sourceName)
    let scalars = columns.scalars.isEmpty ? nil : Trackme_Readings_V1_ScalarColumns(columns.scalars, &sources)
    let positions = columns.positions.isEmpty ? nil : Trackme_Readings_V1_PositionColumns(columns.positions, &sources)
    let waveforms = columns.waveforms.isEmpty ? nil : Trackme_Readings_V1_WaveformColumns(columns.waveforms, &sources)
    self.init(sources: sources.names, scalars: scalars, positions: positions, waveforms: waveforms)
  }
}

/// The sources of one frame, in the order of their first use.
private struct SourceDictionary {
  let sourceName: (SourceID) -> String
  private(set) var names: [String] = []
  private var places: [SourceID: UInt32] = [:]

  init(sourceName: @escaping (SourceID) -> String) { self.sourceName = sourceName }

  mutating func column(_ numbers: [SourceID]) -> [UInt32] {
    if let first = numbers.first, numbers.allSatisfy({ $0 == first }) { return [place(of: first)] }
    return numbers.map { place(of: $0) }
  }

  private mutating func place(of number: SourceID) -> UInt32 {
    if let place = places[number] { return place }
    let place = UInt32(names.count)
    places[number] = place
    names.append(sourceName(number))
    return place
  }
}

/// One entry if all are equal.
private func folded<T: Equatable>(_ column: [T]) -> [T] {
  guard let first = column.first, column.allSatisfy({ $0 == first }) else { return column }
  return [first]
}

/// No entry if nothing is known.
private func known(_ column: [Double]) -> [Double] { column.allSatisfy(\.isNaN) ? [] : column }

extension Trackme_Readings_V1_ScalarColumns {
  fileprivate init(_ columns: ScalarColumns, _ sources: inout SourceDictionary) {
    self.init(
      personID: folded(columns.person), metric: folded(columns.metric).map(UInt32.init),
      source: sources.column(columns.source), timeUs: columns.time, value: columns.value)
  }
}

extension Trackme_Readings_V1_PositionColumns {
  fileprivate init(_ columns: PositionColumns, _ sources: inout SourceDictionary) {
    self.init(
      personID: folded(columns.person), metric: folded(columns.metric).map(UInt32.init),
      source: sources.column(columns.source), timeUs: columns.time, latitude: columns.latitude,
      longitude: columns.longitude, altitude: known(columns.altitude), accuracy: known(columns.accuracy),
      speed: known(columns.speed), course: known(columns.course))
  }
}

extension Trackme_Readings_V1_WaveformColumns {
  fileprivate init(_ columns: WaveformColumns, _ sources: inout SourceDictionary) {
    self.init(
      personID: folded(columns.person), metric: folded(columns.metric).map(UInt32.init),
      source: sources.column(columns.source), timeUs: columns.time, rateHz: columns.rate,
      sampleCount: columns.sampleCount.map(UInt32.init), samples: columns.samples)
  }
}
