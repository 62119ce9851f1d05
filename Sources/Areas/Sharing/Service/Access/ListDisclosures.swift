internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AccessService {
  /// What third parties were given of the caller, the newest first; of one consent where the request names it.
  /// - Throws: INVALID_ARGUMENT; NOT_FOUND with reason NO_ACCESS_REQUEST.
  public func listDisclosures(
    _ request: Trackme_Sharing_V1_ListDisclosuresRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_ListDisclosuresResponse {
    let person = try context.account()
    let consent = request.accessRequestID
    guard consent >= 0 else {
      throw RPCStatus.invalidArgument(field: "access_request_id", problem: "must not be negative")
    }
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("disclosures", "\(person)", "\(consent)"), seal)
    // Of a consent that is not the caller's there is nothing to tell, as of one that does not exist.
    if consent != 0, try await record(consent, of: person).person != person { throw RPCStatus.notPermitted }
    let records = try await disclosures.list(
      of: person, request: consent == 0 ? nil : consent, before: page.before, limit: page.size + 1)
    let shown = records.prefix(page.size)
    let catalog = metrics.catalog
    return .init(
      disclosures: shown.map { wire($0, catalog) },
      nextPageToken: page.nextToken(found: records.count, last: shown.last?.id))
  }

  private func wire(_ record: DisclosureRecord, _ catalog: MetricCatalog) -> Trackme_Sharing_V1_Disclosure {
    .init(
      accessRequestID: record.request, thirdPartyID: record.thirdParty, thirdPartyName: record.recipient.holder.name,
      kind: .init(rawValue: Int32(record.kind.rawValue)),
      metrics: record.metrics.sorted().compactMap { catalog[$0]?.name }, readingCount: record.readingCount,
      from: record.taken.map { .init($0.lowerBound) }, to: record.taken.map { .init($0.upperBound) },
      began: .init(record.began), ended: record.ended.map { .init($0) }, atMost: record.isAtMost,
      thirdParty: .init(record.recipient))
  }
}
