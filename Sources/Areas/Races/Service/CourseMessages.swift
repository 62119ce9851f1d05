internal import Domain
internal import RacesRules
internal import ServiceKit
internal import WireCodec

// Places and courses between the wire and Domain.

extension Trackme_Races_V1_Place {
  init(_ place: Place) {
    self.init(latitude: place.latitude, longitude: place.longitude, name: place.name)
  }
}

extension Place {
  /// A place of a request; what is wrong with it is added to the violations.
  init(_ wire: Trackme_Races_V1_Place, _ path: String, _ violations: inout Violations) {
    self.init(latitude: wire.latitude, longitude: wire.longitude, name: wire.name)
    // A number that is none is in no range.
    if !(abs(wire.latitude) <= 90) { violations.add("\(path).latitude", "must be -90 to 90") }
    if !(abs(wire.longitude) <= 180) { violations.add("\(path).longitude", "must be -180 to 180") }
    violations.add("\(path).name", PlainText.problem(wire.name, length: 0...100))
  }
}

extension Trackme_Races_V1_CourseSource {
  init(_ source: Course.Source) {
    self =
      switch source {
      case .roads: .roads
      case .gpx: .gpx
      case .straight: .straight
      }
  }
}

extension Trackme_Races_V1_Course {
  init(_ course: Course) {
    self.init(
      source: .init(course.source), latitudes: course.latitudes, longitudes: course.longitudes,
      altitudes: course.altitudes, lengthM: course.length, climbM: course.climb,
      stages: course.stages.map { .init(place: .init($0.place), distanceM: $0.distance) },
      start: .init(course.start), arrival: .init(course.arrival), attribution: course.attribution)
  }
}
