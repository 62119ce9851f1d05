internal import Domain
internal import FoundationEssentials

/// An export as lines of JSON, part by part: the observations of some readings, then one Provenance of them.
///
/// What is kept between two parts are at most 1,000 blood pressures of one moment.
struct ObservationExport: Sendable {
  /// A part ends with the first observation after so many bytes.
  private static let partBytes = 512 << 10

  private let writer: ObservationWriter
  private let ids: ResourceIDs
  /// Nil where one of the two blood pressures is not exported: then the other stands alone, because nothing is known of
  /// whether there is one that belongs to it.
  private var pairs: BloodPressurePairs?
  /// The names of the sources of what waits in `pairs`, and of the readings that are being added.
  private var sources: [SourceID: String] = [:]

  init(_ scope: ObservationScope, catalog: MetricCatalog, ids: ResourceIDs) {
    writer = ObservationWriter(scope, catalog: catalog, ids: ids)
    self.ids = ids
    func metric(_ code: String) -> MetricID? {
      catalog.metrics.first {
        $0.loincCode == code && $0.kind == .scalar && $0.unit == "mm[Hg]" && scope.metrics.contains($0.id)
      }?.id
    }
    if let systolic = metric(ObservationKind.systolic), let diastolic = metric(ObservationKind.diastolic) {
      pairs = BloodPressurePairs(systolic: systolic, diastolic: diastolic)
    }
  }

  /// Adds readings of the person, numbers in the order of time. Positions are left out.
  ///
  /// - Parameters:
  ///   - columns: one after the other, 1,000 readings or so.
  ///   - names: of their sources.
  ///   - now: the time of the export.
  /// - Returns: the parts that are complete.
  mutating func add(
    _ columns: [ReadingColumns], names: [SourceID: String], at now: Microseconds
  ) throws -> [[UInt8]] {
    var parts = ObservationParts(ids, writer.scope, at: now, partBytes: Self.partBytes)
    sources.merge(names) { _, new in new }
    for columns in columns {
      for index in 0..<columns.scalars.count {
        let reading = ScalarReading(
          metric: columns.scalars.metric[index], source: columns.scalars.source[index],
          time: columns.scalars.time[index], value: columns.scalars.value[index])
        for observed in pairs?.take(reading) ?? [.single(reading)] { try parts.add(observation(of: observed)) }
      }
      var start = 0
      for index in 0..<columns.waveforms.count {
        let end = start + Int(columns.waveforms.sampleCount[index])
        try parts.add(
          writer.observation(
            ofWaveform: index, columns.waveforms.samples[start..<end], in: columns.waveforms,
            from: sources[columns.waveforms.source[index]] ?? ""))
        start = end
      }
    }
    sources = sources.filter { pairs?.isWaiting(for: $0.key) ?? false }
    return try parts.end()
  }

  /// What has waited for readings that have not come.
  mutating func finish(at now: Microseconds) throws -> [[UInt8]] {
    var parts = ObservationParts(ids, writer.scope, at: now, partBytes: Self.partBytes)
    for observed in pairs?.end() ?? [] { try parts.add(observation(of: observed)) }
    return try parts.end()
  }

  private func observation(of observed: ObservedScalar) -> FHIR.Observation? {
    switch observed {
    case .single(let reading):
      return writer.observation(of: reading, from: sources[reading.source] ?? "")
    case .bloodPressure(let systolic, let diastolic):
      let source = (systolic ?? diastolic).flatMap { sources[$0.source] } ?? ""
      return writer.bloodPressure(systolic: systolic, diastolic: diastolic, from: source)
    }
  }
}

/// Observations as lines, in parts that each end with a Provenance.
private struct ObservationParts {
  private let ids: ResourceIDs
  private let scope: ObservationScope
  private let now: Microseconds
  private let partBytes: Int
  private let encoder = JSONEncoder()
  private var parts: [[UInt8]] = []
  private var lines: [UInt8] = []
  /// The ids of the observations in `lines`.
  private var written: [String] = []

  init(_ ids: ResourceIDs, _ scope: ObservationScope, at now: Microseconds, partBytes: Int) {
    self.ids = ids
    self.scope = scope
    self.now = now
    self.partBytes = partBytes
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  mutating func add(_ observation: FHIR.Observation?) throws {
    guard let observation else { return }
    try write(observation)
    written.append(observation.id)
    if lines.count >= partBytes { try endPart() }
  }

  /// - Returns: all parts.
  mutating func end() throws -> [[UInt8]] {
    if !written.isEmpty { try endPart() }
    return parts
  }

  private mutating func endPart() throws {
    let assembler = FHIR.Provenance.Agent(
      type: FHIR.CodeableConcept("provenance-participant-type", "assembler"),
      who: FHIR.Reference(type: "Device", display: "TrackMe"))
    try write(
      FHIR.Provenance(
        id: ids.provenance(of: written), target: written.map { FHIR.Reference(reference: "Observation/\($0)") },
        recorded: ISO8601.text(of: now) ?? "", policy: scope.accessRequest.map { ["\(FHIR.accessRequest)\($0)"] },
        activity: FHIR.CodeableConcept("iso-21089-lifecycle", scope.accessRequest == nil ? "extract" : "disclose"),
        agent: [assembler]))
    parts.append(lines)
    lines = []
    written = []
  }

  private mutating func write(_ resource: some Encodable) throws {
    lines += try encoder.encode(resource)
    lines.append(UInt8(ascii: "\n"))
  }
}
