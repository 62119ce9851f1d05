internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// The newest first; no token is told.
  /// - Throws: INVALID_ARGUMENT for a page that can't be.
  public func listDevices(
    _ request: Trackme_Identity_V1_ListDevicesRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_ListDevicesResponse {
    let person = try context.account()
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken, arguments: PageToken.hash("devices", String(person)), seal)
    let found = try await storage.devices.list(of: person, before: page.before, limit: page.size + 1)
    let devices = found.prefix(page.size)
    return .init(
      devices: devices.map { .init($0) },
      nextPageToken: page.nextToken(found: found.count, last: devices.last?.device))
  }
}
