internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension ReadingService: ReadingServiceHandler {
  static let maxPageSize = 10_000
  private static let defaultPageSize = 100

  /// The newest first unless asked for; 100 on a page unless asked for, at most 10,000. A page token is good for the
  /// same question only.
  /// - Throws: INVALID_ARGUMENT; PERMISSION_DENIED.
  public func listReadings(
    _ request: Trackme_Readings_V1_ListReadingsRequest, context: CallContext
  ) async throws -> Trackme_Readings_V1_ListReadingsResponse {
    let person = try person(request.personID, context)
    let numbers = try metricNumbers(request.metrics)
    let time = try interval(fromUs: request.fromUs, toUs: request.toUs)
    let newestFirst: Bool
    switch request.order {
    case .unspecified, .newestFirst: newestFirst = true
    case .oldestFirst: newestFirst = false
    case .unrecognized: throw RPCStatus.invalidArgument(field: "order", problem: "is not a known value")
    }
    guard request.pageSize >= 0 else {
      throw RPCStatus.invalidArgument(field: "page_size", problem: "must not be negative")
    }
    let limit = request.pageSize == 0 ? Self.defaultPageSize : min(Int(request.pageSize), Self.maxPageSize)
    let arguments = PageToken.hash(
      "\(person)", request.metrics.joined(separator: ","), "\(time)", "\(newestFirst)", "\(request.pageSize)")

    let page = try await store.page(
      of: person, metrics: numbers, in: time, newestFirst: newestFirst,
      after: try PageToken.place(in: request.pageToken, arguments: arguments, seal), limit: limit)
    return .init(
      readings: try await rows(page),
      nextPageToken: page.next.map { PageToken(arguments: arguments, place: $0).text(seal) } ?? "")
  }
}
