public import Domain

/// A position reading as the leaderboard takes it.
public struct Fix: Sendable, Hashable {
  public let time: Microseconds
  /// Degrees on WGS 84.
  public let latitude: Double
  public let longitude: Double
  /// Metres, radius of the 68 % circle; NaN if it is not known.
  public let accuracy: Double
  public let source: SourceID

  public init(
    time: Microseconds, latitude: Double, longitude: Double, accuracy: Double = .nan, source: SourceID = 0
  ) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.source = source
  }
}

/// Somebody who is enrolled in a race.
public struct RaceRunner: Sendable, Hashable {
  public let person: PersonID
  public let number: BibNumber
  /// For people.
  public let name: String

  public init(person: PersonID, number: BibNumber, name: String) {
    self.person = person
    self.number = number
    self.name = name
  }
}

/// What a runner does; the numbers are those of the protocol.
public enum RunnerStatus: Int32, Sendable, Hashable, CaseIterable {
  /// The race has not started.
  case enrolled = 1
  /// The race has started, and the runner was not marked present.
  case absent
  /// Present, and no device has reported a position on the course.
  case notSeen
  case running
  /// The device reports, and the runner has not moved for a minute.
  case standing
  /// No position for 30 seconds: nobody knows where the runner is.
  case noSignal
  /// The device reports from outside of the course.
  case offCourse
  /// Has passed the arrival.
  case finished
  /// Has given up.
  case retired
  case disqualified
  /// The race is over, and the runner has not passed the arrival.
  case didNotFinish
}

/// The passing of a point of the course.
public struct Split: Sendable, Hashable {
  /// 0 is the start, then the stages, then the arrival.
  public let point: Int
  /// Since the start of the race.
  public let time: Microseconds

  public init(point: Int, time: Microseconds) {
    self.point = point
    self.time = time
  }
}

/// A runner's line of the leaderboard. It stays equal while nothing is heard of the runner and nobody passes.
public struct BoardRow: Sendable, Hashable {
  public var person: PersonID
  public var number: BibNumber
  public var name: String
  /// From 1; 0 if not ranked: absent, not seen, disqualified, or the race has not started.
  public var rank = 0
  /// The best and the worst rank that the runner may have, as exact as positions are; 0 if not ranked.
  public var firstRank = 0
  public var lastRank = 0
  public var status: RunnerStatus
  /// Metres along the course that the runner has reached.
  public var distance = 0.0
  /// The standard deviation of `distance` in metres, as of the last position; 0 where it is exact.
  public var uncertainty = 0.0
  /// Whether the runner's marker is on the map.
  public var hasMarker = false
  /// Metres along the course where the marker is.
  public var marker = 0.0
  /// Whether the name is shown grey.
  public var isGrey = false
  /// When the last position was taken.
  public var fixTime: Microseconds?
  /// Passed, in order.
  public var splits: [Split] = []
  /// From the start of the race to the arrival.
  public var finishTime: Microseconds?
  /// Whether an organiser corrected the finish.
  public var isCorrected = false

  public init(person: PersonID, number: BibNumber, name: String, status: RunnerStatus) {
    self.person = person
    self.number = number
    self.name = name
    self.status = status
  }
}
