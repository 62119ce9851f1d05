internal import Domain
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  private static let defaultRadius = 50_000.0
  private static let maxRadius = 20_000_000.0
  private static let maxTextCharacters = 100

  /// From now on, with the races that are under way, unless the request has other times. 20 on a page unless asked for, at most 100; a page token is good
  /// for the same question of the same caller only.
  /// - Throws: INVALID_ARGUMENT that names every field at fault.
  public func searchRaces(
    _ request: Trackme_Races_V1_SearchRacesRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_SearchRacesResponse {
    let person = try context.account()
    let query = try query(request)
    let arguments = PageToken.hash(
      "search", "\(person)", query.near.map { "\($0.centre.latitude) \($0.centre.longitude) \($0.radius)" } ?? "",
      query.text, request.from.map { "\($0.seconds).\($0.nanos)" } ?? "",
      request.to.map { "\($0.seconds).\($0.nanos)" } ?? "")
    let page = try RacePage(size: request.pageSize, token: request.pageToken, arguments: arguments, seal)
    let found = try await store.search(query, after: page.place, limit: page.size + 1)
    let shown = Array(found.prefix(page.size))
    let races = try await wire(shown.map(\.race), for: person)
    return .init(
      races: zip(races, shown).map { .init(race: $0, distanceM: $1.distance) },
      nextPageToken: page.nextToken(found: found.count, last: shown.last?.place))
  }

  /// What is looked for, with every field checked.
  private func query(_ request: Trackme_Races_V1_SearchRacesRequest) throws -> RaceQuery {
    var violations = Violations()
    let centre = request.near.map { Place($0, "near", &violations) }
    let radius = request.radiusM == 0 ? Self.defaultRadius : request.radiusM
    // A number that is none is in no range.
    if !(1...Self.maxRadius ~= radius) { violations.add("radius_m", "must be 1 to 20,000,000, or 0 for 50,000") }
    if request.radiusM != 0, centre == nil { violations.add("radius_m", "must come with near") }
    violations.add("text", PlainText.problem(request.text, length: 0...Self.maxTextCharacters))
    try violations.check()
    let now = clock()
    let from = try request.from?.microseconds(field: "from") ?? now
    let to = try request.to?.microseconds(field: "to") ?? OutsideTimes.range.upperBound
    guard from < to else {
      throw RPCStatus.invalidArgument(field: "to", problem: "must be after from, or after now where from is absent")
    }
    return RaceQuery(
      near: centre.map { .init(centre: $0, radius: radius) }, text: request.text, time: from..<to,
      runningAt: request.from == nil ? now : nil)
  }
}
