internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  /// Takes the whole plan: what is left out gets what it has in a new race, but for the course, which stays without a
  /// route. What may change depends on the state; new dates or another course of a published race are told to all who
  /// have to do with it.
  /// - Throws: as `RaceAccess.organized`; INVALID_ARGUMENT; ABORTED with reason STALE_ETAG; FAILED_PRECONDITION with
  ///   reason RACE_STATE; RESOURCE_EXHAUSTED with reason RACE_CHANGED_OFTEN.
  public func updateRace(
    _ request: Trackme_Races_V1_UpdateRaceRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_UpdateRaceResponse {
    let person = try context.account()
    let now = clock()
    let race = try await access.organized(request.raceID, by: person)
    var violations = Violations()
    if request.etag.isEmpty { violations.add("etag", "must be the etag of the race") }
    let plan = RacePlan(request.plan, courseID: race.courseID, &violations)
    try violations.check()
    guard request.etag == "\(race.version)" else { throw RPCStatus.staleRace }
    let isRearranged = plan.differsInCourseOrDates(from: race.plan)
    if isRearranged { try race.check(.changeCourseAndDates, at: now) }
    try race.check(.editTexts, at: now)
    if plan.differsInEntry(from: race.plan) { try race.check(.editPlan, at: now) }
    let isDraft = race.schedule.state(at: now) == .draft
    if isDraft || isRearranged { plan.check(at: now, &violations) }
    if !isDraft, plan.capacity < race.capacity {
      violations.add("plan.capacity", "can only grow when enrolment is open")
    }
    try violations.check()
    if isRearranged, !isDraft {
      try await rearrange(race, to: plan, by: person, at: now)
    } else {
      switch try await store.update(race, to: plan, by: person, at: now) {
      case .updated: break
      case .noRoute: throw RPCStatus.noRoute
      case nil: throw RPCStatus.staleRace
      }
    }
    return .init(race: try await wire(race.id, for: person))
  }

  /// Changes course or dates of a published race: an entry of the log, with the news in the same transaction.
  private func rearrange(_ race: RaceRecord, to plan: RacePlan, by person: PersonID, at now: Microseconds) async throws
  {
    switch try await storage.decisions.change(race, to: plan, by: person, at: now) {
    case .changed: board.nudge()
    case .noRoute: throw RPCStatus.noRoute
    case .tooLate: throw try await store.isChangedOften(race.id) ? RPCStatus.raceChangedOften : RPCStatus.staleRace
    }
  }
}

extension RacePlan {
  fileprivate func differsInCourseOrDates(from other: RacePlan) -> Bool {
    let (mine, others) = (schedule, other.schedule)
    return mine.starts != others.starts || mine.enrolmentEnds != others.enrolmentEnds
      || mine.timeLimit != others.timeLimit || courseID != other.courseID
  }

  fileprivate func differsInEntry(from other: RacePlan) -> Bool {
    byInvitation != other.byInvitation || fee != other.fee
  }
}

extension RPCStatus {
  static let staleRace = failure(
    .aborted, reason: "STALE_ETAG", message: "the race has changed; get it again")
  static let raceChangedOften = failure(
    .resourceExhausted, reason: "RACE_CHANGED_OFTEN",
    message: "dates and course of a race change at most \(RaceNotices.changesPerDayMax) times in 24 hours")
}
