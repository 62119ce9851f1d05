internal import Postgres

extension AreaTables {
  /// The kernel's own: readings, how they are stored, and what is known of their sources; tokens of whoever calls; and
  /// how far erasures are.
  public static let log = AreaTables(
    migrations: [
      Migration(number: 1, name: "log", sql: LogSQL.schema),
      Migration(number: 2, name: "reading_block", sql: ReadingBlockSQL.functions),
      Migration(number: 3, name: "reading_view", sql: ReadingViewSQL.view),
      Migration(number: 4, name: "access_token", sql: AccessTokenSQL.schema),
      Migration(number: 9, name: "erasure", sql: ErasureSQL.schema),
      Migration(number: 18, name: "watermark", sql: WatermarkSQL.schema),
      Migration(number: 22, name: "cursor_key", sql: CursorKeySQL.schema),
      Migration(number: 23, name: "token_change", sql: TokenChangeSQL.schema),
      Migration(number: 26, name: "source_use", sql: SourceUseSQL.schema),
      Migration(number: 34, name: "person_token", sql: PersonTokenSQL.schema),
      Migration(number: 44, name: "common_source", sql: SourceUseSQL.common),
      Migration(number: 69, name: "no_value", sql: NoValueSQL.schema),
      Migration(number: 71, name: "client_person", sql: ClientPersonSQL.schema),
    ],
    personal: [
      "access_token.kind": .impersonal,
      "access_token.label": .erased,
      "access_token.token_sha256": .erased,
      "cursor_key.key": .impersonal,
      "erasure.receipt_sha256": .impersonal,
      "erasure.recipients": .kept("persons have a right to know who has received their readings"),
      "ingest_client.name": .erased,
      "metric.display_name": .impersonal,
      "metric.kind": .impersonal,
      "metric.loinc_code": .impersonal,
      "metric.name": .impersonal,
      "metric.unit": .impersonal,
      "reading_chunk.payload": .erased,
      "reading_log.payload": .erased,
      "reading_source.name": .kept("where more than a hundred had it at once; others go with the last who had them"),
      "replaced_reading.payload": .erased,
      "schema_migration.checksum": .impersonal,
      "schema_migration.name": .impersonal,
    ],
    numbered: ["reading_source", "reading_source_use"],
    erasure: ["DELETE FROM access_token WHERE account = $1 OR person = $1"])
}
