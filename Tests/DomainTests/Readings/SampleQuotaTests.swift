import Testing

@testable import Domain

@Suite struct SampleQuotaTests {
  private static let hour: Microseconds = 3_600_000_000

  private func waveforms(_ person: PersonID, hour: Int64, _ counts: [Int32]) -> ReadingColumns {
    var columns = ReadingColumns()
    columns.scalars.person = [person]
    columns.scalars.metric = [1]
    columns.scalars.source = [0]
    columns.scalars.time = [hour * Self.hour]
    columns.scalars.value = [60]
    columns.waveforms.person = counts.map { _ in person }
    columns.waveforms.metric = counts.map { _ in 8 }
    columns.waveforms.source = counts.map { _ in 0 }
    columns.waveforms.time = counts.indices.map { hour * Self.hour + Int64($0) }
    columns.waveforms.rate = counts.map { _ in 250 }
    columns.waveforms.sampleCount = counts
    columns.waveforms.samples = counts.flatMap { Array(repeating: Double($0), count: Int($0)) }
    return columns
  }

  private func push(_ quota: inout SampleQuota, _ person: PersonID, hour: Int64, _ counts: [Int32]) -> [Rejection] {
    var (columns, rejections) = (waveforms(person, hour: hour, counts), [Rejection]())
    quota.bound(&columns, &rejections)
    let kept = counts.indices.filter { index in !rejections.contains { $0.index == index + 1 } }.map { counts[$0] }
    #expect(columns.waveforms.sampleCount == kept && columns.scalars.count == 1)
    return rejections
  }

  @Test func anHourHasNoMoreSamplesThanItsLimit() {
    var quota = SampleQuota(limit: 100)
    #expect(push(&quota, 7, hour: 5, [60, 50, 40]) == [Rejection(index: 2, reason: .tooManyInHour, field: "samples")])
    #expect(push(&quota, 7, hour: 5, [1]).map(\.index) == [1])
    #expect(push(&quota, 7, hour: 6, [100]).isEmpty)
    #expect(push(&quota, 8, hour: 5, [100]).isEmpty)
  }

  @Test func repeatsAreCountedBack() {
    var quota = SampleQuota(limit: 100)
    for _ in 0..<5 {
      #expect(push(&quota, 7, hour: 5, [90]).isEmpty)
      quota.giveBack(waveforms(7, hour: 5, [90]))
    }
    #expect(push(&quota, 7, hour: 5, [101]).count == 1)
  }

  @Test func whoHasMuchIsNotForgottenForTheSakeOfMany() {
    var quota = SampleQuota(limit: 100)
    #expect(push(&quota, 7, hour: 5, [60]).isEmpty)
    for hour in 0..<150_000 {
      var (columns, rejections) = (waveforms(9, hour: Int64(hour), [1]), [Rejection]())
      quota.bound(&columns, &rejections)
    }
    #expect(push(&quota, 7, hour: 5, [50]).count == 1)
  }
}
