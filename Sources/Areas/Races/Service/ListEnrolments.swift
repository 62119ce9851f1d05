internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// By number, then those without one; 100 on a page unless asked for, at most 1,000. A page token is good for the
  /// same race and states only.
  /// - Throws: as `RaceAccess.organized`; INVALID_ARGUMENT.
  public func listEnrolments(
    _ request: Trackme_Races_V1_ListEnrolmentsRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_ListEnrolmentsResponse {
    let race = try await access.organized(request.raceID, by: try context.account())
    try race.check(.listEnrolments, at: clock())
    let states = try enrolmentStates(request.states)
    guard request.pageSize >= 0 else {
      throw RPCStatus.invalidArgument(field: "page_size", problem: "must not be negative")
    }
    let size = request.pageSize == 0 ? 100 : min(Int(request.pageSize), 1_000)
    let arguments = PageToken.hash(
      "enrolments", "\(race.id)", states.map { "\($0)" }.joined(separator: ","))
    let after = try PageToken.place(in: request.pageToken, arguments: arguments, seal).map {
      EnrolmentPlace(isWithoutNumber: $0.metric == 1, value: $0.time)
    }
    let records = try await storage.enrolments.list(of: race.id, states: states, after: after, limit: size + 1)
    let shown = records.prefix(size)
    var next = ""
    if records.count > size, let last = shown.last {
      let place = EnrolmentPlace(of: last)
      next =
        PageToken(
          arguments: arguments, place: .init(time: place.value, metric: place.isWithoutNumber ? 1 : 0, source: 0)
        ).text(seal)
    }
    return .init(enrolments: shown.map { .init($0, isForOrganizer: true) }, nextPageToken: next)
  }

  /// The states that are wanted, each once; none means all.
  private func enrolmentStates(_ wire: [Trackme_Races_V1_EnrolmentState]) throws -> [EnrolmentState] {
    guard wire.count <= 100 else {
      throw RPCStatus.invalidArgument(field: "states", problem: "has more than 100 entries")
    }
    let states = try wire.enumerated().map { index, state in
      guard let known = EnrolmentState.allCases.first(where: { Int32($0.rawValue) == state.rawValue }) else {
        throw RPCStatus.invalidArgument(field: "states[\(index)]", problem: "is not a known state")
      }
      return known
    }
    return Set(states).sorted { $0.rawValue < $1.rawValue }
  }
}
