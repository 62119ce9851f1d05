internal import Domain
internal import GPX
internal import Identity
internal import Postgres
internal import RacesRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension RaceService {
  static let maxLaps: Int32 = 50
  /// Plans that are made at once, of a person one: each reads a part of the map. Persons take turns.
  static let maxPlansAtOnce = 3
  /// Plans that wait for their turn. One more takes the place of the newest of whoever has most waiting.
  static let maxPlansWaiting = 32
  /// Open calls of a person: each may bring a file of 4 MiB.
  static let maxPlanCallsPerPerson = 4
  /// A file of the greatest size, and the places.
  private static let maxPlanBytes = GPXTrack.maxBytes + 65_536

  /// The service's methods, with the limits that planning has for itself.
  var limitedMethods: [RPCMethod] {
    methods.map { method in
      guard method.path == RaceServiceMethod.planRoutes.rawValue else { return method }
      let limits = CallLimits(maxReceiveMessageBytes: Self.maxPlanBytes)
      return RPCMethod(path: method.path, limits: limits) { [planCalls] call in
        // Before the message is read.
        try await planCalls.run(orThrow: .plansOfOnePerson) { try await method.handler(call) }
      }
    }
  }

  /// The routes are kept for the caller, who has 24 hours to make a race of one.
  /// - Throws: INVALID_ARGUMENT, with reason COURSE_TOO_LONG beyond 50 km; FAILED_PRECONDITION with reason NO_WAY or
  ///   NO_ACCOUNT; RESOURCE_EXHAUSTED with reason TOO_MANY_PLANS, TOO_BUSY or TOO_MANY_STREETS.
  public func planRoutes(
    _ request: Trackme_Races_V1_PlanRoutesRequest, context: CallContext
  ) async throws -> Trackme_Races_V1_PlanRoutesResponse {
    let person = try context.account()
    let wish = try RouteWish(request)
    return try await plans.run(for: .account(person), orThrow: .plansUnderWay) {
      try planLimit.count(person)
      let courses = try await request.gpx.isEmpty ? courses(wish) : [uploaded(request.gpx, wish)]
      guard let ids = try await storage.courses.insert(courses, plannedBy: person) else { throw RPCStatus.noAccount }
      return .init(routes: zip(ids, courses).map { .init(routeID: $0, course: .init($1)) })
    }
  }

  private func uploaded(_ gpx: [UInt8], _ wish: RouteWish) async throws -> Course {
    try await tracks.run { try GPXCourse(gpx, wish).course }
  }

  /// Courses along streets; where there are none, straight from place to place.
  private func courses(_ wish: RouteWish) async throws -> [Course] {
    guard let places = wish.places else { preconditionFailure("absent places have been refused") }
    let straight = zip(places, places.dropFirst()).reduce(0) { $0 + Geodesy.distance($1.0, $1.1) }
    guard straight * Double(wish.laps) <= Course.maxLength else {
      throw RPCStatus.tooLong(straight * Double(wish.laps))
    }
    let maxLoop = Course.maxLength / Double(wish.laps)
    let plan: RoadStore.Plan
    do {
      plan = try await storage.questions.run { try await storage.roads.routes(through: places, maxLength: maxLoop) }
    } catch let error as PostgresError where error.kind == .timeout {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_STREETS",
        message: "finding a way takes too long; put stages nearer to each other, or try again later")
    }
    switch plan {
    case .routes(let routes, let attribution):
      return try routes.map { try wish.course(along: $0, attribution: attribution) }
    case .noRoads: return [try wish.straightCourse(places)]
    case .offRoad(let far):
      throw RPCStatus.invalidArgument(
        violations: far.map {
          .init(
            field: wish.field(of: $0.place),
            problem: "must be at most 250 m from a street, and is \($0.distance.metres) m from the nearest one")
        })
    case .repeated(let index):
      throw RPCStatus.invalidArgument(
        field: wish.field(of: index), problem: "must be at another point of the streets than the place before")
    case .notConnected:
      throw RPCStatus.failure(
        .failedPrecondition, reason: "NO_WAY", message: "no way for runners leads from one place to the next")
    case .tooLong(let length): throw RPCStatus.tooLong(length * Double(wish.laps))
    }
  }
}

extension RPCStatus {
  /// A-R16.3: the length found is said.
  static func tooLong(_ length: Double, field: String = "stages") -> RPCStatus {
    RPCStatus(
      .invalidArgument, reason: "COURSE_TOO_LONG",
      message: "the course would be \(length.metres) m long; at most \(Course.maxLength.metres) m are allowed",
      metadata: ["length_m": length.metres, "max_length_m": Course.maxLength.metres],
      violations: [.init(field: field, problem: "must make a course of at most \(Course.maxLength.metres) m")])
  }

  /// Why points are no course, said of the request's fields.
  init(course error: CourseError) {
    self =
      switch error {
      case .noLength: .invalidArgument(field: "arrival", problem: "must be away from start")
      case .tooManyPoints(let count):
        .invalidArgument(
          field: "gpx", problem: "must have at most \(Course.maxPoints) points in all laps, and has \(count)")
      case .tooLong(let length): .tooLong(length, field: "gpx")
      case .tooManyStages: .invalidArgument(field: "stages", problem: "must be at most \(Course.maxStages)")
      case .startIsArrival:
        .invalidArgument(field: "arrival", problem: "must not be the start unless there is a stage between")
      case .stageIsStartOrArrival(let index):
        .invalidArgument(field: "stages[\(index)]", problem: "must be neither start nor arrival")
      case .stageNotOnCourse(let index):
        .invalidArgument(field: "stages[\(index)]", problem: "must be on the course after the place before")
      case .invalidPoint: .invalidArgument(field: "gpx", problem: "must have valid coordinates")
      }
  }
}

extension Double {
  /// Whole metres, for people.
  var metres: String { String(Int64(exactly: rounded()) ?? .max) }
}
