import Testing

@testable import Domain

@Suite struct StorageQuotaTests {
  private func scalars(_ persons: [PersonID]) -> ReadingColumns {
    var columns = ReadingColumns()
    columns.scalars.person = persons
    columns.scalars.metric = persons.map { _ in 1 }
    columns.scalars.source = persons.map { _ in 0 }
    columns.scalars.time = Array(0..<Int64(persons.count))
    columns.scalars.value = persons.map { _ in 60 }
    return columns
  }

  private func push(_ quota: inout StorageQuota, _ persons: [PersonID]) -> [Rejection] {
    var (columns, rejections) = (scalars(persons), [Rejection]())
    quota.bound(&columns, &rejections)
    #expect(columns.count + rejections.count == persons.count)
    return rejections
  }

  @Test func whoeverHasTooMuchIsRefusedAndNobodyElse() {
    var quota = StorageQuota(limit: 1_000)
    quota.found(1_000, of: 7)
    quota.found(999, of: 71)
    var columns = scalars([7, 8, 7 + 64, 7])
    columns.positions.person = [8, 7]
    columns.positions.metric = [11, 11]
    columns.positions.source = [0, 0]
    columns.positions.time = [1, 2]
    for path in [
      \PositionColumns.latitude, \.longitude, \.altitude, \.accuracy, \.speed, \.course,
    ] as [WritableKeyPath<PositionColumns, [Double]>] { columns.positions[keyPath: path] = [1, 2] }
    columns.waveforms.person = [7, 8]
    columns.waveforms.metric = [8, 8]
    columns.waveforms.source = [0, 0]
    columns.waveforms.time = [1, 2]
    columns.waveforms.rate = [100, 100]
    columns.waveforms.sampleCount = [2, 1]
    columns.waveforms.samples = [1, 2, 3]
    // The third of the batch was refused before.
    var rejections = [Rejection(index: 2, reason: .notYours, field: "person_id")]
    quota.bound(&columns, &rejections)
    #expect(rejections.map(\.index) == [0, 2, 4, 6, 7])
    #expect(rejections.map(\.reason) == [.tooManyStored, .notYours, .tooManyStored, .tooManyStored, .tooManyStored])
    #expect(columns.scalars.person == [8, 71] && columns.positions.person == [8] && columns.waveforms.person == [8])
    #expect(columns.waveforms.samples == [3])
  }

  @Test func whoeverHasRoomAgainMayStoreAgain() {
    var quota = StorageQuota(limit: 1_000)
    quota.found(5_000, of: 7)
    #expect(push(&quota, [7, 8]).map(\.index) == [0])
    quota.found(500, of: 7)
    #expect(push(&quota, [7, 8]).isEmpty)
  }

  @Test func whoeverPushesMuchIsAskedAboutBeforeItCanBeTooMuch() {
    // A person may come up with every tenth value, about.
    var quota = StorageQuota(limit: 20_000)
    var pushed = 0
    func pushedUntilAsked() -> Int {
      pushed = 0
      while true {
        _ = push(&quota, [7])
        pushed += 1
        if quota.next() == 7 { return pushed }
      }
    }
    #expect(pushedUntilAsked() <= 20)
    quota.found(0, of: 7)
    let whenEmpty = pushedUntilAsked()
    #expect((32...640).contains(whenEmpty) && quota.next() == nil)
    quota.found(19_900, of: 7)
    #expect(pushedUntilAsked() <= 20)
    // Whoever is full is asked about as well.
    quota.found(20_000, of: 7)
    #expect(pushedUntilAsked() <= 20)
  }

  @Test func amongManyTheOneWhoPushesMuchComesUp() {
    var quota = StorageQuota(limit: 20_000)
    var asked: [PersonID: Int] = [:]
    for round in 0..<2_000 {
      _ = push(&quota, Array(repeating: 7, count: 90) + (0..<10).map { PersonID(1_000 + round * 10 + $0) })
      while let person = quota.next() {
        asked[person, default: 0] += 1
        quota.found(19_999, of: person)
      }
    }
    #expect(asked[7, default: 0] > 1_500)
  }

  @Test func soManyAreAskedAboutAtOnce() {
    var quota = StorageQuota(limit: 1)
    for person in PersonID(1)...1_000 { _ = push(&quota, [person, person]) }
    var count = 0
    while quota.next() != nil { count += 1 }
    #expect(count == 64)
  }
}
