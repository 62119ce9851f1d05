internal import Domain
internal import GPX
internal import RacesRules
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit

/// A course as it was uploaded.
struct GPXCourse {
  /// How near the track must pass a stage, and begin at the start: metres.
  static let reach = 50.0

  let course: Course

  /// - Throws: INVALID_ARGUMENT that names the field.
  init(_ bytes: [UInt8], _ wish: RouteWish) throws {
    let track: GPXTrack
    do throws(GPXError) { track = try GPXTrack(gpx: bytes) } catch {
      throw RPCStatus.invalidArgument(field: "gpx", problem: "\(error)")
    }
    let line = TrackLine(track.points.map { TrackLine.Point(latitude: $0.latitude, longitude: $0.longitude) })
    guard line.length > 1 else { throw RPCStatus.invalidArgument(field: "gpx", problem: "must have a length") }
    try Self.check(line, wish)
    // Climb is known only where each altitude is.
    let altitudes = track.points.compactMap(\.altitude)
    course = try wish.course(
      .gpx, line, altitudes: altitudes.count == track.points.count ? altitudes : [],
      stageDistances: try Self.stageDistances(line, wish), attribution: "")
  }

  private static func check(_ line: TrackLine, _ wish: RouteWish) throws {
    var violations = Violations()
    for (field, place, point) in [("start", wish.start, line.points[0]), ("arrival", wish.arrival, line.points.last)] {
      guard let place, let point else { continue }
      let apart = Geodesy.distance(place.latitude, place.longitude, point.latitude, point.longitude)
      if apart > reach {
        violations.add(
          field,
          "must be at most 50 m from where the track \(field == "start" ? "begins" : "ends"), and is \(apart.metres) m")
      }
    }
    let (first, last) = (line.points[0], line.points[line.points.count - 1])
    if wish.laps > 1,
      Geodesy.distance(first.latitude, first.longitude, last.latitude, last.longitude) > reach
    {
      violations.add("laps", "must be 1 unless the track ends where it begins")
    }
    try violations.check()
  }

  private static func stageDistances(_ line: TrackLine, _ wish: RouteWish) throws -> [Double] {
    var passed = 0.0
    return try wish.stages.enumerated().map { index, stage in
      let (distance, nearest) = line.pass(of: stage, after: passed, within: reach)
      guard let distance else {
        let found = nearest.isFinite ? "it comes within \(nearest.metres) m" : "it ends there"
        throw RPCStatus.invalidArgument(
          field: "stages[\(index)]",
          problem: "must be at most 50 m from the track after the place before; \(found)")
      }
      passed = distance
      return distance
    }
  }
}
