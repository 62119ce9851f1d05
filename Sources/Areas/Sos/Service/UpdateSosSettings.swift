internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension SosService {
  /// Replaces the settings as a whole; they hold for what is received after the answer.
  /// - Throws: INVALID_ARGUMENT that names every field at fault; ABORTED with reason STALE_ETAG.
  public func updateSosSettings(
    _ request: Trackme_Sos_V1_UpdateSosSettingsRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_UpdateSosSettingsResponse {
    let person = try context.account()
    var violations = Violations()
    if request.etag.isEmpty { violations.add("etag", "must be the etag of the settings") }
    if request.settings == nil { violations.add("settings", "must be given") }
    let settings = SosSettings(request.settings ?? .init(), &violations)
    try violations.check()
    let known = try await self.settings(of: person)
    guard request.etag == "\(known.version)",
      let changed = try await store.update(person, version: known.version, to: settings)
    else { throw RPCStatus.staleSosSettings }
    // They hold for what is received after the answer.
    try await roster.refresh()
    return .init(settings: .init(changed), etag: "\(changed.version)")
  }
}

extension RPCStatus {
  fileprivate static let staleSosSettings = failure(
    .aborted, reason: "STALE_ETAG", message: "the settings have changed; get them again")
}
