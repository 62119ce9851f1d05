@testable import Domain
@testable import SosRules

/// One person, a clock, and what has been decided.
struct MonitorRig {
  static let start: Microseconds = 1_700_000_000_000_000
  static let second: Microseconds = 1_000_000
  static let minute: Microseconds = 60_000_000

  var monitor: PersonMonitor
  /// The server's time.
  var now = Self.start
  var decisions: [Decision] = []
  var streamEnd: StreamEnd?

  init(_ change: (inout MonitoredPerson) -> Void = { _ in }) {
    let person = Self.person(change)
    monitor = PersonMonitor(person, rules: Self.rules(person))
  }

  static func person(_ change: (inout MonitoredPerson) -> Void = { _ in }) -> MonitoredPerson {
    var person = MonitoredPerson(
      person: 7, settings: SosSettings(), dateOfBirth: CalendarDate(year: 1960, month: 1, day: 2), sex: .female)
    person.settings.isEnabled = true
    change(&person)
    return person
  }

  static func rules(_ person: MonitoredPerson) -> RuleSet {
    RuleSet(RuleSet.Key(person, on: CalendarDate(utc: start)))
  }

  /// A reading of a time relative to the start, received now unless said otherwise.
  mutating func take(
    _ value: Double, at seconds: Double, metric: MetricID = VitalSign.heartRate, source: SourceID = 1
  ) {
    monitor.take(
      Vital(metric: metric, source: source, time: Self.time(seconds), value: value), receivedAt: now, now: now,
      into: &decisions)
  }

  /// A reading that is received when it is taken.
  mutating func live(
    _ value: Double, at seconds: Double, metric: MetricID = VitalSign.heartRate, source: SourceID = 1
  ) {
    pass(to: seconds)
    take(value, at: seconds, metric: metric, source: source)
  }

  /// Lets the server's time pass, with the checks that are due.
  mutating func pass(to seconds: Double) {
    let end = Self.time(seconds)
    while true {
      let due = max(monitor.due, now)
      guard due <= end else { break }
      now = due
      monitor.check(at: now, into: &decisions)
      if monitor.due <= now { now += 1 }
    }
    now = max(now, end)
    monitor.checkSilence(at: now, end: { [streamEnd] _ in streamEnd }, into: &decisions)
  }

  static func time(_ seconds: Double) -> Microseconds { start + Microseconds((seconds * 1e6).rounded()) }

  var crossings: [Crossing] {
    decisions.compactMap { decision in
      if case .crossed(let crossing, _, _) = decision { crossing } else { nil }
    }
  }
  /// The emergencies, in the order in which they were opened.
  var emergencies: [EmergencyID] {
    decisions.compactMap { decision in
      if case .crossed(_, let id, true) = decision { id } else { nil }
    }
  }
  var late: Int { decisions.count { if case .late = $0 { true } else { false } } }
  var silences: [SilenceCause] {
    decisions.compactMap { decision in
      if case .silent(_, _, let cause) = decision { cause } else { nil }
    }
  }
}
