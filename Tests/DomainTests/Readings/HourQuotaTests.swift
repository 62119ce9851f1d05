import Testing

@testable import Domain

@Suite struct HourQuotaTests {
  private static let hour: Microseconds = 3_600_000_000

  private func scalars(_ person: PersonID, hour: Int64, _ count: Int) -> ReadingColumns {
    var columns = ReadingColumns()
    columns.scalars.person = Array(repeating: person, count: count)
    columns.scalars.metric = Array(repeating: 1, count: count)
    columns.scalars.source = Array(repeating: 1, count: count)
    columns.scalars.time = (0..<Int64(count)).map { hour * Self.hour + $0 }
    columns.scalars.value = Array(repeating: 60, count: count)
    return columns
  }

  /// The limit, and the sixteenth of it after which readings are counted exactly.
  @Test func aPersonsHourTakesNoMoreThanItsLimit() {
    var quota = HourQuota(limit: 1_600)
    var accepted = 0
    for _ in 0..<100 { accepted += 100 - quota.take(scalars(7, hour: 470_000, 100)).count }
    #expect((1_600...1_700).contains(accepted))
    // The same hour is full for good; another one, and another person's, is not.
    #expect(quota.take(scalars(7, hour: 470_000, 3)) == [0, 1, 2])
    #expect(quota.take(scalars(7, hour: 470_001, 100)).isEmpty)
    #expect(quota.take(scalars(8, hour: 470_000, 100)).isEmpty)
  }

  @Test func readingsThatComeOneByOneHaveTheSameLimit() {
    var quota = HourQuota(limit: 1_600)
    var accepted = 0
    for number in 0..<4_000 as Range<Int64> {
      // In turn with those of other hours, which have limits of their own.
      accepted += 1 - quota.take(scalars(7, hour: 470_000, 1)).count
      #expect(quota.take(scalars(7, hour: number, 1)).isEmpty)
    }
    #expect((1_600...1_700).contains(accepted))
  }

  @Test func ofABatchTheReadingsBeyondTheLimitAreRefused() {
    var quota = HourQuota(limit: 160)
    _ = quota.take(scalars(7, hour: -5, 20))
    _ = quota.take(scalars(7, hour: -5, 130))
    var batch = scalars(9, hour: -5, 2)
    batch.append(contentsOf: scalars(7, hour: -5, 15))
    batch.append(contentsOf: scalars(9, hour: -4, 2))
    #expect(quota.take(batch) == Array(12..<17))
  }

  @Test func repeatsAreCountedBack() {
    var quota = HourQuota(limit: 160)
    for _ in 0..<100 {
      let batch = scalars(7, hour: 1, 100)
      #expect(quota.take(batch).isEmpty)
      quota.giveBack(batch)
    }
  }

  /// Every person of a great city, hour after hour.
  @Test func thoseWhoSendLittleAreNeverRefused() {
    var quota = HourQuota(limit: 1_600)
    for hour in 0..<20 as Range<Int64> {
      for person in 1...20_000 as ClosedRange<PersonID> { #expect(quota.take(scalars(person, hour: hour, 10)).isEmpty) }
    }
  }
}
