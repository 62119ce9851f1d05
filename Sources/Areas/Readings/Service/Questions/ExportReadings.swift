internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension ReadingService {
  /// The oldest first, in pieces; nothing is kept between two, so that a slow client costs one piece of memory. What is
  /// committed while it runs may be in it or not.
  /// - Throws: INVALID_ARGUMENT; PERMISSION_DENIED; `CancellationError`.
  public func exportReadings(
    _ request: Trackme_Readings_V1_ExportReadingsRequest,
    responses: ResponseWriter<Trackme_Readings_V1_ExportReadingsResponse>, context: CallContext
  ) async throws {
    try checkFormat(of: request)
    if case .thirdParty(let thirdParty) = try context.principal() {
      return try await exportUnderGrant(request, for: thirdParty, responses, context)
    }
    guard request.accessRequestID == 0 else {
      throw RPCStatus.invalidArgument(field: "access_request_id", problem: "is for third parties")
    }
    let person = try person(request.personID, context)
    let numbers = exported(try metricNumbers(request.metrics), as: request.format)
    let time = try interval(fromUs: request.fromUs, toUs: request.toUs)
    var form = form(request.format, ObservationScope(person: person, metrics: Set(numbers)))
    var place: ReadingPlace?
    repeat {
      let page = try await store.page(
        of: person, metrics: numbers, in: time, newestFirst: false, after: place, limit: Self.maxPageSize)
      for start in stride(from: 0, to: page.readings.count, by: form.readingsAtOnce) {
        let readings = Array(page.readings[start...].prefix(form.readingsAtOnce))
        for message in try await messages(of: readings, in: &form) { try await responses.send(message) }
      }
      place = page.next
    } while place != nil
    for message in try lastMessages(in: form) { try await responses.send(message) }
  }
}
