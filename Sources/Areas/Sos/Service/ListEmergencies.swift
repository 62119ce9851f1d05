internal import Domain
public import ServiceAPI
internal import SosRules
public import WireCodec

extension SosService {
  /// What the desk has in memory counts where it is ahead of the database.
  /// - Throws: INVALID_ARGUMENT for a page that can't be.
  public func listEmergencies(
    _ request: Trackme_Sos_V1_ListEmergenciesRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_ListEmergenciesResponse {
    let person = try context.account()
    let page = try EmergencyPage(size: request.pageSize, token: request.pageToken, of: person, seal)
    let (emergencies, nextToken) = try await page.read(archive, of: person, memory: active(of: person))
    let names = await EmergencyNames(of: emergencies, metrics: metrics, sources: sources)
    return .init(emergencies: emergencies.map { .init($0, names) }, nextPageToken: nextToken)
  }

  /// What the desk has in memory of a person: everything that is not over, and what has been over for a short time.
  func active(of person: PersonID) -> [Emergency] { (desk?.active() ?? []).filter { $0.person == person } }
}
