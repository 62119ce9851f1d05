package import Log
internal import Postgres

/// Texts that administrators have written: definitions of voices by their code, and steps of the tutorial as "step 1".
package struct ExpenditureTexts: Sendable {
  private let pool: Pool

  init(pool: Pool) { self.pool = pool }

  /// A text in both languages.
  package struct Stored: Sendable, Hashable {
    /// Each is empty where nobody has written it.
    package let italian: String
    package let english: String
    /// Counts changes; 0 where there never was one.
    package let version: Int64

    package static let none = Stored(italian: "", english: "", version: 0)
  }

  /// Every text, by its subject.
  /// - Throws: `PostgresError`.
  package func all() async throws -> [String: Stored] {
    try await pool.withConnection { connection in
      let rows = try connection.query("SELECT subject, italian, english, version FROM expenditure_text")
      var texts: [String: Stored] = [:]
      for row in 0..<rows.rowCount {
        texts[try rows.string(row, 0)] = Stored(
          italian: try rows.string(row, 1), english: try rows.string(row, 2), version: try rows.int64(row, 3))
      }
      return texts
    }
  }

  /// Whether any release, drafts as well, has a voice.
  /// - Throws: `PostgresError`.
  package func hasVoice(_ code: String) async throws -> Bool {
    try await pool.withConnection { connection in
      try connection.query("SELECT EXISTS (SELECT FROM expenditure_voice WHERE code = $1)", [.text(code)]).bool(0, 0)
    }
  }

  /// Replaces a text. A row stays when the text is taken away: versions never come back.
  /// - Parameter version: of what is replaced.
  /// - Returns: the new version; nil where somebody has changed it in between.
  /// - Throws: `PostgresError`.
  package func replace(
    _ subject: String, italian: String, english: String, version: Int64
  ) async throws -> Int64? {
    try await pool.withConnection { connection in
      let rows =
        version == 0
        ? try connection.query(
          """
          INSERT INTO expenditure_text (subject, italian, english, version) VALUES ($1, $2, $3, 1)
          ON CONFLICT (subject) DO NOTHING RETURNING version
          """, [.text(subject), .text(italian), .text(english)])
        : try connection.query(
          """
          UPDATE expenditure_text SET (italian, english, version) = ($2, $3, version + 1)
          WHERE subject = $1 AND version = $4 RETURNING version
          """, [.text(subject), .text(italian), .text(english), .int8(version)])
      return rows.rowCount == 0 ? nil : try rows.int64(0, 0)
    }
  }
}

extension StorageSystem {
  /// Definitions of voices, and the tutorial.
  package var expenditureTexts: ExpenditureTexts { ExpenditureTexts(pool: pool) }
}
