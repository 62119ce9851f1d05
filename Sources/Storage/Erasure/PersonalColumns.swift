/// What becomes of every column that can hold words, bytes or places of somebody who is erased. A column that is missing
/// here, and one that is not there, fails a test: whoever adds one says who erases it.
enum PersonalColumns {
  enum Fate: Sendable, Hashable {
    /// Nothing of an erased account is left in it, by a step of the erasure; other accounts' rows stay.
    case erased
    /// It stays, for a reason.
    case kept(String)
    /// It never tells who somebody is: one of a few words, a random number or its hash, or of the system's own.
    case impersonal
  }

  /// By "table.column".
  static let fates: [String: Fate] = accounts.merging(sharing) { $1 }.merging(readings) { $1 }.merging(emergencies) {
    $1
  }
  .merging(races) { $1 }.merging(system) { $1 }

  private static let recipient: Fate = .kept("persons have a right to know who has received their readings")
  private static let race: Fate = .kept("of a race that others run, ran or watched; drafts and routes are deleted")

  private static let accounts: [String: Fate] = [
    "access_token.kind": .impersonal,
    "access_token.label": .erased,
    "access_token.token_sha256": .erased,
    "account.claimed_email": .erased,
    "account.description": .erased,
    "account.display_name": recipient,
    "account.email": .erased,
    "account.form_values": .erased,
    "account.kind": .impersonal,
    "account.password_hash": .erased,
    "account.request_id": .erased,
    "account.state": .impersonal,
    "account.username": .erased,
    "bridge.request_id": .erased,
    "device.name": .erased,
    "device.request_id": .erased,
    "erasure.receipt_sha256": .impersonal,
    "erasure.recipients": recipient,
    "log_in_attempt.key": .erased,
    "openid_link.issuer": .erased,
    "openid_link.subject": .erased,
    "openid_used_nonce.nonce_sha256": .impersonal,
    "person.family_name": .erased,
    "person.fiscal_code": .erased,
    "person.given_names": .erased,
    "person.sex": .erased,
  ]

  private static let sharing: [String: Fate] = [
    "access_request.purpose": .erased,
    "access_request.request_id": .erased,
    "email_queue.address": .erased,
    "email_queue.facts": .erased,
    "email_queue.state": .impersonal,
    "notification.facts": .erased,
    "subscription.request_id": .erased,
    "subscription.time_zone": .impersonal,
  ]

  private static let readings: [String: Fate] = [
    "ingest_client.name": .erased,
    "reading_chunk.payload": .erased,
    "reading_log.payload": .erased,
    "reading_source.name": .kept("where more than a hundred had it at once; others go with the last who had them"),
    "replaced_reading.payload": .erased,
  ]

  private static let emergencies: [String: Fate] = [
    "contact_question.address_sha256": .kept("for a day: whoever leaves and comes back has nobody asked more often"),
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
  ]

  private static let races: [String: Fate] = [
    "course.altitudes": race,
    "course.arrival_at": race,
    "course.arrival_name": race,
    "course.attribution": .impersonal,
    "course.latitudes": race,
    "course.longitudes": race,
    "course.stage_distances": race,
    "course.stage_latitudes": race,
    "course.stage_longitudes": race,
    "course.stage_names": race,
    "course.start_at": race,
    "course.start_name": race,
    "race.description": race,
    "race.fee_currency": .impersonal,
    "race.invitation_sha256": .impersonal,
    "race.name": race,
    "race.place_name": race,
    "race.request_id": .erased,
    "race_change.facts": race,
    // Of what was decided about the person; the person's own decisions about others are part of their results.
    "race_change.reason": .erased,
    "race_disabling.reason": .kept("what administrators decided about a race, and why, is on record"),
    "race_enrolment.runner_name": .erased,
    "race_notice.audience": .impersonal,
    "race_notice.facts": race,
    "race_payment.currency": .impersonal,
    "race_payment.payment_url": .erased,
    "race_payment.provider_payment": .erased,
  ]

  private static let system: [String: Fate] = [
    "cursor_key.key": .impersonal,
    "maintenance.message": .kept("it was told to everybody"),
    "maintenance.request_id": .erased,
    "metric.display_name": .impersonal,
    "metric.kind": .impersonal,
    "metric.loinc_code": .impersonal,
    "metric.name": .impersonal,
    "metric.unit": .impersonal,
    "registration_form.kind": .impersonal,
    "registration_form_field.choices": .impersonal,
    "registration_form_field.kind": .impersonal,
    "registration_form_field.label": .impersonal,
    "registration_form_field.name": .impersonal,
    "registration_form_field.type": .impersonal,
    "roads.import.attribution": .impersonal,
    "roads.import.file_name": .impersonal,
    "roads.way.kind": .impersonal,
    "roads.way.line": .impersonal,
    "schema_migration.checksum": .impersonal,
    "schema_migration.name": .impersonal,
    "third_party_code.code_sha256": .impersonal,
    "third_party_code.company": recipient,
    "third_party_code.request_id": .erased,
  ]

  /// The tables of which an erasure takes rows or words, in their order: their space is to be used again. Beside those with
  /// words, the ones that hold a person's number and nothing to read.
  static let erasedTables: [String] = Set(
    fates.filter { $0.value == .erased }.map { String($0.key.prefix { $0 != "." }) }
      + [
        "bridge_permission", "course", "race_emergency", "race_invitation", "race_invitation_told", "race_observer",
        "race_organizer", "reading_source", "reading_source_use", "session", "sos_threshold",
      ]
  ).sorted()
}
