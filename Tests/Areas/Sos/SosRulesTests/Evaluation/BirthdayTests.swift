import Domain
import SosRules
import Testing

/// The ages that decide something, on the day before the birthday and on the birthday itself.
@Suite struct BirthdayTests {
  private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(iso8601: text)) }

  @Test(
    "Completed years rise on the birthday, and of the leap day on 1 March of a year without it",
    arguments: [
      ("2010-03-01", "2026-02-28", 15), ("2010-03-01", "2026-03-01", 16),
      ("2007-11-22", "2025-11-21", 17), ("2007-11-22", "2025-11-22", 18),
      ("2008-02-29", "2026-02-28", 17), ("2008-02-29", "2026-03-01", 18),
      ("2008-02-29", "2024-02-28", 15), ("2008-02-29", "2024-02-29", 16),
      ("1966-01-01", "2025-12-31", 59), ("1966-01-01", "2026-01-01", 60),
      ("1964-02-29", "2024-02-28", 59), ("1964-02-29", "2024-02-29", 60),
    ])
  func years(born: String, today: String, age: Int) throws {
    #expect(try day(born).age(on: day(today)) == age)
  }

  @Test("NEWS2 is computed from the 16th birthday on, by the day of UTC")
  func sixteen() throws {
    let birthday = try day("2026-03-01")
    let person = MonitoredPerson(person: 1, settings: SosSettings(), dateOfBirth: try day("2010-03-01"))
    let midnight = Microseconds(birthday.daysSinceEpoch) * 86_400_000_000
    func limit(at time: Microseconds) -> Int {
      RuleSet.Key(person, on: CalendarDate(utc: time)).age.map { DefaultThresholds.scoreLimit(age: $0) } ?? -1
    }
    #expect(limit(at: midnight - 1) == 0)
    #expect(limit(at: midnight) > 0)
  }
}
