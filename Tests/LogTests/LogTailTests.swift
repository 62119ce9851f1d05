import Domain
import Synchronization
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

@Suite struct LogTailTests {
  private func row(_ position: LogPosition, readings: Int = 1) -> CommittedRow {
    CommittedRow(position: position, columns: .scalars((0..<readings).map { (Int64($0), Double(position)) }))
  }

  @Test func anEmptyTailReachesBackToItsHead() {
    let tail = LogTail(head: 7, compacted: 4)
    #expect(tail.head == 7)
    #expect(tail.floor == 7)
    #expect(tail.rows(after: 7)?.isEmpty == true)
    #expect(tail.rows(after: 6) == nil)
    // Rows 5 to 7 are in the log only.
    let snapshot = tail.uncompacted()
    #expect(!snapshot.isComplete && snapshot.rows.isEmpty && snapshot.floor == 7)
    tail.compacted(through: 7)
    #expect(tail.uncompacted().isComplete)
  }

  @Test func observersAreCalledByTheirStagesHoweverTheyCome() {
    let tail = LogTail(head: 0, compacted: 0)
    let calls = Mutex<[String]>([])
    // The last stage first, and another round of them after that.
    for round in ["a", "b"] {
      for stage in CommitStage.allCases.reversed() {
        _ = tail.observe(Observer(stage: stage) { calls.withLock { $0.append("\(stage) \(round)") } })
      }
    }
    tail.append([row(1)])
    #expect(
      calls.withLock { $0 } == ["feeds a", "feeds b", "entries a", "entries b", "background a", "background b"])
  }

  @Test func rowsFollowAPosition() {
    let tail = LogTail(head: 0, compacted: 0)
    tail.append([row(1), row(2)])
    tail.append([row(3)])
    #expect(tail.head == 3)
    #expect(tail.rows(after: 0)?.map(\.position) == [1, 2, 3])
    #expect(tail.rows(after: 2)?.map(\.position) == [3])
    #expect(tail.rows(after: 3)?.isEmpty == true)
    #expect(tail.rows(after: 9)?.isEmpty == true)
    tail.compacted(through: 2)
    #expect(tail.uncompacted().rows.map(\.position) == [3])
    // Compacted rows stay for readers who are close behind.
    #expect(tail.rows(after: 0)?.count == 3)
    tail.compacted(through: 1)
    #expect(tail.uncompacted().compacted == 2)
  }

  @Test func theOldestRowsGoAtTheBoundOfBytes() {
    let size = row(1, readings: 100).bytes
    let tail = LogTail(head: 0, compacted: 0, maxBytes: 3 * size)
    tail.append((1...5).map { row($0, readings: 100) })
    #expect(tail.floor == 2)
    #expect(tail.rows(after: 1) == nil)
    #expect(tail.rows(after: 2)?.map(\.position) == [3, 4, 5])
    #expect(!tail.uncompacted().isComplete)
    // A row that is larger than the bound is kept until the next one comes.
    tail.append([row(6, readings: 1_000)])
    #expect(tail.rows(after: 5)?.map(\.position) == [6])
    #expect(tail.floor == 5)
  }

  @Test func readersAreSentToStorageForRowsOfAnotherWriter() {
    let tail = LogTail(head: 0, compacted: 0)
    tail.append([row(1)])
    tail.append([row(4), row(5)])
    #expect(tail.head == 5)
    #expect(tail.floor == 3)
    #expect(tail.rows(after: 1) == nil)
    #expect(tail.rows(after: 3)?.map(\.position) == [4, 5])
    #expect(!tail.uncompacted().isComplete)
  }

  @Test func whoIsBehindIsBehindByPositionsAndByTime() {
    let tail = LogTail(head: 3, compacted: 0)
    // Those before the server are of its start.
    #expect(tail.lag(after: 1).positions == 2)
    #expect(tail.lag(after: 1).time >= .zero)
    #expect(tail.lag(after: 3) == (0, .zero))
    #expect(tail.lag(after: 9) == (0, .zero))
    let before = ContinuousClock.now
    tail.append([row(4), row(5)])
    #expect(tail.lag(after: 3).positions == 2)
    #expect(tail.lag(after: 4).positions == 1)
    #expect(tail.lag(after: 4).time <= .now - before)
    #expect(tail.lag(after: 3).time <= tail.lag(after: 0).time)
    #expect(tail.compactedHead == 0)
    tail.compacted(through: 5)
    #expect(tail.compactedHead == 5)
  }
}

/// Says that it was called.
private struct Observer: CommitObserver {
  let stage: CommitStage
  let called: @Sendable () -> Void
  func committed(_ rows: [CommittedRow]) { called() }
}
