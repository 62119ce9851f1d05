public import Domain
internal import Postgres
public import RacesRules

/// An enrolled runner as organisers have marked it.
public struct RunnerMarks: Sendable, Hashable {
  public let person: PersonID
  public let number: BibNumber
  public let isPresent: Bool
  public let isDisqualified: Bool
}

extension RaceStore {
  /// Enrolled runners by their numbers; numbers that no runner has are left out.
  /// - Throws: `PostgresError`.
  public func marks(of race: RaceID, _ numbers: [BibNumber]) async throws -> [BibNumber: RunnerMarks] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT person, number, is_present, is_disqualified FROM race_enrolment
        WHERE race = $1 AND number = ANY ($2) AND state = \(EnrolmentState.enrolled.sql)
        """, [.int8(race), .int4Array(numbers)])
      var marks: [BibNumber: RunnerMarks] = [:]
      marks.reserveCapacity(rows.rowCount)
      for row in 0..<rows.rowCount {
        let number = try rows.int32(row, 1)
        marks[number] = RunnerMarks(
          person: try rows.int64(row, 0), number: number, isPresent: try rows.bool(row, 2),
          isDisqualified: try rows.bool(row, 3))
      }
      return marks
    }
  }

  /// What a runner's newest correction of the result says; nil if there is none.
  /// - Throws: `PostgresError`.
  public func correction(
    of person: PersonID, in race: RaceID
  ) async throws -> (kind: RaceChange.Kind, finishTime: Microseconds, reason: String)? {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT kind::integer, finish_us, reason FROM race_change
        WHERE race = $1 AND kind IN (\(RaceChange.Kind.finishTime.sql), \(RaceChange.Kind.didNotFinish.sql), \(RaceChange.Kind.asMeasured.sql)) AND $2 = ANY (persons) ORDER BY position DESC LIMIT 1
        """, [.int8(race), .int8(person)])
      guard rows.rowCount == 1,
        let kind = RaceChange.Kind(rawValue: Int16(truncatingIfNeeded: try rows.int32(0, 0)))
      else { return nil }
      return (kind, try rows.int64(0, 1), try rows.string(0, 2))
    }
  }
}
