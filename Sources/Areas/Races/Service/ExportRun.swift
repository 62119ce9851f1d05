internal import Domain
internal import GPX
internal import Log
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  private static let positionMetric: MetricID = 11
  /// Points of one piece.
  private static let exportedAtOnce = 2_000
  /// Positions that are in memory at once while the finish is sought, but for an hour that has more.
  private static let foldedAtOnce = 20_000

  /// The caller's own run as a GPX file, from the start to the finish, or to the end of the race. Of two devices at one
  /// moment one counts. A slow client costs one piece of 2,000 points in memory.
  /// - Throws: NOT_FOUND with reason NO_RACE or NOT_ENROLLED; FAILED_PRECONDITION with reason RACE_STATE before the
  ///   start; `CancellationError`.
  public func exportRun(
    _ request: Trackme_Races_V1_ExportRunRequest, responses: ResponseWriter<Trackme_Races_V1_ExportRunResponse>,
    context: CallContext
  ) async throws {
    let person = try context.account()
    let (race, roles) = try await access.visible(request.raceID, to: person)
    // As trackme.races.v1.EnrolmentState: enrolled.
    guard roles.enrolment == 3 else {
      throw RPCStatus.failure(
        .notFound, reason: "NOT_ENROLLED", message: "only a runner of the race has a run in it")
    }
    let now = clock()
    try race.check(.follow, at: now)
    guard now >= race.schedule.starts else {
      throw RPCStatus(raceAction: .init(action: .readResults, state: race.schedule.state(at: now)))
    }
    let time = try await runTime(of: person, in: race)
    let writer = GPXWriter(name: race.name)
    try await responses.send(.init(gpx: writer.head))
    var place: ReadingPlace?
    var last: Microseconds?
    repeat {
      let page = try await storage.store.page(
        of: person, metrics: [Self.positionMetric], in: time, newestFirst: false, after: place,
        limit: Self.exportedAtOnce)
      var points: [GPXPoint] = []
      for positions in page.readings.lazy.map(\.positions) where !positions.isEmpty {
        // Of two devices at one moment, one is enough.
        guard positions.time[0] != last else { continue }
        last = positions.time[0]
        let altitude = positions.altitude[0]
        points.append(
          GPXPoint(
            latitude: positions.latitude[0], longitude: positions.longitude[0],
            altitude: altitude.isFinite ? altitude : nil, time: positions.time[0]))
      }
      if !points.isEmpty { try await responses.send(.init(gpx: writer.points(points))) }
      place = page.next
    } while place != nil
    try await responses.send(.init(gpx: writer.tail))
  }

  /// From the start of the race to the person's finish, or to the end of the race where there is none.
  private func runTime(of person: PersonID, in race: RaceRecord) async throws -> Range<Microseconds> {
    let ends = min(race.schedule.ends, race.schedule.cancelled ?? .max)
    let whole = race.schedule.starts..<max(race.schedule.starts, ends)
    guard let course = try await storage.courses.course(race.courseID) else { return whole }
    // Not on the loop of the call: it is work for a processor.
    return try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await runTime(of: person, in: race, along: course, whole)
    }
  }

  private func runTime(
    of person: PersonID, in race: RaceRecord, along course: Course, _ whole: Range<Microseconds>
  ) async throws -> Range<Microseconds> {
    let runner = RaceRunner(person: person, number: 1, name: "")
    var board = RaceBoard(race: race.id, schedule: race.schedule, course: course, runners: [runner])
    for decided in try await storage.decisions.changes(of: race.id) where decided.change.persons.contains(person) {
      board.apply(decided.change, at: decided.position)
    }
    board = try await storage.store.fold(
      of: person, metrics: [Self.positionMetric], in: whole, readings: Self.foldedAtOnce, into: board
    ) { board, columns in
      board.take(columns.positions, at: board.position)
      return true
    }
    guard let finish = board.standing(at: whole.upperBound).first?.finishTime else { return whole }
    return whole.clamped(to: whole.lowerBound..<(whole.lowerBound + finish + 1))
  }
}
