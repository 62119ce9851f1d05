@testable import Domain
@testable import RacesRules

/// A race on a straight street of 3 km with stages at 750, 1,500 and 2,250 m, and its log.
struct BoardRig {
  static let gun = SimulatedRunner.gun
  static let hour: Microseconds = 3_600_000_000
  static let organizer: AccountID = 99

  let course: Course
  var board: RaceBoard
  var position: LogPosition = 0

  /// - Parameter runners: persons 1, 2, 3 … with the numbers 11, 12, 13 …
  init(
    _ runners: Int = 3, course: Course = SimulatedCourse.straight.course, present: [PersonID]? = nil,
    timeLimit: Microseconds = hour
  ) {
    self.course = course
    let schedule = RaceSchedule(
      starts: Self.gun, enrolmentEnds: Self.gun - Self.hour, timeLimit: timeLimit, isOpened: true)
    board = RaceBoard(
      race: 5, schedule: schedule, course: course,
      runners: (1...PersonID(runners)).reversed().map {
        RaceRunner(person: $0, number: BibNumber($0) + 10, name: "Runner \($0)")
      })
    decide(.present, present ?? Array(1...PersonID(runners)), at: -600)
  }

  static func time(_ seconds: Double) -> Microseconds { gun + Microseconds((seconds * 1e6).rounded()) }

  /// - Parameter seconds: since the gun.
  mutating func decide(
    _ kind: RaceChange.Kind, _ persons: [PersonID] = [], at seconds: Double, finishTime: Double = 0, race: RaceID = 5
  ) {
    position += 1
    let change = RaceChange(
      race: race, kind: kind, persons: persons, author: Self.organizer, time: Self.time(seconds),
      finishTime: Microseconds(finishTime * 1e6))
    board.apply(change, at: position)
  }

  func columns(_ fixes: [(person: PersonID, fix: Fix)]) -> PositionColumns {
    var columns = PositionColumns()
    for (person, fix) in fixes {
      columns.person.append(person)
      columns.metric.append(11)
      columns.source.append(fix.source)
      columns.time.append(fix.time)
      columns.latitude.append(fix.latitude)
      columns.longitude.append(fix.longitude)
      columns.accuracy.append(fix.accuracy)
    }
    return columns
  }

  func fix(at seconds: Double, _ distance: Double) -> Fix {
    let place = SimulatedRunner.place(course, distance)
    return Fix(
      time: Self.time(seconds), latitude: place.latitude, longitude: place.longitude, accuracy: 5, source: 1)
  }

  mutating func take(_ fixes: [(person: PersonID, fix: Fix)]) {
    position += 1
    board.take(columns(fixes), at: position)
  }

  /// Somebody runs at an even speed from one time to another, one position a second.
  mutating func run(_ person: PersonID, _ seconds: ClosedRange<Int>, from distance: Double = 0, speed: Double = 3) {
    for second in seconds {
      take([(person, fix(at: Double(second), distance + Double(second - seconds.lowerBound) * speed))])
    }
  }

  func standing(at seconds: Double) -> [BoardRow] { board.standing(at: Self.time(seconds)) }

  func row(_ person: PersonID, at seconds: Double) -> BoardRow {
    standing(at: seconds).first { $0.person == person }!
  }
}
