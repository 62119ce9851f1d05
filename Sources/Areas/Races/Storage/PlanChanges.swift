public import Domain
internal import Log
internal import Postgres
internal import RacesRules

// Dates and course of a race whose enrolment is open.

extension RaceDecisions {
  /// What came of a wish to change dates or course.
  public enum PlanChange: Sendable, Equatable {
    /// It holds from this position on.
    case changed(LogPosition)
    /// There is no route of this number that the person planned a day ago or later.
    case noRoute
    /// The race has another version, or its enrolment is not open any more.
    case tooLate
  }

  /// Replaces the plan of a race of a certain version whose enrolment is open, and tells runners, those who wait, invited
  /// persons, observers and organisers the old and the new dates and course. Places, numbers and payments stay; who has a
  /// place by then gets the fee back on leaving before the start. Entry and fee stay as well, whatever the plan says, and
  /// the capacity can only grow.
  ///
  /// - Parameters:
  ///   - race: as it is known.
  ///   - plan: its deadline must be after `now` and before its start.
  ///   - now: when it is decided, by which enrolment must be open and a new route not too old.
  /// - Throws: `PostgresError`; `CancellationError`, after which it may have been decided.
  public func change(
    _ race: RaceRecord, to plan: RacePlan, by person: PersonID, at now: Microseconds
  ) async throws -> PlanChange {
    if plan.courseID != race.courseID {
      let isRoute = try await pool.withConnection { connection in
        try connection.inTransaction { try RaceStore.isRoute($0, plan.courseID, of: person, at: now) }
      }
      guard isRoute else { return .noRoute }
    }
    let facts = try await facts(of: race, plan).sorted { $0.key < $1.key }
    let change = RaceChange(race: race.id, kind: .planChanged, author: person, time: now)
    let position = try await writer.append(
      EntryRequest(
        LogEntry(change),
        sql: """
          SELECT change_race_plan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::uuid, $11, $12, $13, $14,
            jsonb_object($15::text[], $16::text[]), $17, $18 * interval '1 microsecond', $19,
            $20 * interval '1 microsecond')
          """,
        [
          .int8(race.id), .int8(race.version), .int8(person), .timestamptz(microsecondsSinceUnixEpoch: now),
          .text(plan.name), .text(plan.description), .text(plan.placeName), .text(plan.courseID),
          .timestamptz(microsecondsSinceUnixEpoch: plan.schedule.starts),
          .timestamptz(microsecondsSinceUnixEpoch: plan.schedule.enrolmentEnds), .int8(plan.schedule.timeLimit),
          .int4(plan.capacity), .textArray(facts.map(\.key)), .textArray(facts.map(\.value)),
          .int2Array(PlaceRules.enrolling.map(\.rawValue)), .int8(PlaceRules.hold),
          .int4(Int32(RaceNotices.changesPerDayMax)), .int8(RaceNotices.period),
        ]))
    return position.map { .changed($0) } ?? .tooLate
  }

  /// Both values of what becomes another one, for the words.
  private func facts(of race: RaceRecord, _ plan: RacePlan) async throws -> [String: String] {
    let (old, new) = (race.schedule, plan.schedule)
    var facts: [String: String] = [:]
    for (name, old, new) in [
      ("start", old.starts, new.starts), ("deadline", old.enrolmentEnds, new.enrolmentEnds),
      ("limit", old.timeLimit, new.timeLimit),
    ] where old != new {
      (facts["old_\(name)"], facts["new_\(name)"]) = ("\(old)", "\(new)")
    }
    guard plan.courseID != race.courseID else { return facts }
    let outlines = try await RaceStore(pool: pool, writer: writer).outlines(of: [race.courseID, plan.courseID])
    for (age, id) in [("old", race.courseID), ("new", plan.courseID)] {
      guard let outline = outlines[id] else { continue }
      facts["\(age)_length_m"] = "\(Int64(outline.length.rounded()))"
      facts["\(age)_from"] = outline.start.name
      facts["\(age)_to"] = outline.arrival.name
      facts["\(age)_stages"] = "\(outline.stages.count)"
    }
    return facts
  }
}
