internal import Domain
internal import RacesRules
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

/// What a request for routes asks for, checked (A-R16.2).
struct RouteWish {
  let start: Place?
  let stages: [Place]
  let arrival: Place?
  let laps: Int

  /// Start, stages and arrival; nil if an uploaded track says where it begins or ends. Where they coincide, the arrival
  /// is at the very point of the start.
  var places: [Place]? {
    guard let start, let arrival else { return nil }
    let isLoop = Geodesy.distance(start, arrival) < Course.coincidence
    let end = isLoop ? Place(latitude: start.latitude, longitude: start.longitude, name: arrival.name) : arrival
    return [start] + stages + [end]
  }

  /// - Throws: INVALID_ARGUMENT.
  init(_ request: Trackme_Races_V1_PlanRoutesRequest) throws {
    var violations = Violations()
    start = request.start.map { Place($0, "start", &violations) }
    arrival = request.arrival.map { Place($0, "arrival", &violations) }
    if request.stages.count > Course.maxStages {
      violations.add("stages", "must be at most \(Course.maxStages), and are \(request.stages.count)")
    }
    stages = request.stages.prefix(Course.maxStages).enumerated().map { Place($1, "stages[\($0)]", &violations) }
    if request.gpx.isEmpty {
      if start == nil { violations.add("start", "must be given") }
      if arrival == nil { violations.add("arrival", "must be given") }
    }
    laps = Int(max(1, request.laps))
    if !(0...RaceService.maxLaps).contains(request.laps) {
      violations.add("laps", "must be 1 to \(RaceService.maxLaps)")
    }
    try violations.check()
    guard let start, let arrival else { return }
    do throws(CourseError) {
      try Course.check(start: start, stages: stages, arrival: arrival, isTrack: !request.gpx.isEmpty)
    } catch {
      throw RPCStatus(course: error)
    }
    if request.gpx.isEmpty, laps > 1, Geodesy.distance(start, arrival) >= Course.coincidence {
      throw RPCStatus.invalidArgument(field: "laps", problem: "must be 1 unless start and arrival are the same")
    }
  }

  /// The request's name for a place.
  func field(of index: Int) -> String {
    index == 0 ? "start" : index <= stages.count ? "stages[\(index - 1)]" : "arrival"
  }

  /// The course along a route; its places are where the streets are.
  func course(along route: RoadRoute, attribution: String) throws -> Course {
    let line = zip(route.latitudes, route.longitudes).map { TrackLine.Point(latitude: $0, longitude: $1) }
    return try course(
      .roads, TrackLine(line), stageDistances: Array(route.placeDistances.dropFirst().dropLast()),
      attribution: attribution)
  }

  func straightCourse(_ places: [Place]) throws -> Course {
    let line = TrackLine(places.map { TrackLine.Point(latitude: $0.latitude, longitude: $0.longitude) })
    return try course(.straight, line, stageDistances: Array(line.distances.dropFirst().dropLast()), attribution: "")
  }

  /// A course along a line, as many laps as are asked for. Its stages are those of the first lap.
  /// - Throws: INVALID_ARGUMENT.
  func course(
    _ source: Course.Source, _ line: TrackLine, altitudes: [Double] = [], stageDistances: [Double], attribution: String
  ) throws -> Course {
    func place(_ point: TrackLine.Point?, _ name: String?) -> Place {
      Place(latitude: point?.latitude ?? 0, longitude: point?.longitude ?? 0, name: name ?? "")
    }
    guard line.points.count * laps <= Course.maxPoints else {
      throw RPCStatus(course: .tooManyPoints(line.points.count * laps))
    }
    let latitudes = line.points.map(\.latitude)
    let longitudes = line.points.map(\.longitude)
    do throws(CourseError) {
      return try Course(
        source: source, latitudes: repeated(latitudes), longitudes: repeated(longitudes),
        altitudes: repeated(altitudes), start: place(line.points.first, start?.name),
        arrival: place(line.points.last, arrival?.name),
        stages: zip(stages, stageDistances).map { stage, distance in
          Course.Stage(place: place(line.point(at: distance), stage.name), distance: distance)
        }, attribution: attribution)
    } catch {
      throw RPCStatus(course: error)
    }
  }

  private func repeated(_ values: [Double]) -> [Double] { Array(repeatElement(values, count: laps).joined()) }
}
