internal import ExpenditureRules
internal import Postgres

/// Makes the checks of a release over all that counts for it, in the transaction that is open.
struct ReleaseChecker {
  let release: Int64

  /// - Throws: `PostgresError`.
  func check(_ connection: Connection) throws -> ([CheckCount], [ReleaseRecord.Finding]) {
    // Everything is compared with everything of its account. The planner takes each of the columns that are compared for a
    // chance of its own and expects a row where there are a million: it must not go through them one by one.
    try connection.execute("SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '64MB'")
    defer { _ = try? connection.execute("RESET enable_nestloop; RESET work_mem") }
    try connection.execute(ReleaseCheckSQL.tables)
    _ = try connection.query(ReleaseCheckSQL.seen, [.int4(Int32(release))])
    try putTotals(connection)
    try connection.execute(ReleaseCheckSQL.rounded)
    try connection.execute("ANALYZE seen; ANALYZE total_part; ANALYZE rounded")
    var counts = Dictionary(uniqueKeysWithValues: CheckKind.allCases.map { ($0, (made: Int64(0), failed: Int64(0))) })
    for sql in [
      ReleaseCheckSQL.nationalSum, ReleaseCheckSQL.consolidated, ReleaseCheckSQL.totals, ReleaseCheckSQL.unknownVoices,
      ReleaseCheckSQL.jumps,
    ] {
      try connection.throwIfInterrupted()
      let rows = try connection.query(sql)
      for row in 0..<rows.rowCount {
        guard let kind = CheckKind(rawValue: Int(try rows.int64(row, 0))) else { continue }
        counts[kind] = (try rows.int64(row, 1), try rows.int64(row, 2))
      }
    }
    let findings = try findings(connection)
    try connection.execute("DROP TABLE seen, total_part, found, rounded")
    return (
      CheckKind.allCases.map { CheckCount(kind: $0, made: counts[$0]?.made ?? 0, failed: counts[$0]?.failed ?? 0) },
      findings
    )
  }

  /// Works out what is a part of what, from the descriptions of each form and year.
  private func putTotals(_ connection: Connection) throws {
    let rows = try connection.query(
      """
      SELECT d.form, d.year, v.id, v.code, d.description
      FROM seen s JOIN expenditure_description d ON d.release = s.release AND d.form = s.form AND d.year = s.year
      JOIN expenditure_voice v ON v.id = d.voice WHERE s.is_checked
      """)
    struct FormYear: Hashable { let form, year: Int64 }
    var forms: [FormYear: [VoiceCode: String]] = [:]
    var ids: [VoiceCode: Int32] = [:]
    for row in 0..<rows.rowCount {
      guard let code = VoiceCode(try rows.string(row, 3)) else { continue }
      ids[code] = try rows.int32(row, 2)
      let form = FormYear(form: try rows.int64(row, 0), year: try rows.int64(row, 1))
      forms[form, default: [:]][code] = try rows.string(row, 4)
    }
    _ = try connection.copyIn(
      "COPY total_part (kind, form, year, total, part, sign, is_needed) FROM STDIN (FORMAT binary)"
    ) { writer in
      for (form, descriptions) in forms {
        func put(_ kind: CheckKind, _ total: VoiceCode, _ part: VoiceCode, _ sign: Int64, isNeeded: Bool) throws {
          guard let total = ids[total], let part = ids[part] else { return }
          try writer.row(fields: 7)
          try writer.int32(Int32(kind.rawValue))
          try writer.int32(Int32(form.form))
          try writer.int32(Int32(form.year))
          try writer.int32(total)
          try writer.int32(part)
          try writer.int32(Int32(sign))
          try writer.bool(isNeeded)
        }
        for total in VoiceTotal.all(descriptions) {
          for part in total.parts { try put(.parts, total.total, part.voice, part.sign, isNeeded: true) }
        }
        // Without both there is no result to compare with.
        guard descriptions[.production] != nil, descriptions[.costs] != nil else { continue }
        try put(.result, .result, .production, 1, isNeeded: true)
        try put(.result, .result, .costs, -1, isNeeded: true)
        for part in [VoiceCode.financial, .adjustments, .extraordinary] {
          try put(.result, .result, part, 1, isNeeded: false)
        }
      }
    }
  }

  private func findings(_ connection: Connection) throws -> [ReleaseRecord.Finding] {
    let rows = try connection.query(ReleaseCheckSQL.findings, [.int8(Int64(ReleaseRecord.findingsMax))])
    return try (0..<rows.rowCount).compactMap { row in
      let body = Int(try rows.int64(row, 3))
      guard let kind = CheckKind(rawValue: Int(try rows.int64(row, 0))),
        let account = AccountNumber(Int(try rows.int64(row, 2))), let voice = VoiceCode(try rows.string(row, 4))
      else { return nil }
      return ReleaseRecord.Finding(
        kind: kind, year: Int(try rows.int64(row, 1)), territory: TerritoryCode(account, body: body < 0 ? nil : body),
        voice: voice, expectedCents: try rows.int64(row, 5), foundCents: try rows.int64(row, 6),
        release: try rows.int64(row, 7), file: try rows.string(row, 8), row: try rows.int64(row, 9))
    }
  }
}
