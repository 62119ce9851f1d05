internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import Storage
public import WireCodec

extension RaceService {
  public func updateRace(
    _ request: Trackme_Races_V1_UpdateRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_UpdateRaceResponse {
    let person = try context.person()
    let now = clock()
    let race = try await access.organized(request.raceID, by: person)
    var violations = Violations()
    if request.etag.isEmpty { violations.add("etag", "must be the etag of the race") }
    let plan = RacePlan(request.plan, courseID: race.courseID, &violations)
    try violations.check()
    guard request.etag == "\(race.version)" else { throw RPCStatus.staleRace }
    try race.check(.editTexts, at: now)
    if !plan.differsInTextsOnly(from: race.plan) { try race.check(.editPlan, at: now) }
    if race.schedule.state(at: now) == .draft {
      plan.check(at: now, &violations)
    } else if plan.capacity < race.capacity {
      violations.add("plan.capacity", "can only grow when enrolment is open")
    }
    try violations.check()
    switch try await store.update(race, to: plan, by: person, at: now) {
    case .updated: break
    case .noRoute: throw RPCStatus.noRoute
    case nil: throw RPCStatus.staleRace
    }
    return .init(race: try await wire(race.id, for: person))
  }
}

extension RacePlan {
  /// Whether name, description, place and capacity are all that is another.
  fileprivate func differsInTextsOnly(from other: RacePlan) -> Bool {
    let (mine, others) = (schedule, other.schedule)
    return mine.starts == others.starts && mine.enrolmentEnds == others.enrolmentEnds
      && mine.timeLimit == others.timeLimit && byInvitation == other.byInvitation && fee == other.fee
      && courseID == other.courseID
  }
}

extension RPCStatus {
  static let staleRace = failure(
    .aborted, reason: "STALE_ETAG", message: "the race has changed; get it again")
}
