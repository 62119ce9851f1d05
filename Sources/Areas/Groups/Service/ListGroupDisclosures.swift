internal import Domain
internal import Identity
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService {
  /// Which answers may have been made of the caller's readings too, the newest first.
  /// - Throws: INVALID_ARGUMENT for a page token that is none.
  package func listGroupDisclosures(
    _ request: Trackme_Groups_V1_ListGroupDisclosuresRequest, context: CallContext
  ) async throws -> Trackme_Groups_V1_ListGroupDisclosuresResponse {
    let person = try context.account()
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken, arguments: PageToken.hash("group disclosures", "\(person)"),
      seal)
    let records = try await disclosures.list(of: person, before: page.before, limit: page.size + 1)
    let shown = records.prefix(page.size)
    return .init(
      disclosures: try shown.map { record in
        .init(
          thirdPartyID: record.thirdParty, thirdPartyName: record.recipient.holder.name,
          question: try .decode(record.question), answered: .init(record.answered),
          thirdParty: .init(record.recipient))
      }, nextPageToken: page.nextToken(found: records.count, last: shown.last?.id))
  }
}
