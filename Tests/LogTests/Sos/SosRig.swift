import Domain
import Postgres
import SosRules
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

extension Rig {
  /// A person with an account, registered straight in the database without a choice about AutomatedSOS.
  func person(
    born: String = "1980-12-31", email: String? = nil, name: String = "Ada Rossi"
  ) throws -> PersonID {
    let connection = try connection()
    let account = try connection.query(
      "INSERT INTO account (kind, display_name, email) VALUES ('person', $1, $2) RETURNING id",
      [.text(name), email.map { .text($0) } ?? .null(TypeOID.text)]
    ).int64(0, 0)
    try connection.query(
      "INSERT INTO person VALUES ($1, 'Ada', 'Rossi', lpad($1::text, 16, 'A'), $2::date, 'female', 60, 170)",
      [.int8(account), .text(born)])
    let age = try #require(CalendarDate(iso8601: born)).age(on: try #require(CalendarDate(utc: wallClock())))
    try connection.query(
      "UPDATE sos_settings SET enabled = $2, changed_in = pg_current_xact_id() WHERE person = $1",
      [.int8(account), .bool(SosSettings.isOnFromRegistration(choice: nil, age: age))])
    return account
  }

  /// All contacts of a person agree to be told.
  func confirmContacts(of person: PersonID) throws {
    let connection = try connection()
    try connection.query("UPDATE sos_contact_address SET state = 3 WHERE person = $1", [.int8(person)])
  }

  /// Kind, address and facts of everything that was told, inbox first.
  func told(_ person: PersonID) throws -> (inbox: [Int32], mails: [String]) {
    let connection = try connection()
    let inbox = try connection.query(
      "SELECT kind::integer FROM notification WHERE account = $1 ORDER BY id", [.int8(person)])
    let mails = try connection.query(
      "SELECT kind || ' ' || address FROM email_queue WHERE account = $1 ORDER BY id", [.int8(person)])
    return (
      try (0..<inbox.rowCount).map { try inbox.int32($0, 0) }, try (0..<mails.rowCount).map { try mails.string($0, 0) }
    )
  }
}

extension Emergency {
  /// An emergency of a pulse that was too high, after its first transitions.
  static func sample(
    _ person: PersonID, at detected: Microseconds = GrantFixture.now, states: [EmergencyState] = [.detected],
    metric: UInt16 = 1, contacts: [EmergencyContact] = [], status: DispatchStatus = .exercise
  ) -> Emergency {
    let vital = Vital(metric: 1, source: 2, time: detected - 3_000_000, value: 190.5)
    var emergency = Emergency(
      id: EmergencyID(person: person, metric: metric, began: detected - 3_000_000), person: person, status: status,
      detected: detected,
      crossings: [
        Crossing(
          kind: .high, metric: 1, limit: 131, value: 190.5, began: detected - 3_000_000, completed: detected,
          hold: 3_000_000, ruleVersion: "news2-2017.1", readings: [vital])
      ], vitals: [vital],
      position: LastPosition(latitude: 45.4642, longitude: 9.19, accuracy: nil, time: detected - 1), age: 71,
      sex: .female, callbackNumber: PhoneNumber("+393331234567"), contacts: contacts, number: "112", country: "IT",
      transitions: states.enumerated().map { place, state in
        EmergencyTransition(
          state: state, at: detected + Int64(place) * 1_000, actor: "evaluator", note: "“à\n\"", call: .ringing)
      }, delivered: ["sms"])
    emergency.placed["voice"] = PlacedCall(attempt: 2, sid: "CA17", status: .ringing)
    return emergency
  }
}
