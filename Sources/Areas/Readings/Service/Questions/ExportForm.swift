internal import Domain
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

/// What the messages of an export hold.
enum ExportForm: Sendable {
  /// Readings as rows.
  case rows
  /// Lines of FHIR.
  case observations(ObservationExport)

  /// So many readings make a message, or what is made of them does.
  var readingsAtOnce: Int {
    switch self {
    case .rows: ReadingService.maxPageSize
    case .observations: ReadingService.frameReadings
    }
  }
}

extension ReadingService {
  /// The most readings of a message, but for rows of a person's own export.
  static let frameReadings = 1_000
  /// Under a grant, a message ends with the first waveform after so many bytes of samples.
  static let frameBytes = 1 << 20

  /// - Throws: INVALID_ARGUMENT for a format that is none, and for a metric that is named and that the format has not.
  func checkFormat(of request: Trackme_Readings_V1_ExportReadingsRequest) throws {
    switch request.format {
    case .unspecified, .readings: return
    case .unrecognized: throw RPCStatus.invalidArgument(field: "format", problem: "is not a known value")
    case .fhirR4Ndjson:
      let catalog = metrics.catalog
      for (index, name) in request.metrics.enumerated() where catalog[name]?.kind == .position {
        throw RPCStatus.invalidArgument(
          field: "metrics[\(index)]", problem: "is a position: FHIR has no observation of it")
      }
    }
  }

  /// Those of some metrics that a format has.
  func exported(_ numbers: [MetricID], as format: Trackme_Readings_V1_ExportFormat) -> [MetricID] {
    guard format == .fhirR4Ndjson else { return numbers }
    let catalog = metrics.catalog
    return numbers.filter { catalog[$0]?.kind != .position }
  }

  /// - Parameter scope: of observations.
  func form(_ format: Trackme_Readings_V1_ExportFormat, _ scope: ObservationScope) -> ExportForm {
    guard format == .fhirR4Ndjson else { return .rows }
    return .observations(ObservationExport(scope, catalog: metrics.catalog, ids: resourceIDs))
  }

  /// The messages of some readings, in their order.
  func messages(
    of readings: [ReadingColumns], in form: inout ExportForm
  ) async throws -> [Trackme_Readings_V1_ExportReadingsResponse] {
    if readings.isEmpty { return [] }
    guard case .observations(let export) = form else { return [.init(readings: try await rows(readings))] }
    let names = try await sources.names(of: readings.reduce(into: []) { $0.formUnion($1.sources) })
    // Not on the loop of the call: it is work for a processor.
    let (rest, parts) = try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await observations(of: readings, names, in: export)
    }
    form = .observations(rest)
    return parts.map { .init(ndjson: $0) }
  }

  private func observations(
    of readings: [ReadingColumns], _ names: [SourceID: String], in export: ObservationExport
  ) async throws -> (rest: ObservationExport, parts: [[UInt8]]) {
    var export = export
    let parts = try export.add(readings, names: names, at: clock())
    return (export, parts)
  }

  /// The messages of what has waited for more.
  func lastMessages(in form: ExportForm) throws -> [Trackme_Readings_V1_ExportReadingsResponse] {
    guard case .observations(var export) = form else { return [] }
    return try export.finish(at: clock()).map { .init(ndjson: $0) }
  }
}
