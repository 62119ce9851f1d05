import Domain
import Testing

@Suite struct CalendarDateTests {
  @Test(arguments: ["0001-01-01", "1900-02-28", "1970-01-01", "1980-12-31", "2000-02-29", "2024-02-29", "9999-12-31"])
  func aDayComesBackAsItWas(text: String) throws {
    let date = try #require(CalendarDate(iso8601: text))
    #expect(date.text == text)
    #expect(CalendarDate(daysSinceEpoch: date.daysSinceEpoch) == date)
  }

  @Test(arguments: [
    "", "1980-12-3", "1980-12-311", "1980-13-01", "1980-00-10", "1980-01-00", "1980-04-31", "1900-02-29", "2023-02-29",
    "0000-01-01", "80-12-31", "+980-12-31", "1980/12/31", "1980-1２-31", "1980-12-3\u{0}", " 1980-12-31", "1980-12-31T",
    "19801231", "-198-12-31", "１９８０-12-31",
  ]) func whatIsNoDayIsRefused(text: String) { #expect(CalendarDate(iso8601: text) == nil) }

  @Test func everyDayFollowsTheOneBefore() throws {
    var date = try #require(CalendarDate(year: 1895, month: 12, day: 31))
    for number in date.daysSinceEpoch + 1..<date.daysSinceEpoch + 90_000 {
      let next = try #require(CalendarDate(daysSinceEpoch: number))
      let isNext =
        (next.year, next.month, next.day) == (date.year, date.month, date.day + 1)
        || (next.day == 1 && CalendarDate(year: date.year, month: date.month, day: date.day + 1) == nil
          && (next.month == date.month + 1 || (next.month == 1 && next.year == date.year + 1)))
      #expect(isNext && next > date && next.daysSinceEpoch == number)
      date = next
    }
  }

  @Test func daysAreCountedFromTheEpoch() {
    #expect(CalendarDate(year: 1970, month: 1, day: 1)?.daysSinceEpoch == 0)
    #expect(CalendarDate(year: 2026, month: 11, day: 21)?.daysSinceEpoch == 20_778)
    #expect(CalendarDate(daysSinceEpoch: 2_932_896)?.text == "9999-12-31")
    #expect(CalendarDate(daysSinceEpoch: 2_932_897) == nil)
    #expect(CalendarDate(daysSinceEpoch: -719_162)?.text == "0001-01-01")
    #expect(CalendarDate(daysSinceEpoch: -719_163) == nil)
    #expect(CalendarDate(daysSinceEpoch: .max) == nil)
    #expect(CalendarDate(year: 2026, month: 2, day: 28)?.adding(days: 1)?.text == "2026-03-01")
    #expect(CalendarDate(year: 2026, month: 1, day: 1)?.adding(days: -1)?.text == "2025-12-31")
    #expect(CalendarDate(year: 2026, month: 1, day: 1)?.adding(days: .max) == nil)
  }

  @Test func aMomentHasItsDayInUTC() {
    #expect(CalendarDate(utc: 0)?.text == "1970-01-01")
    #expect(CalendarDate(utc: -1)?.text == "1969-12-31")
    #expect(CalendarDate(utc: -86_400_000_000)?.text == "1969-12-31")
    #expect(CalendarDate(utc: 1_700_000_000_000_000)?.text == "2023-11-14")
    #expect(CalendarDate(utc: .max) == nil && CalendarDate(utc: .min) == nil)
  }

  @Test(arguments: [
    ("2008-11-22", 17), ("2008-11-21", 18), ("2008-11-20", 18), ("2026-11-21", 0), ("2026-11-22", -1),
    ("1926-01-01", 100),
  ]) func ageIsCompletedYears(born: String, age: Int) throws {
    let today = try #require(CalendarDate(iso8601: "2026-11-21"))
    #expect(try #require(CalendarDate(iso8601: born)).age(on: today) == age)
  }

  @Test func whoWasBornOnTheLeapDayIsOlderOnTheFirstOfMarch() throws {
    let born = try #require(CalendarDate(year: 2008, month: 2, day: 29))
    #expect(born.age(on: try #require(CalendarDate(year: 2026, month: 2, day: 28))) == 17)
    #expect(born.age(on: try #require(CalendarDate(year: 2026, month: 3, day: 1))) == 18)
    #expect(born.age(on: try #require(CalendarDate(year: 2028, month: 2, day: 29))) == 20)
  }
}
