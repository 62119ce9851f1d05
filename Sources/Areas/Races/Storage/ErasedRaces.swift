internal import Domain
internal import Log
internal import Payments
internal import Postgres
internal import RacesRules

// What becomes of a person's races when the account ends.

extension StorageSystem {
  /// Cancels the races that are not over and that nobody else organises, and gives back the person's places: entries of
  /// the log. Can be done again.
  func endRaces(of account: AccountID, at now: Microseconds) async throws {
    for race in try await ownRaces(of: account, at: now) {
      let change = RaceChange(race: race, kind: .raceCancelled, author: account, time: now)
      // Nil where it was cancelled or is over by now.
      _ = try await decisions.decide(change, as: .abandon, reason: "")
    }
    for (race, state) in try await places(of: account, at: now) {
      let (kind, action): (RaceChange.Kind, RaceAction) =
        state == .running ? (.retired, .retire) : (.withdrawn, .withdraw)
      let change = RaceChange(race: race, kind: kind, persons: [account], author: account, time: now)
      _ = try await decisions.decide(change, as: action, reason: "")
    }
  }

  /// Of race `r` at the time $2, whether its dates say that it is not over, which the state of a disabled race does not tell.
  private static let isNotOver = "r.cancelled_at IS NULL AND $2 < \(RaceStateSQL.sql(.ends))"

  /// The races that are not over and that have no other organiser with an active account.
  private func ownRaces(of account: AccountID, at now: Microseconds) async throws -> [RaceID] {
    try await pools.upkeep.withConnection { connection in
      let rows = try connection.query(
        """
        SELECT r.id FROM race_organizer o JOIN race r ON r.id = o.race
        WHERE o.account = $1 AND (race_state(r, $2) = ANY ($3) OR r.is_disabled AND \(Self.isNotOver)) AND NOT EXISTS (
          SELECT FROM race_organizer x JOIN account a ON a.id = x.account AND a.state = 'active'
          WHERE x.race = r.id AND x.account <> $1)
        ORDER BY r.id
        """,
        [
          .int8(account), .timestamptz(microsecondsSinceUnixEpoch: now),
          .int2Array(RaceState.allowing(.cancel).map(\.rawValue)),
        ])
      return try (0..<rows.rowCount).map { try rows.int64($0, 0) }
    }
  }

  /// The races that are not over in which a person is enrolled. Fees are paid back before the deadline, and what was not
  /// taken never is.
  private func places(of account: AccountID, at now: Microseconds) async throws -> [(RaceID, RaceState)] {
    try await pools.upkeep.withConnection { connection in
      try connection.inTransaction { connection in
        let parameters: [Parameter] = [.int8(account), .timestamptz(microsecondsSinceUnixEpoch: now)]
        try connection.query(
          """
          SELECT drop_payment(p.id, now()) FROM payment p JOIN race r ON r.id = p.subject
          WHERE p.payer = $1 AND p.subject_kind = \(PaymentSubject.fees.kind) AND (p.state <> \(PaymentState.captured.sql)
            OR race_state(r, $2) = ANY ($3) OR r.is_disabled AND \(Self.isNotOver) AND $2 < r.enrolment_ends_at)
          """, parameters + [.int2Array(PlaceRules.enrolling.map(\.rawValue))])
        let rows = try connection.query(
          """
          SELECT r.id, race_state(r, $2)::integer FROM race_enrolment e JOIN race r ON r.id = e.race
          WHERE e.person = $1 AND e.state = \(EnrolmentState.enrolled.sql) AND race_state(r, $2) = ANY ($3) ORDER BY r.id
          """, parameters + [.int2Array(PlaceRules.leaving.map(\.rawValue))])
        return try (0..<rows.rowCount).compactMap { row in
          guard let state = RaceState(rawValue: Int16(truncatingIfNeeded: try rows.int32(row, 1))) else { return nil }
          return (try rows.int64(row, 0), state)
        }
      }
    }
  }
}

/// Takes a person out of races.
enum ErasedRaces {
  /// Of the account $1.
  static let statements = [
    // Whoever shows the race looks at its runners again.
    """
    UPDATE race SET changed_in = pg_current_xact_id()
    WHERE id IN (SELECT race FROM race_enrolment WHERE person = $1 UNION SELECT race FROM race_organizer WHERE account = $1)
    """,
    """
    UPDATE race_change SET persons = array_remove(persons, $1::bigint), reason = ''
    WHERE race IN (SELECT race FROM race_enrolment WHERE person = $1) AND $1 = ANY (persons)
    """,
    "UPDATE race_change SET author = 0 WHERE author = $1",
    "DELETE FROM race_emergency WHERE person = $1",
    "DELETE FROM race_enrolment WHERE person = $1",
    "DELETE FROM race_observer WHERE account = $1",
    "DELETE FROM race_organizer WHERE account = $1",
    "DELETE FROM race_invitation WHERE person = $1",
    "UPDATE race_invitation SET invited_by = 0 WHERE invited_by = $1",
    "DELETE FROM race_invitation_told WHERE person = $1",
    "UPDATE race_invitation_told SET invited_by = 0 WHERE invited_by = $1",
    "UPDATE race_notice SET author = 0 WHERE author = $1",
    "UPDATE race_notice SET accounts = array_remove(accounts, $1::bigint) WHERE done_at IS NULL AND $1 = ANY (accounts)",
    // Drafts that nobody has seen and nobody can, with what was decided about them.
    "DELETE FROM race_change WHERE race IN (SELECT r.id FROM race r WHERE \(isUnseenDraft))",
    "DELETE FROM race_invitation WHERE race IN (SELECT r.id FROM race r WHERE \(isUnseenDraft))",
    "DELETE FROM race r WHERE \(isUnseenDraft)",
    "UPDATE race SET request_id = NULL WHERE created_by = $1",
    "DELETE FROM course c WHERE planned_by = $1 AND NOT EXISTS (SELECT FROM race r WHERE r.course = c.id)",
  ]

  private static let isUnseenDraft =
    "r.created_by = $1 AND NOT r.is_opened AND NOT EXISTS (SELECT FROM race_organizer o WHERE o.race = r.id)"
}
