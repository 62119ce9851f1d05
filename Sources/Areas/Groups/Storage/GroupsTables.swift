package import Log
internal import Postgres

extension AreaTables {
  /// Anonymous groups: who shares what.
  package static let groups = AreaTables(
    migrations: [Migration(number: 48, name: "anonymous_sharing", sql: AnonymousSharingSQL.schema)],
    personal: [:],
    numbered: ["anonymous_metric", "anonymous_sharing", "anonymous_sharing_change"],
    erasure: [
      "DELETE FROM anonymous_metric WHERE person = $1",
      "DELETE FROM anonymous_sharing_change WHERE person = $1",
      "DELETE FROM anonymous_sharing WHERE person = $1",
    ])
}
