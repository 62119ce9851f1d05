public import Domain

/// Why points are no course.
public enum CourseError: Error, Sendable, Hashable {
  /// Fewer than two points, or all of them in one place.
  case noLength
  case tooManyPoints(Int)
  /// Longer than 50 km: the length found, in metres.
  case tooLong(Double)
  case tooManyStages(Int)
  /// Start and arrival coincide, and there is no stage.
  case startIsArrival
  /// The stage of this index is the start or the arrival.
  case stageIsStartOrArrival(Int)
  /// The stage of this index is not on the course, or not after the one before.
  case stageNotOnCourse(Int)
  /// A coordinate is no number or out of range, or the lists differ in length: the point's index.
  case invalidPoint(Int)
}

/// The way from start to arrival. Where runners pass a place twice, its points are there twice, so a distance along the
/// course tells laps and legs out and back apart.
public struct Course: Sendable, Hashable {
  public enum Source: Int16, Sendable, Hashable, CaseIterable {
    /// Streets and paths, from OpenStreetMap.
    case roads = 1
    /// An uploaded track.
    case gpx = 2
    /// Straight legs.
    case straight = 3
  }

  /// A stage where it lies on the course.
  public struct Stage: Sendable, Hashable {
    public let place: Place
    /// Metres along the course from the start.
    public let distance: Double

    public init(place: Place, distance: Double) {
      self.place = place
      self.distance = distance
    }
  }

  /// The most stages (A-R16.2).
  public static let maxStages = 10
  /// The greatest length in metres (A-R16.3).
  public static let maxLength = 50_000.0
  /// The most points.
  public static let maxPoints = 50_000
  /// How long a race can be made of a route that was planned.
  public static let routeLasts: Microseconds = 24 * 3_600 * 1_000_000
  /// Places nearer to each other than this, in metres, coincide.
  public static let coincidence = 10.0

  public let source: Source
  /// Degrees on WGS 84, from start to arrival; none equals the one before.
  public let latitudes: [Double]
  /// One for each point.
  public let longitudes: [Double]
  /// Metres above mean sea level, one for each point; empty if they are not known.
  public let altitudes: [Double]
  /// Metres along the course, one for each point: the first is 0, each is greater than the one before.
  public let distances: [Double]
  public let start: Place
  public let arrival: Place
  /// In the order in which they are passed.
  public let stages: [Stage]
  /// What must be shown with the course; may be empty.
  public let attribution: String

  /// Metres along the course from start to arrival.
  public var length: Double { distances[distances.count - 1] }

  /// The sum of all ascents in metres; nil where altitudes are not known. Changes below 3 m in one direction are taken for
  /// errors of measurement.
  public var climb: Double? {
    guard let first = altitudes.first else { return nil }
    var climb = 0.0
    var level = first
    for altitude in altitudes {
      if altitude > level + 3 {
        climb += altitude - level
        level = altitude
      } else if altitude < level - 3 {
        level = altitude
      }
    }
    return climb
  }

  /// - Parameters:
  ///   - latitudes, longitudes: of its points from start to arrival; repeated points are dropped.
  ///   - altitudes: one for each point, or none.
  ///   - stages: in the order in which they are passed, by their distance.
  /// - Throws: `CourseError`.
  public init(
    source: Source, latitudes: [Double], longitudes: [Double], altitudes: [Double] = [], start: Place, arrival: Place,
    stages: [Stage] = [], attribution: String = ""
  ) throws(CourseError) {
    guard latitudes.count == longitudes.count, altitudes.isEmpty || altitudes.count == latitudes.count else {
      throw .invalidPoint(min(latitudes.count, longitudes.count))
    }
    guard latitudes.count <= Self.maxPoints else { throw .tooManyPoints(latitudes.count) }
    var kept: (latitudes: [Double], longitudes: [Double], altitudes: [Double], distances: [Double]) = ([], [], [], [])
    var last = Vector(x: 0, y: 0, z: 0)
    for index in latitudes.indices {
      guard abs(latitudes[index]) <= 90, abs(longitudes[index]) <= 180,
        altitudes.isEmpty || altitudes[index].isFinite
      else { throw .invalidPoint(index) }
      let position = Geodesy.position(latitudes[index], longitudes[index])
      if let passed = kept.distances.last {
        let step = (position - last).length
        if step < 0.01 { continue }
        kept.distances.append(passed + step)
      } else {
        kept.distances.append(0)
      }
      last = position
      kept.latitudes.append(latitudes[index])
      kept.longitudes.append(longitudes[index])
      if !altitudes.isEmpty { kept.altitudes.append(altitudes[index]) }
    }
    guard let length = kept.distances.last, length > 1 else { throw .noLength }
    guard length <= Self.maxLength else { throw .tooLong(length) }
    guard stages.count <= Self.maxStages else { throw .tooManyStages(stages.count) }
    try Self.check(start: start, stages: stages.map(\.place), arrival: arrival, isTrack: source == .gpx)
    var passed = 0.0
    for (index, stage) in stages.enumerated() {
      guard stage.distance > passed, stage.distance < length else { throw .stageNotOnCourse(index) }
      passed = stage.distance
    }
    self.source = source
    (self.latitudes, self.longitudes, self.altitudes, distances) = kept
    self.start = start
    self.arrival = arrival
    self.stages = stages
    self.attribution = attribution
  }

  /// Checks the places of a course before one is sought (A-R16.2).
  /// - Parameter isTrack: an uploaded track says where a loop leads, where otherwise stages do.
  /// - Throws: `CourseError`.
  public static func check(
    start: Place, stages: [Place], arrival: Place, isTrack: Bool = false
  ) throws(CourseError) {
    guard stages.count <= maxStages else { throw .tooManyStages(stages.count) }
    if !isTrack, stages.isEmpty, Geodesy.distance(start, arrival) < coincidence { throw .startIsArrival }
    for (index, stage) in stages.enumerated()
    where Geodesy.distance(stage, start) < coincidence || Geodesy.distance(stage, arrival) < coincidence {
      throw .stageIsStartOrArrival(index)
    }
  }

  /// The point at a distance along the course, which is clamped to the course.
  public func point(at distance: Double) -> (latitude: Double, longitude: Double) {
    var low = 0
    var high = distances.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if distances[middle] <= distance { low = middle } else { high = middle }
    }
    let share = min(1, max(0, (distance - distances[low]) / (distances[high] - distances[low])))
    return Geodesy.point(
      between: (latitudes[low], longitudes[low]), and: (latitudes[high], longitudes[high]), at: share)
  }

  /// The stage, start or arrival that is nearest along the course.
  public func nearestPlace(to distance: Double) -> (place: Place, distance: Double) {
    let candidates = [(start, 0.0)] + stages.map { ($0.place, $0.distance) } + [(arrival, length)]
    let nearest = candidates.min { abs($0.1 - distance) < abs($1.1 - distance) }
    return nearest ?? (start, 0)
  }
}
