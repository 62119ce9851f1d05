import Domain
import Testing

@testable import GroupsRules

@Suite("A-R9: hours of a clock")
struct HourSpanTests {
  private func times(
    _ from: String, _ to: String, _ slot: HourSlot, _ buckets: GroupQuestion.Buckets = .days
  ) throws -> GroupQuestion.Times {
    try GroupQuestion.Times(
      days: CalendarDate(iso8601: from)!...CalendarDate(iso8601: to)!, slot: slot, timeZone: "Europe/Rome",
      buckets: buckets)
  }

  /// What a clock shows around a day, an hour ahead of UTC, and two until or from an hour of UTC on.
  private func hours(_ day: String, ahead: (Int32) -> Int32) -> [LocalHour] {
    let first = Int32(CalendarDate(iso8601: day)!.daysSinceEpoch * 24)
    return (first - 24..<first + 48).map { hour in
      let local = hour + ahead(hour - first)
      return LocalHour(hour: hour, localDay: local / 24, localHour: Int(local % 24))
    }
  }

  @Test func aDayOfTheClockIsPartsOfTwoDaysOfUTC() throws {
    let spans = HourSpan.buckets(hours("2026-11-20") { _ in 1 }, try times("2026-11-20", "2026-11-20", .day))
    let day = Int32(CalendarDate(iso8601: "2026-11-20")!.daysSinceEpoch)
    #expect(
      spans == [
        HourSpan(day: day - 1, from: 23, to: 24, bucket: 0), HourSpan(day: day, from: 0, to: 23, bucket: 0),
      ])
  }

  @Test("A night's hours after midnight belong to the day on which they are")
  func midnight() throws {
    let slot = try #require(HourSlot(from: 22, to: 2))
    let spans = HourSpan.buckets(hours("2026-11-20") { _ in 0 }, try times("2026-11-20", "2026-11-21", slot))
    let day = Int32(CalendarDate(iso8601: "2026-11-20")!.daysSinceEpoch)
    #expect(
      spans == [
        HourSpan(day: day, from: 0, to: 2, bucket: 0), HourSpan(day: day, from: 22, to: 24, bucket: 0),
        HourSpan(day: day + 1, from: 0, to: 2, bucket: 1), HourSpan(day: day + 1, from: 22, to: 24, bucket: 1),
      ])
  }

  @Test("Where clocks are set back an hour is there twice, where they are set forward one is not there")
  func daylightSaving() throws {
    // 25 October 2026, 3:00 is 2:00 again at 01:00 UTC; 29 March 2026, 2:00 is 3:00 at 01:00 UTC.
    let slot = try #require(HourSlot(from: 2, to: 3))
    let autumn = hours("2026-10-25") { $0 < 1 ? 2 : 1 }
    let back = HourSpan.buckets(autumn, try times("2026-10-25", "2026-10-25", slot))
    #expect(back.map { $0.from..<$0.to } == [0..<2])
    #expect(
      HourSpan.profile(autumn, try times("2026-10-25", "2026-10-25", .day)).filter { $0.bucket == 2 }.map(\.from) == [0]
    )
    #expect(
      HourSpan.buckets(autumn, try times("2026-10-25", "2026-10-25", .day)).reduce(0) { $0 + $1.to - $1.from } == 25)
    let spring = hours("2026-03-29") { $0 < 1 ? 1 : 2 }
    #expect(HourSpan.buckets(spring, try times("2026-03-29", "2026-03-29", slot)).isEmpty)
    #expect(
      HourSpan.buckets(spring, try times("2026-03-29", "2026-03-29", .day)).reduce(0) { $0 + $1.to - $1.from } == 23)
  }
}
