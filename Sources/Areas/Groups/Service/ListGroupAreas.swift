internal import Domain
internal import GroupsRules
internal import RPCRuntime
package import ServiceAPI
internal import ServiceKit
package import WireCodec

extension GroupService {
  /// Regions first, each level in the order of ISTAT's codes.
  /// - Throws: INVALID_ARGUMENT that names the field.
  package func listGroupAreas(
    _ request: Trackme_Groups_V1_ListGroupAreasRequest, context: CallContext
  ) async throws -> Trackme_Groups_V1_ListGroupAreasResponse {
    var violations = Violations()
    let level = AreaCode.Level(rawValue: Int(request.level.rawValue))
    if level == nil, request.level != .unspecified { violations.add("level", "must be a GroupAreaLevel") }
    violations.add("name_prefix", PlainText.problem(request.namePrefix, length: 0...GroupAreas.nameMax))
    try violations.check()
    // The numbers of a page fall.
    let page = try ListPage(
      size: request.pageSize, token: request.pageToken,
      arguments: PageToken.hash("areas", "\(request.level.rawValue)", request.namePrefix), seal)
    let after = page.before == .max ? nil : AreaCode(order: -page.before)
    let found = try await areas.list(level, prefix: request.namePrefix, after: after, limit: page.size + 1)
    let shown = found.prefix(page.size)
    return .init(
      areas: shown.map { area in
        .init(
          code: area.code.text, name: area.name, level: .init(rawValue: Int32(area.code.level.rawValue)),
          parent: area.parent, cellCount: Int32(clamping: area.cellCount))
      }, nextPageToken: page.nextToken(found: found.count, last: shown.last.map { -$0.code.order }))
  }
}
