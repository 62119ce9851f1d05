public import Domain

extension Trackme_Readings_V1_ReadingColumns {
  /// The most sources of one batch.
  public static let maxSources = 1_000

  /// The number of readings, as the time columns have it.
  public var readingCount: Int {
    (scalars?.timeUs.count ?? 0) + (positions?.timeUs.count ?? 0) + (waveforms?.timeUs.count ?? 0)
  }

  /// The readings as the domain has them: every column with one entry a reading.
  ///
  /// - Parameters:
  ///   - sourceNumbers: the registered number of each entry of `sources`.
  ///   - defaultSource: the number for readings without a source.
  /// - Throws: `WireError` where columns do not fit together.
  public func domainColumns(
    sourceNumbers: [SourceID], defaultSource: SourceID
  ) throws(WireError) -> ReadingColumns {
    let resolver = SourceResolver(numbers: sourceNumbers, defaultNumber: defaultSource)
    var columns = ReadingColumns()
    if let scalars { columns.scalars = try scalars.domain(resolver) }
    if let positions { columns.positions = try positions.domain(resolver) }
    if let waveforms { columns.waveforms = try waveforms.domain(resolver) }
    return columns
  }
}

/// Turns a place in a batch's sources into a registered number.
struct SourceResolver {
  let numbers: [SourceID]
  let defaultNumber: SourceID

  func column(_ places: [UInt32], _ count: Int, _ field: String) throws(WireError) -> [SourceID] {
    if places.isEmpty { return [SourceID](repeating: defaultNumber, count: count) }
    return try expanded(places, to: count, field).map { place in
      Int(place) < numbers.count ? numbers[Int(place)] : ReadingRules.invalidSource
    }
  }
}

/// A column of one entry says it for all readings.
private func expanded<T>(_ column: [T], to count: Int, _ field: String) throws(WireError) -> [T] {
  if column.count == count { return column }
  if column.count == 1 { return [T](repeating: column[0], count: count) }
  throw WireError(field: field, problem: "has \(column.count) entries for \(count) readings")
}

/// A column that must have one entry a reading.
private func full<T>(_ column: [T], _ count: Int, _ field: String) throws(WireError) -> [T] {
  if column.count == count { return column }
  throw WireError(field: field, problem: "has \(column.count) entries for \(count) readings")
}

/// A column that may be left out.
private func optional(_ column: [Double], _ count: Int, _ field: String) throws(WireError) -> [Double] {
  column.isEmpty ? [Double](repeating: .nan, count: count) : try full(column, count, field)
}

/// Metric numbers beyond 31 bits are as unknown as 0 is.
private func metrics(_ column: [UInt32], _ count: Int, _ field: String) throws(WireError) -> [MetricID] {
  try expanded(column, to: count, field).map { $0 <= UInt32(Int32.max) ? MetricID($0) : 0 }
}

extension Trackme_Readings_V1_ScalarColumns {
  fileprivate func domain(_ sources: SourceResolver) throws(WireError) -> ScalarColumns {
    let count = timeUs.count
    var columns = ScalarColumns()
    columns.person = try expanded(personID, to: count, "scalars.person_id")
    columns.metric = try metrics(metric, count, "scalars.metric")
    columns.source = try sources.column(source, count, "scalars.source")
    columns.time = timeUs
    columns.value = try full(value, count, "scalars.value")
    return columns
  }
}

extension Trackme_Readings_V1_PositionColumns {
  fileprivate func domain(_ sources: SourceResolver) throws(WireError) -> PositionColumns {
    let count = timeUs.count
    var columns = PositionColumns()
    columns.person = try expanded(personID, to: count, "positions.person_id")
    columns.metric = try metrics(metric, count, "positions.metric")
    columns.source = try sources.column(source, count, "positions.source")
    columns.time = timeUs
    columns.latitude = try full(latitude, count, "positions.latitude")
    columns.longitude = try full(longitude, count, "positions.longitude")
    columns.altitude = try optional(altitude, count, "positions.altitude")
    columns.accuracy = try optional(accuracy, count, "positions.accuracy")
    columns.speed = try optional(speed, count, "positions.speed")
    columns.course = try optional(course, count, "positions.course")
    return columns
  }
}

extension Trackme_Readings_V1_WaveformColumns {
  fileprivate func domain(_ sources: SourceResolver) throws(WireError) -> WaveformColumns {
    let count = timeUs.count
    var columns = WaveformColumns()
    columns.person = try expanded(personID, to: count, "waveforms.person_id")
    columns.metric = try metrics(metric, count, "waveforms.metric")
    columns.source = try sources.column(source, count, "waveforms.source")
    columns.time = timeUs
    columns.rate = try full(rateHz, count, "waveforms.rate_hz")
    var total = 0
    for entry in try full(sampleCount, count, "waveforms.sample_count") { total += Int(entry) }
    guard total == samples.count else {
      throw WireError(field: "waveforms.samples", problem: "has \(samples.count) entries where the counts say \(total)")
    }
    columns.sampleCount = sampleCount.map(Int32.init)
    columns.samples = samples
    return columns
  }
}
