internal import WireCodec
public import Domain
internal import Postgres
public import RacesRules
public import SosRules

/// A runner of a race as its organisers are told of an emergency.
public struct AlarmedRunner: Sendable, Hashable {
  public let race: RaceID
  public let person: PersonID
  public let number: BibNumber
}

extension RaceStore {
  /// The races in which a person was running at a time: enrolled and marked present.
  /// - Throws: `PostgresError`.
  public func running(_ person: PersonID, at time: Microseconds) async throws -> [AlarmedRunner] {
    try await pool.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT e.race, e.number FROM race_enrolment e JOIN race r ON r.id = e.race
        WHERE e.person = $1 AND e.state = \(EnrolmentState.enrolled.sql) AND e.is_present AND race_state(r, $2) = $3
        """,
        [.int8(person), .timestamptz(microsecondsSinceUnixEpoch: time), .int2(RaceState.running.rawValue)])
      return try (0..<rows.rowCount).map { row in
        AlarmedRunner(
          race: try rows.int64(row, 0), person: person, number: try rows.int32(row, 1))
      }
    }
  }

  /// Tells the organisers of a race, in their inboxes and by mail, that a runner needs help or that this is over: once
  /// for each emergency.
  ///
  /// - Parameters:
  ///   - distance: of the runner along the course in metres; nil where nobody knows.
  ///   - place: the nearest stage, start or arrival; may be empty.
  /// - Returns: whether they had not been told before.
  /// - Throws: `PostgresError`.
  public func tellOrganizers(
    of emergency: EmergencyID, runner: AlarmedRunner, isOver: Bool, distance: Double?, place: String
  ) async throws -> Bool {
    let kilometre = distance.map { distance in
      let tenths = Int((distance / 100).rounded())
      return "\(tenths / 10).\(tenths % 10)"
    }
    return try await pool.withConnection { connection in
      try connection.query(
        """
        WITH told AS (
          INSERT INTO race_emergency (race, person, emergency, is_over) VALUES ($1, $5, $2::text::uuid, $3)
          ON CONFLICT DO NOTHING RETURNING race
        )
        SELECT tell_race(race, CASE WHEN $3 THEN \(Trackme_Notifications_V1_NotificationKind.raceRunnerEmergencyOver.sql) ELSE \(Trackme_Notifications_V1_NotificationKind.raceRunnerEmergency.sql) END::smallint, '{organizers}',
          jsonb_strip_nulls(jsonb_build_object('number', $4::text, 'km', nullif($6::text, ''),
            'place', nullif($7::text, ''))))
        FROM told
        """,
        [
          .int8(runner.race), .text("\(emergency)"), .bool(isOver), .text("\(runner.number)"), .int8(runner.person),
          .text(kilometre ?? ""), .text(place),
        ]
      ).rowCount > 0
    }
  }
}
