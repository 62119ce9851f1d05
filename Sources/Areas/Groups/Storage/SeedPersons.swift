package import Domain
internal import IdentityRules
package import Postgres

/// Persons who exist for a demonstration, a test or a measurement: nobody can log in as one of them.
package enum SeedPersons {
  /// The most at once.
  static let countMax = 1_000_000
  /// The most in one statement.
  private static let some = 10_000

  /// Adds persons of 18 to 87 years, women and men in turn, who share some kinds.
  /// - Parameter countsFrom: from when on their readings count.
  /// - Returns: their numbers, in their order.
  /// - Throws: `PostgresError`.
  package static func add(
    _ count: Int, sharing metrics: [MetricID], countsFrom: Microseconds, on today: CalendarDate,
    _ connection: Connection
  ) throws -> [AccountID] {
    var persons: [AccountID] = []
    for first in stride(from: 0, to: count, by: some) {
      let numbers = first..<min(first + some, count)
      let before = Int(try connection.query("SELECT count(*) FROM person").int64(0, 0))
      let people = numbers.map { Seed(number: before + $0 - first, today) }
      let rows = try connection.query(
        """
        WITH seed AS (
          SELECT place, born, sex, code, weight, address, nextval(pg_get_serial_sequence('account', 'id')) AS id
          FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::text[])
            WITH ORDINALITY AS s (born, sex, code, weight, address, place)
        ), made AS (
          INSERT INTO account (id, kind, display_name, form_values) OVERRIDING SYSTEM VALUE
          SELECT id, 'person', 'Seed', jsonb_build_object('address', address) FROM seed
        ), named AS (
          INSERT INTO person
            (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm, holds_fiscal_code)
          SELECT id, 'Seed', 'Seed', code, born::date, sex, weight, 170, true FROM seed
        ), chosen AS (
          INSERT INTO anonymous_sharing (person, version) SELECT id, 1 FROM seed
        ), counted AS (
          INSERT INTO anonymous_metric (person, metric, counts_from_us)
          SELECT id, metric, $7 FROM seed, unnest($6::integer[]) AS metric
        )
        SELECT id FROM seed ORDER BY place
        """,
        [
          .textArray(people.map(\.born.text)), .textArray(people.map(\.sex.rawValue)), .textArray(people.map(\.code)),
          .float8Array(people.map(\.weight)), .textArray(people.map(\.address)), .int4Array(metrics), .int8(countsFrom),
        ])
      for row in 0..<rows.rowCount { persons.append(try rows.int64(row, 0)) }
    }
    return persons
  }

  private struct Seed {
    let born: CalendarDate
    let sex: Sex
    let code: String
    let weight: Double
    let address: String

    /// - Parameter number: from 0 on; a fiscal code for each.
    init(number: Int, _ today: CalendarDate) {
      sex = number % 2 == 0 ? .female : .male
      let years = 18 + number / 2 % 70
      born = today.adding(days: -(years * 366 + number / 140 % 365)) ?? today
      weight = 50 + Double(number % 60)
      address = number % 3 == 0 ? "Via Dante 1, 20121 Milano" : "Via Appia 2, 00184 Roma"
      // Registered places are a letter and three digits; the letters of names tell more persons apart.
      let letters = Array("BCDFGLMNPRSTVZ")
      let family = String([letters[number / 140 / 365 % 14], "A", letters[number / 7 % 14], "A"])
      let code = try? FiscalCode(
        familyName: family, givenNames: "Seed", dateOfBirth: born, sex: sex,
        place: "H\(String(1_000 + number % 1_000).dropFirst())")
      self.code = code?.text ?? ""
    }
  }
}
