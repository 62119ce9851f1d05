internal import ExpenditureRules
internal import Postgres

/// Reads the edition of a published release out of the tables.
enum EditionReader {
  /// - Throws: `PostgresError`; `EditionBuilder.Fault`, also where no such release is published.
  static func edition(_ release: Int, _ connection: Connection) throws -> Edition {
    let published = try connection.query(
      "SELECT published_at, override_reason FROM expenditure_release WHERE number = $1 AND published_at IS NOT NULL",
      [.int4(Int32(release))])
    guard published.rowCount == 1 else { throw EditionBuilder.Fault(text: "release \(release) is not published") }
    let sets = try EditionSets(release, connection)
    let (voices, places) = try voices(sets, connection)
    var builder = EditionBuilder(voices: voices, years: sets.years(of: [.regional, .national]))
    try readFigures(sets, places, into: &builder, connection)
    try readResidents(sets, into: &builder, connection)
    try readPrices(sets, into: &builder, connection)
    try readMobility(sets, into: &builder, connection)
    return builder.edition(
      Edition.Facts(
        release: release, publishedAt: try published.timestamptz(0, 0), overrideReason: try published.string(0, 1),
        sources: try sources(sets, connection), files: try files(sets, connection)))
  }

  /// The tree, and where each voice is in it.
  private static func voices(_ sets: EditionSets, _ connection: Connection) throws -> (VoiceTree, [Int32: Int]) {
    let rows = try connection.query(
      """
      SELECT v.id, v.code, d.year, d.form, d.description
      FROM expenditure_description d JOIN \(EditionSets.table)
          ON d.release = s.release AND d.form = s.form AND d.year = s.year
        JOIN expenditure_voice v ON v.id = d.voice
      """, sets.parameters([.regional, .national, .bodies]))
    var codes: [Int32: VoiceCode] = [:]
    var entries: [VoiceTree.Entry] = []
    for row in 0..<rows.rowCount {
      guard let code = VoiceCode(try rows.string(row, 1)), let form = FileForm(rawValue: Int(try rows.int32(row, 3)))
      else { throw EditionBuilder.Fault(text: "voice \(try rows.string(row, 1))") }
      codes[try rows.int32(row, 0)] = code
      entries.append(
        VoiceTree.Entry(code: code, year: Int(try rows.int32(row, 2)), form: form, text: try rows.string(row, 4)))
    }
    let tree = VoiceTree(entries)
    return (tree, codes.compactMapValues { tree[$0] })
  }

  private static func readFigures(
    _ sets: EditionSets, _ places: [Int32: Int], into builder: inout EditionBuilder, _ connection: Connection
  ) throws {
    try connection.streamRows(
      """
      SELECT f.account::integer, f.year::integer, f.voice, f.cents, f.file, f.row
      FROM expenditure_figure f JOIN \(EditionSets.table)
        ON f.release = s.release AND f.form = s.form AND f.year = s.year
      WHERE f.form IN (1, 2) AND f.body = -1
      """, sets.parameters([.regional, .national])
    ) { row in
      guard let voice = places[try row.int32(2)] else {
        throw EditionBuilder.Fault(text: "a voice without description")
      }
      try builder.add(
        Amount(cents: try row.int64(3), file: try row.int32(4), row: try row.int32(5)),
        account: Int(try row.int32(0)), year: Int(try row.int32(1)), voice: voice)
    }
  }

  /// Counts of any other day than the year's first are no denominator.
  private static func readResidents(
    _ sets: EditionSets, into builder: inout EditionBuilder, _ connection: Connection
  ) throws {
    let rows = try connection.query(
      """
      SELECT r.account, r.year, r.residents, r.file, r.row
      FROM expenditure_residents r JOIN \(EditionSets.table) ON r.release = s.release AND r.year = s.year
      WHERE r.counted = make_date(r.year, 1, 1)
      """, sets.parameters([.residents]))
    for row in 0..<rows.rowCount {
      try builder.add(
        ResidentCount(
          year: Int(try rows.int32(row, 1)), residents: try rows.int64(row, 2), file: try rows.int32(row, 3),
          row: try rows.int32(row, 4)), account: Int(try rows.int32(row, 0)))
    }
  }

  private static func readPrices(
    _ sets: EditionSets, into builder: inout EditionBuilder, _ connection: Connection
  ) throws {
    let rows = try connection.query(
      """
      SELECT p.year, p.percent
      FROM expenditure_price p JOIN \(EditionSets.table) ON p.release = s.release AND p.year = s.year
      """, sets.parameters([.prices]))
    for row in 0..<rows.rowCount { builder.add(percent: try rows.string(row, 1), year: Int(try rows.int32(row, 0))) }
  }

  private static func readMobility(
    _ sets: EditionSets, into builder: inout EditionBuilder, _ connection: Connection
  ) throws {
    let rows = try connection.query(
      """
      SELECT m.account, m.year, m.public_cents, m.private_cents, m.file, m.row
      FROM expenditure_mobility m JOIN \(EditionSets.table) ON m.release = s.release AND m.year = s.year
      """, sets.parameters([.mobility]))
    for row in 0..<rows.rowCount {
      guard let account = AccountNumber(Int(try rows.int32(row, 0))) else {
        throw EditionBuilder.Fault(text: "account \(try rows.int32(row, 0))")
      }
      builder.add(
        MobilityAmount(
          account: account, year: Int(try rows.int32(row, 1)), publicCents: try rows.int64(row, 2),
          privateCents: try rows.int64(row, 3), file: try rows.int32(row, 4), row: try rows.int32(row, 5)))
    }
  }

  private static func sources(_ sets: EditionSets, _ connection: Connection) throws -> [FileForm: [FigureSource]] {
    let rows = try connection.query(
      """
      SELECT f.form, f.source, f.licence, f.uri
      FROM expenditure_file f
      WHERE EXISTS (
        SELECT FROM \(EditionSets.table)
        WHERE s.release = f.release AND s.form = f.form AND s.year BETWEEN f.first_year AND f.last_year)
      ORDER BY f.id DESC
      """, sets.parameters(Set(FileForm.allCases)))
    var sources: [FileForm: [FigureSource]] = [:]
    for row in 0..<rows.rowCount {
      guard let form = FileForm(rawValue: Int(try rows.int32(row, 0))) else { continue }
      let source = FigureSource(
        name: try rows.string(row, 1), licence: try rows.string(row, 2), uri: try rows.string(row, 3))
      if sources[form]?.contains(source) != true { sources[form, default: []].append(source) }
    }
    return sources
  }

  private static func files(_ sets: EditionSets, _ connection: Connection) throws -> [Int32: SourceFile] {
    let rows = try connection.query(
      "SELECT id, release, name FROM expenditure_file WHERE release = ANY ($1)",
      [.int4Array(Set(sets.releases).sorted())])
    var files: [Int32: SourceFile] = [:]
    for row in 0..<rows.rowCount {
      files[try rows.int32(row, 0)] = SourceFile(release: Int(try rows.int32(row, 1)), name: try rows.string(row, 2))
    }
    return files
  }
}
