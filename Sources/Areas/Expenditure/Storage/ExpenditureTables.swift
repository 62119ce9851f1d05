package import Log
internal import Postgres

extension AreaTables {
  /// What the health service spends: published figures, in which nobody's data are.
  package static let expenditure = AreaTables(
    migrations: [Migration(number: 58, name: "expenditure", sql: ExpenditureSQL.schema)],
    personal: [
      "expenditure_body.name": .impersonal,
      "expenditure_description.description": .impersonal,
      "expenditure_file.licence": .impersonal,
      "expenditure_file.name": .impersonal,
      "expenditure_file.sha256": .impersonal,
      "expenditure_file.source": .impersonal,
      "expenditure_file.uri": .impersonal,
      "expenditure_price.percent": .impersonal,
      "expenditure_release.checks": .impersonal,
      "expenditure_release.note": .impersonal,
      "expenditure_release.override_reason": .impersonal,
      "expenditure_text.english": .impersonal,
      "expenditure_text.italian": .impersonal,
      "expenditure_text.subject": .impersonal,
      "expenditure_voice.code": .impersonal,
    ])
}
