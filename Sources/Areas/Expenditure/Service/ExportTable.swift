internal import ExpenditureRules
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension ExpenditureService {
  /// The most bytes of a message.
  private static let chunkMax = 64 << 10

  /// The numbers of a view as a CSV file: those of the RPC that gives the view, by the same path.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; what the view's RPC throws.
  package func exportTable(
    _ request: Trackme_Expenditure_V1_ExportTableRequest,
    responses: ResponseWriter<Trackme_Expenditure_V1_ExportTableResponse>, context: CallContext
  ) async throws {
    guard let words = TableWords(language: request.language) else {
      throw RPCStatus.invalidArgument(field: "language", problem: "must be \"it\", \"en\" or empty")
    }
    let table: ExportedTable
    switch request.table {
    case .map(let asked): table = .init(try await map(asked, at: "map."), words)
    case .report(let asked): table = .init(try await report(asked, at: "report."), words)
    case .voiceReport(let asked): table = .init(try await voiceReport(asked, at: "voice_report."), words)
    case .comparison(let asked): table = .init(try await comparison(asked, at: "comparison."), words)
    case .mobility(let asked): table = .init(try await mobility(asked, at: "mobility."), words)
    case nil: throw RPCStatus.invalidArgument(field: "map", problem: "must be given, or another table")
    }
    try await responses.send(
      .init(piece: .head(.init(name: table.name, contentType: "text/csv; charset=utf-8"))), moreToCome: true)
    let bytes = table.file.bytes
    for start in stride(from: 0, to: bytes.count, by: Self.chunkMax) {
      try await responses.send(
        .init(piece: .chunk(Array(bytes[start..<min(start + Self.chunkMax, bytes.count)]))))
    }
  }
}
