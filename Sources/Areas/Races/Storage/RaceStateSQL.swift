internal import Log
internal import RacesRules

/// The state of a race, for the database: made of `RaceSchedule.states`.
enum RaceStateSQL {
  /// A function that is written anew at each start.
  static let function = """
    CREATE OR REPLACE FUNCTION race_state(r race, at timestamptz) RETURNS smallint LANGUAGE sql STABLE AS $$
      SELECT CASE \(cases) ELSE \(RaceState.finished.sql) END::smallint
    $$
    """

  private static let cases = RaceSchedule.states.map { "WHEN \(sql($0.condition)) THEN \($0.state.sql)" }
    .joined(separator: " ")

  private static func sql(_ condition: RaceSchedule.Condition) -> String {
    switch condition {
    case .isDisabled: "r.is_disabled"
    case .isNotOpened: "NOT r.is_opened"
    case .since(let date): "at >= \(sql(date))"
    case .before(let date): "at < \(sql(date))"
    }
  }

  /// A date of race `r`.
  static func sql(_ date: RaceSchedule.Date) -> String {
    switch date {
    case .enrolmentEnds: "r.enrolment_ends_at"
    case .starts: "r.starts_at"
    case .ends: "least(r.finished_at, r.starts_at + r.time_limit_us * interval '1 microsecond')"
    case .cancelled: "r.cancelled_at"
    }
  }
}
