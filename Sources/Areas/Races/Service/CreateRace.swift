internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// A repeat of a request id is answered with the race that it made, as that stands now, whatever the rest of the
  /// request says.
  /// - Throws: INVALID_ARGUMENT, also for a route that was not planned by the caller in the last 24 hours;
  ///   RESOURCE_EXHAUSTED with reason TOO_MANY_RACES.
  public func createRace(
    _ request: Trackme_Races_V1_CreateRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_CreateRaceResponse {
    let person = try context.account()
    let now = clock()
    var violations = Violations()
    if request.requestID.isEmpty {
      violations.add("request_id", "must be 1 to 64 characters")
    } else {
      violations.addRequestID(request.requestID)
    }
    // A repeat may come when its times are not right any more.
    if violations.isEmpty, let known = try await store.created(by: person, requestID: request.requestID) {
      return .init(race: try await wire(known, for: person))
    }
    let plan = RacePlan(request.plan, &violations)
    if request.plan != nil { plan.check(at: now, &violations) }
    try violations.check()
    switch try await store.create(plan, by: person, requestID: request.requestID, at: now) {
    case .created(let race), .repeated(let race): return .init(race: try await wire(race, for: person))
    case .noRoute: throw RPCStatus.noRoute
    case .tooMany: throw RPCStatus.tooManyRaces
    case .noAccount: throw RPCStatus.noAccount
    }
  }
}

extension RPCStatus {
  static let noRoute = invalidArgument(field: "plan.route_id", problem: RacePlan.routeProblem)
  static let tooManyRaces = failure(
    .resourceExhausted, reason: "TOO_MANY_RACES",
    message: "a person organises at most \(RaceStore.maxRaces) races that are not over",
    metadata: ["limit": "\(RaceStore.maxRaces)"])
}
