internal import ExpenditureRules
internal import Postgres

/// Writes what an import keeps in memory until all files are read.
struct SetWriter {
  private let reading: FigureReading
  private var release: Int { reading.release }

  init(_ reading: FigureReading) { self.reading = reading }

  /// - Throws: `ImportProblem` for a set that is not whole and for an amount that is there twice; `PostgresError`.
  func write(_ connection: Connection) throws {
    try checkWhole()
    try writeVoices(connection)
    try writeDescriptions(connection)
    try writeBodies(connection)
    try writeRows(connection)
    let sets = reading.sets.keys.sorted { ($0.form, $0.year) < ($1.form, $1.year) }
    _ = try connection.query(
      "INSERT INTO expenditure_set (release, form, year) SELECT $1, * FROM unnest($2::int[], $3::int[])",
      [.int4(Int32(release)), .int4Array(sets.map { Int32($0.form) }), .int4Array(sets.map { Int32($0.year) })])
    // The planner knows nothing of rows that came in this transaction.
    try connection.execute("ANALYZE expenditure_figure")
    try checkKeys(connection)
  }

  /// A set takes the place of an earlier one as a whole: where one account is missing, the file has been cut.
  private func checkWhole() throws {
    for (key, set) in reading.sets.sorted(by: { ($0.key.form, $0.key.year) < ($1.key.form, $1.key.year) }) {
      guard [.regional, .residents, .mobility].contains(FileForm(rawValue: key.form)) else { continue }
      let missing = AccountList.all.filter { !set.accounts.contains($0.value) }
      guard missing.isEmpty else {
        throw ImportProblem(
          file: reading.names[set.file] ?? "",
          text:
            "\(key.year) lacks \(missing.map { "\($0.text) \($0.name)" }.joined(separator: ", ")): a year needs all "
            + "21 accounts")
      }
    }
  }

  private func writeVoices(_ connection: Connection) throws {
    let voices = reading.newVoices
    _ = try connection.query(
      "INSERT INTO expenditure_voice (id, code) SELECT * FROM unnest($1::int[], $2::text[])",
      [
        .int4Array(voices.map { Int32(reading.voices[$0] ?? 0) }), .textArray(voices.map(\.text)),
      ])
  }

  private func writeDescriptions(_ connection: Connection) throws {
    _ = try connection.copyIn(
      "COPY expenditure_description (release, form, year, voice, description) FROM STDIN (FORMAT binary)"
    ) { writer in
      for (key, text) in reading.descriptions {
        try writer.row(fields: 5)
        for number in [release, key.form, key.year, key.voice] { try writer.int32(Int32(number)) }
        try writer.text(text)
      }
    }
  }

  private func writeBodies(_ connection: Connection) throws {
    _ = try connection.copyIn(
      "COPY expenditure_body (release, year, account, body, name) FROM STDIN (FORMAT binary)"
    ) { writer in
      for (key, name) in reading.bodies {
        try writer.row(fields: 5)
        for number in [release, key.year, key.account, key.body] { try writer.int32(Int32(number)) }
        try writer.text(name)
      }
    }
  }

  /// Thousands at most: an account's year has one row.
  private func writeRows(_ connection: Connection) throws {
    for (key, (place, row)) in reading.rows {
      let ends: [Parameter] = [release, key.year, place.file, place.row].map { .int4(Int32($0)) }
      switch row {
      case .residents(_, let account, let date, let count):
        _ = try connection.query(
          """
          INSERT INTO expenditure_residents (release, year, file, row, account, counted, residents)
          VALUES ($1, $2, $3, $4, $5, $6::text::date, $7)
          """, ends + [.int4(Int32(account.value)), .text(date), .int8(count)])
      case .price(_, let percent):
        _ = try connection.query(
          "INSERT INTO expenditure_price (release, year, file, row, percent) VALUES ($1, $2, $3, $4, $5)",
          ends + [.text(percent)])
      case .mobility(_, let account, let publicCents, let privateCents):
        _ = try connection.query(
          """
          INSERT INTO expenditure_mobility (release, year, file, row, account, public_cents, private_cents)
          VALUES ($1, $2, $3, $4, $5, $6, $7)
          """, ends + [.int4(Int32(account.value)), .int8(publicCents), .int8(privateCents)])
      case .amount: break
      }
    }
  }

  private func checkKeys(_ connection: Connection) throws {
    let rows = try connection.query(
      """
      WITH doubled AS (
        SELECT form, year, account, body, voice FROM expenditure_figure WHERE release = $1
        GROUP BY 1, 2, 3, 4, 5 HAVING count(*) > 1
      ), first AS (
        SELECT form, year, account, body, voice, array_agg(file ORDER BY file, row) AS files,
          array_agg(row ORDER BY file, row) AS rows
        FROM doubled JOIN expenditure_figure USING (form, year, account, body, voice) WHERE release = $1
        GROUP BY 1, 2, 3, 4, 5
      )
      SELECT year::int, account::int, body::int, code, files[1], rows[1], files[2], rows[2]
      FROM first JOIN expenditure_voice ON id = voice ORDER BY files[2], rows[2] LIMIT 1
      """, [.int4(Int32(release))])
    guard rows.rowCount > 0 else { return }
    let account = AccountNumber(Int(try rows.int64(0, 1))) ?? .italy
    let body = Int(try rows.int64(0, 2))
    let territory = TerritoryCode(account, body: body < 0 ? nil : body).text
    let (firstFile, secondFile) = (Int(try rows.int64(0, 4)), Int(try rows.int64(0, 6)))
    throw ImportProblem(
      file: reading.names[secondFile] ?? "", row: Int(try rows.int64(0, 7)), column: "Codice Voce Contabile",
      text: "is there twice: \(try rows.int64(0, 0)), \(territory), \(try rows.string(0, 3)) stands in row "
        + "\(try rows.int64(0, 5)) of \(reading.names[firstFile] ?? "") too")
  }
}
