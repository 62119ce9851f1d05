public import IdentityRules
public import Postgres

/// Who a third party is, for the persons whom it asks.
public struct ThirdPartyProfile: Sendable, Hashable {
  /// As the code says that it registered with.
  public let holder: CodeHolder
  /// In its own words.
  public let description: String

  /// The columns that `init(_:_:from:)` expects, of its account `a`.
  public static let columns = "a.display_name, a.description, coalesce(holder.kind, 0), coalesce(holder.checked, '')"
  /// What those columns need beside `a`.
  public static let join = "LEFT JOIN third_party_code holder ON holder.used_by = a.id"

  public init(holder: CodeHolder, description: String) {
    self.holder = holder
    self.description = description
  }

  public init(_ rows: Result, _ row: Int, from column: Int) throws(PostgresError) {
    let kind = HolderKind(rawValue: Int16(truncatingIfNeeded: try rows.int64(row, column + 2)))
    self.init(
      holder: CodeHolder(
        name: try rows.string(row, column), kind: kind ?? .unknown, checked: try rows.string(row, column + 3)),
      description: try rows.string(row, column + 1))
  }
}
