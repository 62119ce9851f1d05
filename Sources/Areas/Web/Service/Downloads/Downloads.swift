internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WebRules
internal import WireCodec

extension Download {
  /// Every file: an RPC has to stand here to be one.
  static let all = [readings, run, group, expenditure]

  /// What a person has recorded, or what a grant shows of it.
  private static let readings = Download(ReadingServiceMethod.exportReadings) {
    (request: Trackme_Readings_V1_ExportReadingsRequest) in
    let grant = request.accessRequestID == 0 ? nil : "grant-\(request.accessRequestID)"
    switch request.format {
    case .unspecified, .readings:
      return File(FileName("trackme-readings", grant, ending: "csv"), csv, head: ReadingLines.head) {
        (part: Trackme_Readings_V1_ExportReadingsResponse) in
        part.readings.flatMap { Array(ReadingLines.line($0).utf8) }
      }
    case .fhirR4Ndjson:
      return File(FileName("trackme-readings", grant, ending: "ndjson"), "application/fhir+ndjson") {
        (part: Trackme_Readings_V1_ExportReadingsResponse) in part.ndjson
      }
    case .unrecognized: throw RPCStatus.unknownFormat
    }
  }

  /// The caller's own run in a race.
  private static let run = Download(RaceServiceMethod.exportRun) { (request: Trackme_Races_V1_ExportRunRequest) in
    File(FileName("trackme-run-\(request.raceID)", ending: "gpx"), "application/gpx+xml") {
      (part: Trackme_Races_V1_ExportRunResponse) in part.gpx
    }
  }

  /// Rows about a group.
  private static let group = Download(GroupServiceMethod.exportGroup) {
    (request: Trackme_Groups_V1_ExportGroupRequest) in
    guard !request.dryRun else {
      throw RPCStatus.invalidArgument(field: "dry_run", problem: "has no file: ask by the RPC")
    }
    switch request.format {
    case .unspecified, .csv: return File(FileName("trackme-group", ending: "csv"), csv, part: rows)
    case .ndjson: return File(FileName("trackme-group", ending: "ndjson"), "application/x-ndjson", part: rows)
    case .unrecognized: throw RPCStatus.unknownFormat
    }
  }

  /// Where rows have a price, the one message is its payment.
  @Sendable private static func rows(_ part: Trackme_Groups_V1_ExportGroupResponse) throws -> [UInt8] {
    guard let payment = part.payment else { return part.data }
    throw RPCStatus.failure(
      .failedPrecondition, reason: "PAYMENT_DUE",
      message: "the rows have a price: name a payment that is reserved as payment_id",
      metadata: ["payment_id": payment.paymentID])
  }

  /// The table of a view of what regions spend on health: its first message only tells what the file is.
  private static let expenditure = Download(ExpenditureServiceMethod.exportTable) {
    (request: Trackme_Expenditure_V1_ExportTableRequest) in
    File(FileName("salute-trasparente", subject(of: request), ending: "csv"), csv) {
      (part: Trackme_Expenditure_V1_ExportTableResponse) in
      if case .chunk(let bytes) = part.piece { bytes } else { [] }
    }
  }

  /// Where it is a view that there is, in few letters.
  private static func subject(of request: Trackme_Expenditure_V1_ExportTableRequest) -> String? {
    func name(_ table: String, _ view: Trackme_Expenditure_V1_View?, _ territory: String = "") -> String {
      "\(table) \(territory) \(view?.voice ?? "")"
    }
    return switch request.table {
    case .map(let map): name("map", map.view)
    case .report(let report): name("report", report.view, report.territory)
    case .voiceReport(let report): name("voice", report.view, report.territory)
    case .comparison(let comparison): name("comparison", comparison.view)
    case .mobility: "mobility"
    case nil: nil
    }
  }

  private static let csv = "text/csv; charset=utf-8"
}

extension RPCStatus {
  fileprivate static var unknownFormat: RPCStatus { .invalidArgument(field: "format", problem: "is not a known value") }
}
