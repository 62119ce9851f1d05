public import Domain

/// A race as it stands: the fold of the log up to a position. It knows the runners' positions, what was decided about
/// them, and what follows: marks on the map, ranks, times.
///
/// The same entries in the same order give the same board. Entries of one commit may come in several rows, as long as
/// each runner's positions stay in the order of time.
public struct RaceBoard: Sendable {
  /// The metric `position`.
  private static let metric: MetricID = 11

  public let race: RaceID
  /// With the end that organisers gave the race, as far as it has been applied.
  public private(set) var schedule: RaceSchedule
  /// All that has been folded in.
  public private(set) var position: LogPosition = 0
  /// By number.
  private(set) var states: [RunnerState]
  /// The place in `states`; only looked up.
  private let places: [PersonID: Int]
  let map: CourseMap
  /// Metres along the course of start, stages and arrival.
  let points: [Double]
  private var scratch = Hypotheses.Scratch()
  private var order: [Int32] = []

  /// - Parameter runners: all who are enrolled when enrolment ends.
  public init(race: RaceID, schedule: RaceSchedule, course: Course, runners: [RaceRunner]) {
    self.race = race
    self.schedule = schedule
    map = CourseMap(course)
    let points = [0] + course.stages.map(\.distance) + [course.length]
    self.points = points
    let sorted = runners.sorted { ($0.number, $0.person) < ($1.number, $1.person) }
    states = sorted.map { RunnerState(runner: $0, starts: schedule.starts, pointCount: points.count) }
    places = Dictionary(sorted.enumerated().map { ($1.person, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Takes the positions of one commit; those of others than the runners, and those before the start or after the end, do
  /// not count.
  public mutating func take(_ fixes: borrowing PositionColumns, at position: LogPosition) {
    advance(to: position)
    order.removeAll(keepingCapacity: true)
    for index in fixes.time.indices
    where fixes.time[index] >= schedule.starts && fixes.time[index] < schedule.ends
      && fixes.metric[index] == Self.metric
    {
      order.append(Int32(index))
    }
    let (persons, times, sources) = (fixes.person, fixes.time, fixes.source)
    order.sort {
      let (a, b) = (Int($0), Int($1))
      return (persons[a], times[a], sources[a], a) < (persons[b], times[b], sources[b], b)
    }
    for entry in order {
      let index = Int(entry)
      guard let place = places[persons[index]] else { continue }
      let fix = Fix(
        time: times[index], latitude: fixes.latitude[index], longitude: fixes.longitude[index],
        accuracy: fixes.accuracy.isEmpty ? .nan : fixes.accuracy[index], source: sources[index])
      states[place].take(fix, on: map, points: points, &scratch)
    }
  }

  /// Applies what was decided; changes of other races only move the position.
  public mutating func apply(_ change: RaceChange, at position: LogPosition) {
    advance(to: position)
    guard change.race == race else { return }
    switch change.kind {
    case .raceFinished: schedule.finished = change.time
    case .raceCancelled: schedule.cancelled = change.time
    default:
      for person in change.persons {
        guard let place = places[person] else { continue }
        let state = schedule.state(at: change.time)
        states[place].apply(change, in: state, points: points)
      }
    }
  }

  /// The log has come to a position, and nothing up to it concerned the race.
  public mutating func advance(to position: LogPosition) { self.position = max(self.position, position) }

  /// Whose exertion is the race's: present, not at the arrival, neither retired nor disqualified, and moved on within the
  /// last 15 minutes; none unless the race runs. By number.
  public func exerting(at time: Microseconds) -> [PersonID] {
    guard schedule.state(at: time) == .running else { return [] }
    return states.filter { $0.isExerting(at: time, since: schedule.starts, points: points) }.map(\.runner.person)
  }
}
