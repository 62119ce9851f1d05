import Domain
import SosRules
import Testing

@testable import Emergencies

/// Batches that are too large to be judged at once (B-R.P1).
@Suite struct LargeBatchTests {
  private static let start = MonitorTests.start

  private struct Reading {
    let place: Int
    let person: PersonID
    let value: Double
    let time: Microseconds

    init(_ place: Int, _ person: PersonID, _ value: Double, _ time: Microseconds) {
      (self.place, self.person, self.value, self.time) = (place, person, value, time)
    }
  }

  /// Pulses of many persons who are well, with readings of others at places of the batch.
  private func batch(_ others: [Reading]) -> ReadingColumns {
    var columns = ReadingColumns()
    columns.scalars.person = (0..<10_000).map { 1_000 + PersonID($0) }
    columns.scalars.metric = Array(repeating: VitalSign.heartRate, count: 10_000)
    columns.scalars.source = Array(repeating: 1, count: 10_000)
    columns.scalars.time = Array(repeating: Self.start, count: 10_000)
    columns.scalars.value = Array(repeating: 70, count: 10_000)
    for reading in others {
      columns.scalars.person[reading.place] = reading.person
      columns.scalars.time[reading.place] = reading.time
      columns.scalars.value[reading.place] = reading.value
    }
    return columns
  }

  /// A large batch is no long turn, neither on the loop that brought it nor under a shard's lock; and in pieces it calls
  /// the same.
  @Test func aLargeBatchIsJudgedInPieces() {
    let rig = MonitorTests.Rig()
    rig.watch(1..<10_001)
    var columns = ReadingColumns()
    func add(_ person: PersonID, _ value: Double, _ time: Microseconds) {
      columns.scalars.person.append(person)
      columns.scalars.metric.append(VitalSign.heartRate)
      columns.scalars.source.append(1)
      columns.scalars.time.append(time)
      columns.scalars.value.append(value)
    }
    func pieces() -> Int {
      var progress = CheckProgress()
      var pieces = 1
      while rig.monitor.takePiece(columns, receivedAt: Self.start, from: 0, &progress) { pieces += 1 }
      return pieces
    }
    for person in PersonID(1)...10_000 { add(person, 70, Self.start) }
    _ = pieces()
    for index in columns.scalars.time.indices { columns.scalars.time[index] += 1 }
    #expect(pieces() == 11, "a thousand readings of persons who are well, less what it takes to look for who is not")

    columns = ReadingColumns()
    for second in 0..<299 { add(1, 70, Self.start - 299_000_000 + Microseconds(second) * 1_000_000) }
    for number in 0..<9_700 { add(1, 195, Self.start - 298_500_000 + Microseconds(number * 7_919 % 297) * 1_000_000) }
    add(2, 30, Self.start + 1_000_000)
    add(2, 31, Self.start + 5_000_000)
    #expect(pieces() > 40, "readings that are hard to judge")
    #expect(rig.detections.map(\.person).last == 2, "the last piece is judged as well")
  }

  /// What a device has recorded while it had no network comes at once: whoever is called has to know the newest place.
  @Test func ofALargeBatchTheLastPositionIsKnown() throws {
    let rig = MonitorTests.Rig()
    rig.watch(1..<2)
    let count = 10_000
    var columns = ReadingColumns()
    columns.positions.person = Array(repeating: 1, count: count)
    columns.positions.metric = Array(repeating: 11, count: count)
    columns.positions.source = Array(repeating: 1, count: count)
    columns.positions.time = (1...count).map { Self.start - Microseconds(count - $0) }
    columns.positions.latitude = (1...count).map { 45 + Double($0) / 100_000 }
    for column in [\PositionColumns.longitude, \.altitude, \.accuracy, \.speed, \.course] {
      columns.positions[keyPath: column] = Array(repeating: 9, count: count)
    }
    rig.monitor.take(columns, receivedAt: Self.start, from: 0)
    rig.take([(1, 30, Self.start), (1, 31, Self.start + 3_000_000)])
    let position = try #require(rig.detections.first?.position)
    #expect(position.time == Self.start && position.latitude == 45.1)
  }

  /// Between the pieces of a batch others have their turn: who is unwell does not wait for them.
  @Test func whoIsBeyondALimitIsJudgedFirst() {
    let rig = MonitorTests.Rig()
    rig.watch(1..<11_000)
    let unwatched = (1...20).map { Reading($0, PersonID(20_000 + $0), 30, Self.start) }
    let batch = batch(unwatched + [Reading(4_000, 7, 30, Self.start), Reading(9_999, 7, 31, Self.start + 3_000_000)])
    var progress = CheckProgress()
    #expect(rig.monitor.takePiece(batch, receivedAt: Self.start, from: 0, &progress))
    #expect(rig.detections.map(\.person) == [7])
    while rig.monitor.takePiece(batch, receivedAt: Self.start, from: 0, &progress) {}
    #expect(rig.detections.count == 1)
  }

  /// A crossing that fine readings in between contradict is none, though they stand elsewhere in the batch.
  @Test func whoIsJudgedFirstIsJudgedByAllReadings() {
    let rig = MonitorTests.Rig()
    rig.watch(1..<11_000)
    rig.monitor.take(
      batch([
        Reading(100, 7, 30, Self.start), Reading(5_000, 7, 70, Self.start + 1_500_000),
        Reading(9_900, 7, 30, Self.start + 3_000_000),
      ]), receivedAt: Self.start + 3_000_000, from: 0)
    #expect(rig.detections.isEmpty)
  }

  /// However many are beyond a limit, and whoever has limits of their own, all are judged.
  @Test func whoIsNotJudgedFirstIsJudgedAll() {
    let rig = MonitorTests.Rig()
    rig.watch(1..<11_000) { person in
      guard person.person == 500 else { return }
      let limits = Limits(high: 65, hold: 0, hysteresis: 1)
      person.thresholds = [VitalSign.heartRate: Threshold(rest: limits, exertion: nil)]
    }
    var others = [Reading(5_000, 500, 70, Self.start)]
    for number in 1...20 {
      others.append(Reading(number * 40, PersonID(number), 30, Self.start))
      others.append(Reading(9_000 + number, PersonID(number), 31, Self.start + 3_000_000))
    }
    rig.monitor.take(batch(others), receivedAt: Self.start, from: 0)
    #expect(rig.detections.map(\.person) == Array(1...8) + [500] + Array(9...20), "eight, then in order")
  }
}
