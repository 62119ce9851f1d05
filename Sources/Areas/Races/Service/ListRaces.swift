internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// 20 on a page unless asked for, at most 100.
  /// - Throws: INVALID_ARGUMENT for an unknown role, and for a page token of another caller or role.
  public func listRaces(
    _ request: Trackme_Races_V1_ListRacesRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_ListRacesResponse {
    let person = try context.account()
    guard let role = RaceListRole(rawValue: request.role.rawValue) else {
      throw RPCStatus.invalidArgument(field: "role", problem: "is not a known role")
    }
    let page = try RacePage(
      size: request.pageSize, token: request.pageToken, arguments: PageToken.hash("races", "\(person)", "\(role)"),
      seal)
    let races = try await store.list(of: person, role: role, after: page.place, limit: page.size + 1)
    let shown = Array(races.prefix(page.size))
    return .init(
      races: try await wire(shown, for: person),
      nextPageToken: page.nextToken(
        found: races.count, last: shown.last.map { RacePlace(key: $0.schedule.starts, race: $0.id) }))
  }
}

/// The part of a list of races that a request asks for.
struct RacePage {
  /// The most races of the page.
  let size: Int
  /// It begins after this place; nil for the first.
  let place: RacePlace?
  private let arguments: UInt64
  private let seal: Seal

  /// - Parameter arguments: everything else that decides what is in the list; a token belongs to one set of them.
  /// - Throws: INVALID_ARGUMENT for a negative size and for a token of other arguments.
  init(size pageSize: Int32, token: String, arguments: UInt64, _ seal: Seal) throws {
    guard pageSize >= 0 else {
      throw RPCStatus.invalidArgument(field: "page_size", problem: "must not be negative")
    }
    size = pageSize == 0 ? 20 : min(Int(pageSize), 100)
    self.arguments = arguments
    self.seal = seal
    place = try PageToken.place(in: token, arguments: arguments, seal).map { place in
      RacePlace(
        key: place.time, race: Int64(place.metric) << 32 | Int64(UInt32(bitPattern: place.source)))
    }
  }

  /// The token of the page after one that has been read with one race more than its size.
  func nextToken(found count: Int, last: RacePlace?) -> String {
    guard count > size, let last else { return "" }
    let place = ReadingPlace(
      time: last.key, metric: Int32(truncatingIfNeeded: last.race >> 32), source: Int32(truncatingIfNeeded: last.race))
    return PageToken(arguments: arguments, place: place).text(seal)
  }
}
