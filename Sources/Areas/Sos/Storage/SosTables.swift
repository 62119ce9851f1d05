public import Log
internal import Postgres

extension AreaTables {
  /// AutomatedSOS: dispatchers, settings, contacts, emergencies.
  public static let sos = AreaTables(
    migrations: [
      Migration(number: 13, name: "dispatcher", sql: DispatcherSQL.schema),
      Migration(number: 14, name: "sos", sql: SosSQL.schema),
      Migration(number: 30, name: "contact", sql: ContactSQL.schema),
      Migration(number: 38, name: "contact_limit", sql: ContactLimitSQL.schema),
      Migration(number: 43, name: "sos_choice", sql: SosChoiceSQL.schema),
      Migration(number: 57, name: "desk", sql: DeskSQL.schema),
    ],
    personal: [
      "contact_question.address_sha256": .kept("for a day: whoever leaves and comes back has nobody asked more often"),
      "desk_operator.request_id": .erased,
      "dispatch_status.reason": .kept("why calls were meant or not is part of the record of all emergencies"),
      "dispatcher.request_id": .erased,
      "emergency.facts": .erased,
      "sos_contact.email": .erased,
      "sos_contact.name": .erased,
      "sos_contact.phone_number": .erased,
      "sos_contact_address.address": .erased,
      "sos_contact_address.code_sha256": .erased,
      "sos_exertion.request_id": .erased,
      "sos_settings.callback_number": .erased,
    ],
    numbered: ["desk_answer", "sos_threshold"],
    // Servers stop checking the person's readings, and begin again where the account is enabled.
    disabling: [lookAgain], leaving: [lookAgain],
    erasure: sosErasure)

  private static let lookAgain = "UPDATE sos_settings SET changed_in = pg_current_xact_id() WHERE person = $1"

  private static let sosErasure = [
    "UPDATE dispatcher SET request_id = NULL WHERE created_by = $1",
    "UPDATE desk_operator SET request_id = NULL WHERE created_by = $1",
    "DELETE FROM desk_answer WHERE emergency IN (SELECT id FROM emergency WHERE person = $1)",
    "DELETE FROM emergency WHERE person = $1",
    "DELETE FROM sos_contact WHERE person = $1",
    "DELETE FROM sos_contact_address WHERE person = $1",
    "DELETE FROM sos_threshold WHERE person = $1",
    "DELETE FROM sos_exertion WHERE person = $1",
    "DELETE FROM sos_settings WHERE person = $1",
  ]
}
