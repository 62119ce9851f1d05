internal import Domain
internal import RacesRules
internal import RPCRuntime
internal import WireCodec

// Races as callers see them.

extension RaceService {
  /// A race with the points of its course, as a caller sees it now; a disabled one without course.
  /// - Throws: NOT_FOUND if it is gone.
  func wire(_ id: RaceID, for person: PersonID) async throws -> Trackme_Races_V1_Race {
    guard let race = try await store.race(id) else { throw RPCStatus.noRace }
    return try await wire(race, for: person)
  }

  func wire(_ race: RaceRecord, for person: PersonID) async throws -> Trackme_Races_V1_Race {
    var wire = Trackme_Races_V1_Race(race, at: clock())
    if !race.schedule.isDisabled { wire.course = try await storage.courses.course(race.courseID).map { .init($0) } }
    wire.isObserved = try await !store.observed(of: [race.id], by: person).isEmpty
    wire.myEnrolment = try await storage.enrolments.enrolment(of: person, in: race.id).map { .init($0) }
    return wire
  }

  /// Races of a list, without the points of their courses.
  func wire(_ races: [RaceRecord], for person: PersonID) async throws -> [Trackme_Races_V1_Race] {
    let now = clock()
    let outlines = try await store.outlines(of: races.filter { !$0.schedule.isDisabled }.map(\.courseID))
    let observed = try await store.observed(of: races.map(\.id), by: person)
    let enrolments = try await store.enrolments(in: races.map(\.id), of: person)
    return races.map { race in
      var wire = Trackme_Races_V1_Race(race, at: now)
      wire.course = outlines[race.courseID].map { .init($0) }
      wire.isObserved = observed.contains(race.id)
      wire.myEnrolment = enrolments[race.id].map { .init($0) }
      return wire
    }
  }
}

extension Trackme_Races_V1_Race {
  /// What does not depend on the caller; without the course.
  init(_ race: RaceRecord, at now: Microseconds) {
    let schedule = race.schedule
    let state = schedule.state(at: now)
    self.init(
      raceID: race.id, name: race.name, description: race.description, placeName: race.placeName,
      state: .init(rawValue: Int32(state.rawValue)), starts: .init(schedule.starts),
      enrolmentEnds: .init(schedule.enrolmentEnds), timeLimit: .init(microseconds: schedule.timeLimit),
      byInvitation: race.byInvitation, capacity: race.capacity,
      fee: race.fee.map { .init(currencyCode: $0.currency, minorUnits: $0.minorUnits) },
      enrolledCount: race.enrolledCount, waitingCount: race.waitingCount,
      organizers: race.organizers.map { .init(username: $0.username, name: $0.name) }, etag: "\(race.version)",
      finished: state == .finished ? .init(schedule.ends) : nil)
  }
}

extension Trackme_Races_V1_Course {
  /// A course without its points.
  init(_ outline: CourseOutline) {
    self.init(
      source: .init(rawValue: outline.source), lengthM: outline.length,
      stages: outline.stages.map { .init(place: .init($0.place), distanceM: $0.distance) },
      start: .init(outline.start), arrival: .init(outline.arrival), attribution: outline.attribution)
  }
}

extension Google_Protobuf_Duration {
  init(microseconds: Microseconds) {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.init(seconds: seconds, nanos: Int32(rest * 1_000))
  }

  /// The duration; nil for what is none or longer than 10,000 years. Finer parts than microseconds are cut off.
  var microseconds: Microseconds? {
    guard (-315_576_000_000...315_576_000_000).contains(seconds), (-999_999_999...999_999_999).contains(nanos),
      seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0)
    else { return nil }
    return seconds * 1_000_000 + Microseconds(nanos / 1_000)
  }
}
