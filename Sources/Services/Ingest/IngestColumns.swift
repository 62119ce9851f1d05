internal import Domain
internal import RPCRuntime
internal import Storage
internal import WireCodec

extension IngestService {
  /// The readings of a batch with their sources' registered numbers.
  ///
  /// - Throws: INVALID_ARGUMENT for columns that do not fit together or too many sources.
  func columns(
    _ wire: Trackme_Readings_V1_ReadingColumns, from principal: Principal, defaultSource: SourceID, field: String
  ) async throws -> ReadingColumns {
    guard wire.sources.count <= Trackme_Readings_V1_ReadingColumns.maxSources else {
      throw RPCStatus.invalidArgument(
        field: field + ".sources", problem: "has more than \(Trackme_Readings_V1_ReadingColumns.maxSources) entries")
    }
    let numbers = wire.sources.isEmpty ? [] : try await sourceNumbers(of: wire.sources, from: principal)
    do {
      return try wire.domainColumns(sourceNumbers: numbers, defaultSource: defaultSource)
    } catch {
      throw RPCStatus.invalidArgument(field: field + "." + error.field, problem: error.problem)
    }
  }

  /// The registered numbers of sources. A name that is met for the first time is registered in the database.
  func sourceNumbers(of names: [String], from principal: Principal) async throws -> [SourceID] {
    if let known = sources.knownNumbers(of: names) { return known }
    return try await sources.numbers(of: names, from: principal)
  }
}
