internal import Domain
internal import Log
internal import RacesRules
internal import WireCodec

/// A race as it stands in the database: what a board is made of before the log.
struct RaceEdition: Sendable {
  let record: RaceRecord
  let course: Course
  /// The enrolled; none before the deadline.
  let runners: [RaceRunner]
  /// Whether enrolment was closed when it was read.
  let isClosed: Bool

  /// Reads a race; nil if there is none, or it is disabled.
  /// - Throws: `PostgresError`.
  static func load(_ id: RaceID, from storage: StorageSystem, at now: Microseconds) async throws -> RaceEdition? {
    guard let record = try await storage.races.race(id) else { return nil }
    return try await load(record, from: storage, at: now)
  }

  /// Reads the rest of a race; nil if it is disabled, or its course is gone.
  /// - Throws: `PostgresError`.
  static func load(
    _ record: RaceRecord, from storage: StorageSystem, at now: Microseconds
  ) async throws -> RaceEdition? {
    guard !record.schedule.isDisabled, let course = try await storage.courses.course(record.courseID) else {
      return nil
    }
    let isClosed = record.schedule.isOpened && now >= record.schedule.enrolmentEnds
    let enrolled = isClosed ? try await storage.races.runners(of: record.id) : []
    let runners = enrolled.map { RaceRunner(person: $0.person, number: $0.number, name: $0.name) }
    return RaceEdition(record: record, course: course, runners: runners, isClosed: isClosed)
  }

  /// Whether a board made of one is as good as of the other.
  func hasSameBoard(as other: RaceEdition) -> Bool {
    record.schedule.starts == other.record.schedule.starts
      && record.schedule.enrolmentEnds == other.record.schedule.enrolmentEnds
      && record.schedule.timeLimit == other.record.schedule.timeLimit
      && record.schedule.isOpened == other.record.schedule.isOpened && record.courseID == other.record.courseID
      && isClosed == other.isClosed && runners == other.runners
      // Before the deadline a cancellation is no entry of the log.
      && (isClosed || record.schedule.cancelled == other.record.schedule.cancelled)
  }

  /// The readings that count. Nil: none do.
  /// - Parameter schedule: of the board.
  func filter(_ schedule: RaceSchedule, until time: Microseconds = .max) -> ReadingFilter {
    let end = min(schedule.starts + schedule.timeLimit, time)
    return ReadingFilter(
      persons: Set(runners.map(\.person)), metrics: [Self.position],
      time: schedule.starts..<max(schedule.starts + 1, end), entries: [.race(record.id)])
  }

  /// A board at the beginning of the log.
  /// - Parameter schedule: as it was then.
  func board(_ schedule: RaceSchedule) -> RaceBoard {
    RaceBoard(race: record.id, schedule: schedule, course: course, runners: runners)
  }

  /// The dates as they were before what the log says: an end and a cancellation after the deadline are entries.
  var plannedSchedule: RaceSchedule {
    var schedule = record.schedule
    schedule.finished = nil
    if let cancelled = schedule.cancelled, cancelled >= schedule.enrolmentEnds { schedule.cancelled = nil }
    return schedule
  }

  /// The metric whose readings are positions.
  private static let position: MetricID = 11
}
