internal import Domain
internal import Storage
public import ServiceAPI
public import WireCodec

extension ReadingService {
  public func exportReadings(
    _ request: Trackme_Readings_V1_ExportReadingsRequest,
    responses: ResponseWriter<Trackme_Readings_V1_ExportReadingsResponse>, context: CallContext
  ) async throws {
    let person = try person(request.personID, context)
    let numbers = try metricNumbers(request.metrics)
    let time = try interval(fromUs: request.fromUs, toUs: request.toUs)
    var place: ReadingPlace?
    repeat {
      let page = try await store.page(
        of: person, metrics: numbers, in: time, newestFirst: false, after: place, limit: Self.maxPageSize)
      if !page.readings.isEmpty { try await responses.send(.init(readings: try await rows(page))) }
      place = page.next
    } while place != nil
  }
}
