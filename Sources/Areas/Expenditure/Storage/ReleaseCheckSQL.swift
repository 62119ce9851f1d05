/// Comparisons of amounts before a release is published. Each compares the tables `seen`, what counts for the release, and
/// `expenditure_figure`.
enum ReleaseCheckSQL {
  /// $1 of the statement that fills it is the release.
  static let tables = """
    CREATE TEMP TABLE seen (
      form integer, year integer, release integer, is_checked boolean, PRIMARY KEY (form, year)
    ) ON COMMIT DROP;
    -- What a total is made of. A part that is not needed counts where it is there.
    CREATE TEMP TABLE total_part (
      kind integer, form integer, year integer, total integer, part integer, sign integer, is_needed boolean
    ) ON COMMIT DROP;
    CREATE TEMP TABLE found (
      kind integer, form integer, year integer, account integer, body integer, voice integer, expected bigint,
      cents bigint, release integer, file integer, row integer
    ) ON COMMIT DROP;
    -- Accounts in whole euros or in whole thousands of them; unit in cents.
    CREATE TEMP TABLE rounded (form integer, year integer, account integer, body integer, unit bigint) ON COMMIT DROP;
    """

  /// Of each form and year the newest release up to $1 that is published, or $1 itself. Checked are the years of accounts
  /// that $1 brings.
  static let seen = """
    INSERT INTO seen
    SELECT DISTINCT ON (s.form, s.year) s.form, s.year, s.release, s.year IN (
      SELECT year FROM expenditure_set WHERE release = $1 AND form <= 3)
    FROM expenditure_set s JOIN expenditure_release r ON r.number = s.release
    WHERE s.form <= 3 AND (r.number = $1 OR (r.number < $1 AND r.published_at IS NOT NULL))
    ORDER BY s.form, s.year, s.release DESC
    """

  static let rounded = """
    INSERT INTO rounded
    SELECT f.form, f.year, f.account, f.body, CASE WHEN bool_and(f.cents % 100000 = 0) THEN 100000 ELSE 100 END
    FROM \(amounts) WHERE s.is_checked
    GROUP BY 1, 2, 3, 4 HAVING bool_and(f.cents % 100 = 0)
    """

  /// Amounts that count, as f.
  private static let amounts =
    "seen s JOIN expenditure_figure f ON f.release = s.release AND f.form = s.form AND f.year = s.year"

  private static let columns = "f.form::int, f.year::int, f.account::int, f.body::int, f.voice"
  private static let place = "f.cents, f.release, f.file, f.row"

  /// Voices that some region has; regions that do not have it count nothing. All 21 are there: an import sees to it.
  static let nationalSum = compared(
    """
    SELECT 1 AS kind, \(columns), r.cents AS expected, \(place), f.cents <> r.cents AS fails
    FROM \(amounts)
    JOIN (
      SELECT f.year, f.voice, sum(f.cents)::bigint AS cents FROM \(amounts) WHERE s.form = 2 AND s.is_checked GROUP BY 1, 2
    ) r ON r.year = f.year AND r.voice = f.voice
    WHERE s.form = 1 AND s.is_checked
    """)

  static let consolidated = compared(
    """
    SELECT 2 AS kind, \(columns), c.cents AS expected, \(place), f.cents <> c.cents AS fails
    FROM \(amounts)
    JOIN (SELECT f.year, f.account, f.voice, f.cents FROM \(amounts) WHERE s.form = 3 AND f.body = 999 AND s.is_checked) c
      ON c.year = f.year AND c.account = f.account AND c.voice = f.voice
    WHERE s.form = 2 AND s.is_checked
    """)

  /// Both of parts and of the result before taxes. An account in whole euros, or thousands, may be off by one for each part.
  static let totals = compared(
    """
    SELECT t.kind, \(columns), t.expected, \(place),
      abs(f.cents - t.expected) > coalesce(r.unit, 0) * t.parts AS fails
    FROM (
      SELECT p.kind, p.form, p.year, f.account, f.body, p.total, sum(f.cents * p.sign)::bigint AS expected,
        count(*) AS parts, count(*) FILTER (WHERE p.is_needed) AS needed
      FROM total_part p JOIN \(amounts) ON f.voice = p.part AND s.form = p.form AND s.year = p.year
      GROUP BY 1, 2, 3, 4, 5, 6
    ) t
    JOIN (
      SELECT kind, form, year, total, count(*) FILTER (WHERE is_needed) AS needed FROM total_part GROUP BY 1, 2, 3, 4
    ) w ON w.kind = t.kind AND w.form = t.form AND w.year = t.year AND w.total = t.total AND w.needed = t.needed
    JOIN seen s ON s.form = t.form AND s.year = t.year
    JOIN expenditure_figure f ON f.release = s.release AND f.form = t.form AND f.year = t.year AND f.account = t.account
      AND f.body = t.body AND f.voice = t.total
    LEFT JOIN rounded r ON r.form = t.form AND r.year = t.year AND r.account = t.account AND r.body = t.body
    """)

  /// A code that one account of the year has and no other, in years with several accounts.
  static let unknownVoices = compared(
    """
    SELECT 5 AS kind, form, year, account, body, voice, 0::bigint AS expected, cents, release, file, row,
      accounts = 1 AND max(accounts) OVER (PARTITION BY year) > 1 AS fails
    FROM (
      SELECT min(f.form)::int AS form, f.year::int AS year, min(f.account)::int AS account, min(f.body)::int AS body,
        f.voice, min(f.cents) AS cents, min(f.release) AS release, min(f.file) AS file, min(f.row) AS row,
        count(*) AS accounts
      FROM \(amounts) WHERE s.is_checked GROUP BY f.year, f.voice
    ) codes
    """)

  /// Of Italy and the regions: by more than a quarter and more than a million euros.
  static let jumps = compared(
    """
    SELECT 6 AS kind, \(columns), b.cents AS expected, \(place),
      abs(f.cents - b.cents) > 100000000 AND abs(f.cents - b.cents) * 4 > abs(b.cents) AS fails
    FROM \(amounts)
    JOIN seen sb ON sb.form = s.form AND sb.year = s.year - 1
    JOIN expenditure_figure b ON b.release = sb.release AND b.form = sb.form AND b.year = sb.year
      AND b.account = f.account AND b.body = f.body AND b.voice = f.voice
    WHERE s.form <= 2 AND (s.is_checked OR sb.is_checked)
    """)

  /// Puts what fails into `found`.
  /// - Returns: a statement whose rows are kind, comparisons and failures.
  private static func compared(_ query: String) -> String {
    """
    WITH compared AS MATERIALIZED (\(query)), failed AS (
      INSERT INTO found
      SELECT kind, form, year, account, body, voice, expected, cents, release, file, row FROM compared WHERE fails
    )
    SELECT kind, count(*), count(*) FILTER (WHERE fails) FROM compared GROUP BY kind
    """
  }

  /// At most $1, those that block first.
  static let findings = """
    SELECT f.kind, f.year, f.account, f.body, v.code, f.expected, f.cents, f.release, g.name, f.row
    FROM found f JOIN expenditure_voice v ON v.id = f.voice JOIN expenditure_file g ON g.id = f.file
    ORDER BY kind, year, f.form, account, body, v.code LIMIT $1
    """
}
