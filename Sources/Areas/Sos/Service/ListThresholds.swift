internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import SosRules
public import WireCodec

extension SosService {
  /// The limits by which the caller's readings are judged today: the built-in ones for the age, and the caller's own in
  /// their place.
  /// - Throws: FAILED_PRECONDITION with reason NO_ACCOUNT.
  public func listThresholds(
    _ request: Trackme_Sos_V1_ListThresholdsRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_ListThresholdsResponse {
    let rules = try await rules(of: try context.account())
    let catalog = metrics.catalog
    return .init(
      thresholds: rules.thresholds.sorted { $0.key < $1.key }.compactMap { number, threshold in
        catalog[number].map { .init(threshold, of: $0, isDefault: rules.key.thresholds[number] == nil) }
      }, scoreLimit: Int32(clamping: rules.scoreLimit), ruleVersion: rules.version)
  }

  /// The rules by which a caller's readings are judged today, whether they are judged or not.
  /// - Throws: FAILED_PRECONDITION with reason NO_ACCOUNT.
  func rules(of person: PersonID) async throws -> RuleSet {
    let now = clock()
    guard let monitored = try await store.rules(of: person, at: now) else { throw RPCStatus.noAccount }
    return RuleSet(RuleSet.Key(monitored, on: CalendarDate(utc: now)))
  }
}
