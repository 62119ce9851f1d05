import Domain
import RacesRules
import Testing

@Suite struct CourseTests {
  /// A degree northwards is 111.1 km here.
  private static func course(
    kilometres: Double, stages: [Course.Stage] = [], loop: Bool = false
  ) throws(CourseError) -> Course {
    let end = 45 + kilometres / 111.13 / (loop ? 2 : 1)
    let (latitudes, longitudes) = loop ? ([45, end, 45], [9.0, 9, 9]) : ([45, end], [9.0, 9])
    return try Course(
      source: .straight, latitudes: latitudes, longitudes: longitudes,
      start: Place(latitude: 45, longitude: 9), arrival: Place(latitude: loop ? 45 : end, longitude: 9), stages: stages)
  }

  private static func stage(_ kilometre: Double) -> Course.Stage {
    .init(place: Place(latitude: 45 + kilometre / 111.13, longitude: 9), distance: kilometre * 1_000)
  }

  @Test("A-R16.2: at most 10 stages")
  func stageCount() throws {
    let ten = (1...10).map { Self.stage(Double($0)) }
    #expect(try Self.course(kilometres: 20, stages: ten).stages.count == 10)
    #expect(throws: CourseError.tooManyStages(11)) {
      try Self.course(kilometres: 20, stages: ten + [Self.stage(11)])
    }
  }

  @Test("A-R16.2: start and arrival coincide only where there is a stage")
  func loops() throws {
    #expect(throws: CourseError.startIsArrival) { try Self.course(kilometres: 10, loop: true) }
    #expect(try Self.course(kilometres: 10, stages: [Self.stage(4)], loop: true).length > 9_990)
    let place = Place(latitude: 45, longitude: 9)
    #expect(throws: CourseError.startIsArrival) {
      try Course.check(start: place, stages: [], arrival: Place(latitude: 45.00008, longitude: 9))
    }
    try Course.check(start: place, stages: [], arrival: Place(latitude: 45.0001, longitude: 9))
    try Course.check(start: place, stages: [], arrival: place, isTrack: true)
  }

  @Test("A-R16.2: a stage is neither the start nor the arrival, and comes after the one before")
  func stagePlaces() {
    #expect(throws: CourseError.stageIsStartOrArrival(0)) {
      try Self.course(kilometres: 10, stages: [.init(place: Place(latitude: 45, longitude: 9), distance: 1)])
    }
    #expect(throws: CourseError.stageIsStartOrArrival(1)) {
      try Self.course(kilometres: 10, stages: [Self.stage(5), Self.stage(10)])
    }
    #expect(throws: CourseError.stageNotOnCourse(1)) {
      try Self.course(kilometres: 10, stages: [Self.stage(5), Self.stage(4)])
    }
    #expect(throws: CourseError.stageNotOnCourse(0)) {
      try Self.course(
        kilometres: 10, stages: [.init(place: Place(latitude: 45.01, longitude: 9), distance: 10_001)])
    }
  }

  @Test("A-R16.3: a course of 50 km is taken, and a longer one is refused with the length found")
  func length() throws {
    #expect(try Self.course(kilometres: 49.95).length < Course.maxLength)
    do throws(CourseError) {
      _ = try Self.course(kilometres: 51)
      Issue.record("51 km were taken")
    } catch {
      guard case .tooLong(let found) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(abs(found - 51_000) < 51, "\(found) m")
    }
    // The course's own length counts, stages included: there and back.
    #expect(throws: CourseError.self) { try Self.course(kilometres: 51, stages: [Self.stage(5)], loop: true) }
  }

  @Test("points that are none, and courses without length, are refused")
  func garbage() {
    let place = Place(latitude: 0, longitude: 0)
    for (latitudes, longitudes, error) in [
      ([0], [0], .noLength), ([0, 0], [0, 0], .noLength), ([0, .nan], [0, 1], .invalidPoint(1)),
      ([0, 91], [0, 1], .invalidPoint(1)), ([0, 1], [0, -181], .invalidPoint(1)), ([0, 1], [0], .invalidPoint(1)),
      (Array(repeating: 0, count: 50_001), Array(repeating: 0, count: 50_001), .tooManyPoints(50_001)),
    ] as [([Double], [Double], CourseError)] {
      #expect(throws: error) {
        try Course(source: .gpx, latitudes: latitudes, longitudes: longitudes, start: place, arrival: place)
      }
    }
  }

  @Test("the climb is the sum of ascents, without what is below the altimeter's error")
  func climb() throws {
    func climb(_ altitudes: [Double]) throws -> Double? {
      let latitudes = altitudes.indices.map { 45 + Double($0) / 100 }
      return try Course(
        source: .gpx, latitudes: latitudes, longitudes: latitudes.map { _ in 9 }, altitudes: altitudes,
        start: Place(latitude: 45, longitude: 9), arrival: Place(latitude: 45.1, longitude: 9)
      ).climb
    }
    #expect(try climb([100, 150, 120, 200]) == 130)
    #expect(try climb([100, 102, 100, 102, 100]) == 0)
    #expect(try Self.course(kilometres: 1).climb == nil)
  }
}
