internal import ExpenditureRules
internal import Postgres

/// Which release counts for each form and year, seen from a published release.
struct EditionSets: Sendable {
  let releases: [Int32]
  let forms: [Int32]
  let years: [Int32]

  /// - Throws: `PostgresError`.
  init(_ release: Int, _ connection: Connection) throws {
    let rows = try connection.query(
      """
      SELECT max(s.release), s.form, s.year
      FROM expenditure_set s JOIN expenditure_release r ON r.number = s.release AND r.published_at IS NOT NULL
      WHERE s.release <= $1 GROUP BY s.form, s.year
      """, [.int4(Int32(release))])
    let places = 0..<rows.rowCount
    releases = try places.map { try rows.int32($0, 0) }
    forms = try places.map { try rows.int32($0, 1) }
    years = try places.map { try rows.int32($0, 2) }
  }

  /// A row of `s (release, form, year)` for each set: the parameters $1 to $3.
  static let table = "unnest($1::integer[], $2::integer[], $3::integer[]) AS s (release, form, year)"

  /// - Parameter forms: that are wanted.
  func parameters(_ forms: Set<FileForm>) -> [Parameter] {
    let wanted = Set(forms.map { Int32($0.rawValue) })
    let places = self.forms.indices.filter { wanted.contains(self.forms[$0]) }
    return [
      .int4Array(places.map { releases[$0] }), .int4Array(places.map { self.forms[$0] }),
      .int4Array(places.map { years[$0] }),
    ]
  }

  func years(of forms: Set<FileForm>) -> Set<Int> {
    let wanted = Set(forms.map { Int32($0.rawValue) })
    return Set(self.forms.indices.filter { wanted.contains(self.forms[$0]) }.map { Int(years[$0]) })
  }
}
