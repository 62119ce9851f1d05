internal import Domain
internal import ExpenditureRules
internal import Log
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
internal import Synchronization
package import WireCodec

extension ExpenditureService {
  /// Makes a draft release out of files: all of them, or none.
  /// - Throws: INVALID_ARGUMENT that names the field, or with reason BAD_FILE and the place in `metadata`; RESOURCE_EXHAUSTED
  ///   with reason IMPORT_RUNNING or IMPORT_TOO_LARGE.
  package func importFigures(
    requests: RequestStream<Trackme_Expenditure_V1_ImportFiguresRequest>, context: CallContext
  ) async throws -> Trackme_Expenditure_V1_ImportFiguresResponse {
    guard importing.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else {
      throw RPCStatus(ReleaseError.busy)
    }
    defer { importing.store(false, ordering: .relaxed) }
    var spool = SpooledFiles()
    while let request = try await requests.next() { try spool.add(request.piece) }
    try spool.checkWhole()
    let work = FigureImport(
      spool.given, note: spool.head?.note ?? "", isDryRun: spool.head?.dryRun ?? false, now: clock())
    do {
      let release = try await storage.pools.upkeep.withConnection { try work.run($0) }
      // The files are there until they are read.
      _ = consume spool
      return .init(release: release.wire)
    } catch let problem as ImportProblem {
      throw RPCStatus(problem)
    } catch let error as ReleaseError {
      throw RPCStatus(error)
    }
  }
}

extension RPCStatus {
  init(_ problem: ImportProblem) {
    var metadata = ["file": problem.file]
    metadata["row"] = problem.row.map { "\($0)" }
    metadata["column"] = problem.column
    self = .failure(.invalidArgument, reason: "BAD_FILE", message: "\(problem)", metadata: metadata)
  }
}
