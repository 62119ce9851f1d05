import Domain
import Postgres
import SosRules
import Synchronization
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// Guarantees 1 and 2: an acknowledgement means committed, and sending again changes nothing.
@Suite(.timeLimit(.minutes(5))) struct LogWriterTests {
  private func batch(_ value: Double, person: PersonID = 1) -> ReadingColumns {
    .scalars(person: person, [(Int64(value) * 1_000_000, value)])
  }

  @Test func anAcknowledgedBatchIsThereForANewConnection() async throws {
    try await withStorage { rig in
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      #expect(rig.writer.append(batch(7), sequence: 1, of: session) == .queued)
      try await eventually { owner.batches == 1 }
      let readings = try rig.stored()
      #expect(readings.map(\.value) == [7])
      #expect(readings.map(\.position) == owner.positions)
    }
  }

  @Test func sessionsKeepTheirOrderAndPositionsRiseWithoutGaps() async throws {
    var limits = LogWriter.Limits()
    limits.batches = 64
    try await withStorage(limits: limits) { rig in
      let observer = Observer()
      _ = rig.tail.observe(observer)
      let owners = (0..<8).map { _ in Owner() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, owner) in owners.enumerated() {
          group.addTask {
            let session = try await rig.writer.openSession(name: "client \(index)", owner: owner)
            for value in 1...200 {
              let outcome = try await push(
                batch(Double(value), person: PersonID(index + 1)), UInt64(value), session, rig.writer)
              #expect(outcome == .queued)
            }
            try await eventually { owner.batches == 200 }
            rig.writer.closeSession(session)
          }
        }
        try await group.waitForAll()
      }
      let readings = try rig.stored()
      #expect(readings.count == 1_600)
      for (index, owner) in owners.enumerated() {
        let own = readings.filter { $0.key.person == PersonID(index + 1) }.sorted { $0.key.time < $1.key.time }
        #expect(own.map(\.position) == owner.positions)
        #expect(own.map(\.position) == own.map(\.position).sorted())
      }
      let positions = Set(readings.map(\.position)).sorted()
      #expect(positions == Array(1...Int64(positions.count)))
      #expect(observer.positions == positions)
    }
  }

  @Test func aRepeatedSequenceIsNeitherStoredNorTold() async throws {
    try await withStorage { rig in
      let observer = Observer()
      _ = rig.tail.observe(observer)
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      #expect(rig.writer.append(batch(1), sequence: 5, of: session) == .queued)
      try await eventually { owner.batches == 1 }
      #expect(rig.writer.append(batch(2), sequence: 5, of: session) == .repeated(at: 1))
      #expect(rig.writer.append(batch(2), sequence: 1, of: session) == .repeated(at: 1))
      #expect(rig.writer.append(batch(3), sequence: 9, of: session) == .queued)
      try await eventually { owner.batches == 2 }
      #expect(try rig.stored().map(\.value).sorted() == [1, 3])
      #expect(observer.positions == [1, 2])
    }
  }

  @Test func aNumberThatWaitsAlreadyIsNotQueuedTwice() async throws {
    try await withStorage { rig in
      let block = try CommitBlock(rig.database)
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      #expect(rig.writer.append(batch(1), sequence: 1, of: session) == .queued)
      #expect(rig.writer.append(batch(2), sequence: 2, of: session) == .queued)
      #expect(rig.writer.append(batch(2), sequence: 2, of: session) == .alreadyQueued(after: 0))
      #expect(rig.writer.append(batch(1), sequence: 1, of: session) == .alreadyQueued(after: 0))
      block.end()
      try await eventually { owner.batches == 2 }
      #expect(try rig.stored().count == 2)
    }
  }

  @Test func afterAReconnectTheSessionKnowsTheLastCommittedNumber() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("reconnect")
    try await withStorage(on: database) { rig in
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      #expect(session.firstSequence == 0)
      for value in 1...3 { try await push(batch(Double(value)), UInt64(value * 10), session, rig.writer) }
      try await eventually { owner.batches == 3 }
      rig.writer.closeSession(session)
      let again = try await rig.writer.openSession(name: "a", owner: Owner())
      #expect(again.firstSequence == 30)
      #expect(rig.writer.append(batch(9), sequence: 30, of: again) == .repeated(at: owner.positions[2]))
      #expect(try await rig.writer.openSession(name: "b", owner: Owner()).firstSequence == 0)
    }
    try await withStorage(on: database) { rig in
      let session = try await rig.writer.openSession(name: "a", owner: Owner())
      #expect(session.firstSequence == 30)
    }
  }

  @Test func aNewSessionOfAClientWaitsForWhatTheOlderOneHasQueued() async throws {
    try await withStorage { rig in
      let block = try CommitBlock(rig.database)
      let older = Owner()
      let first = try await rig.writer.openSession(name: "a", owner: older)
      #expect(rig.writer.append(batch(1), sequence: 1, of: first) == .queued)
      #expect(rig.writer.append(batch(2), sequence: 2, of: first) == .queued)
      async let opening = rig.writer.openSession(name: "a", owner: Owner())
      try await eventually { older.isSuperseded }
      #expect(rig.writer.append(batch(3), sequence: 3, of: first) == .superseded)
      #expect(older.batches == 0)
      block.end()
      let second = try await opening
      #expect(second.firstSequence == 2)
      #expect(older.batches == 2)
      #expect(rig.writer.append(batch(2), sequence: 2, of: second) == .repeated(at: older.positions[1]))
      #expect(try rig.stored().count == 2)
    }
  }

  @Test func aNewSessionTakesNoBatchesWhileThoseOfTheOlderOneHang() async throws {
    try await withStorage { rig in
      let older = Owner()
      let first = try await rig.writer.openSession(name: "a", owner: older)
      try await push(batch(1), 1, first, rig.writer)
      try await eventually { older.batches == 1 }
      let block = try CommitBlock(rig.database)
      #expect(rig.writer.append(batch(2), sequence: 2, of: first) == .queued)
      let limit: Duration = .milliseconds(100)
      async let opening = rig.writer.openSession(name: "a", owner: Owner(), orStallOf: limit)
      try await eventually { older.isSuperseded }
      try await eventually { rig.writer.isStalled(for: limit) }
      rig.writer.wakeStalled()
      let second = try await opening
      // What hangs may be committed or not: nobody can say yet that it is.
      #expect(!second.takesBatches && second.firstSequence == 1)
      rig.writer.closeSession(second)
      rig.writer.closeSession(first)
      block.end()
      try await eventually { older.batches == 2 }
      let third = try await rig.writer.openSession(name: "a", owner: Owner(), orStallOf: limit)
      #expect(third.takesBatches && third.firstSequence == 2)
      #expect(try rig.stored().count == 2)
    }
  }

  @Test func aClosedSessionWithBatchesQueuedStillKeepsItsNameUntilTheyAreCommitted() async throws {
    try await withStorage { rig in
      let block = try CommitBlock(rig.database)
      let session = try await rig.writer.openSession(name: "a", owner: Owner())
      #expect(rig.writer.append(batch(1), sequence: 1, of: session) == .queued)
      rig.writer.closeSession(session)
      async let opening = rig.writer.openSession(name: "a", owner: Owner())
      block.end()
      #expect(try await opening.firstSequence == 1)
      #expect(rig.writer.registeredNames == ["a"])
    }
  }

  @Test func streamsThatOpenAtOnceNeverStoreABatchTwice() async throws {
    try await withStorage { rig in
      // Each opens, sends the batch after the last committed one, and goes: as a client that reconnects in a hurry.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask {
            let owner = Owner()
            let session = try await rig.writer.openSession(name: "a", owner: owner)
            let next = session.firstSequence + 1
            if rig.writer.append(batch(Double(next)), sequence: next, of: session) == .queued, next % 2 == 0 {
              try await eventually { owner.batches == 1 }
            }
            rig.writer.closeSession(session)
          }
        }
        try await group.waitForAll()
      }
      let last = try await rig.writer.openSession(name: "a", owner: Owner()).firstSequence
      #expect(try rig.stored().map(\.key.time).sorted() == (1...Int64(last)).map { $0 * 1_000_000 })
    }
  }

  @Test func withPostgresStoppedTheLogFillsUpToItsLimitsAndThenGoesOnWithNothingLostOrDoubled() async throws {
    var limits = LogWriter.Limits()
    limits.batches = 10
    try await withStorage(limits: limits) { rig in
      let block = try CommitBlock(rig.database)
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      var queued = 0
      // One group is on its way to PostgreSQL, another one fills.
      try await eventually {
        while rig.writer.append(batch(Double(queued + 1)), sequence: UInt64(queued + 1), of: session) == .queued {
          queued += 1
        }
        return queued > limits.batches && rig.writer.openBatches == limits.batches
      }
      #expect(queued <= 2 * limits.batches)
      #expect(rig.writer.append(batch(1_000), sequence: 1_000, of: session) == .full)
      #expect(owner.batches == 0)
      async let room: Void = rig.writer.waitForRoom()
      block.end()
      try await room
      for value in queued + 1...queued + 50 { try await push(batch(Double(value)), UInt64(value), session, rig.writer) }
      try await eventually { owner.batches == queued + 50 }
      #expect(try rig.stored().map(\.key.time).sorted() == (1...Int64(queued + 50)).map { $0 * 1_000_000 })
    }
  }

  @Test func theLimitsOnReadingsAndBytesHold() async throws {
    var limits = LogWriter.Limits()
    limits.readings = 100
    limits.bytes = 10_000
    try await withStorage(limits: limits) { rig in
      let block = try CommitBlock(rig.database)
      let session = try await rig.writer.openSession(name: nil, owner: Owner())
      // The first goes to the connection, which is blocked.
      #expect(rig.writer.append(batch(1), sequence: 0, of: session) == .queued)
      try await eventually { rig.writer.openBatches == 0 }
      let sixty = ReadingColumns.scalars((1...60).map { ($0, 1) })
      #expect(rig.writer.append(sixty, sequence: 0, of: session) == .queued)
      #expect(rig.writer.append(sixty, sequence: 0, of: session) == .full)
      var wave = ReadingColumns()
      wave.addWaveform(1, 0, 0, Array(repeating: 1, count: 2_000))
      #expect(rig.writer.append(wave, sequence: 0, of: session) == .full)
      #expect(rig.writer.append(batch(2), sequence: 0, of: session) == .queued)
      block.end()
    }
  }

  @Test func aWaitForRoomEndsWithItsTask() async throws {
    var limits = LogWriter.Limits()
    limits.batches = 1
    try await withStorage(limits: limits) { rig in
      let block = try CommitBlock(rig.database)
      let session = try await rig.writer.openSession(name: nil, owner: Owner())
      // The first goes to the connection, which is blocked; the second takes the place.
      #expect(rig.writer.append(batch(1), sequence: 0, of: session) == .queued)
      try await eventually { rig.writer.openBatches == 0 }
      #expect(rig.writer.append(batch(2), sequence: 0, of: session) == .queued)
      let waiting = Task { try await rig.writer.waitForRoom() }
      try await eventually { rig.writer.waiterCount == 1 }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(rig.writer.waiterCount == 0)
      block.end()
    }
  }

  @Test func aBatchWithoutReadingsRecordsItsNumber() async throws {
    try await withStorage { rig in
      try await rig.commit([batch(1)])
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      #expect(rig.writer.append(ReadingColumns(), sequence: 4, of: session) == .queued)
      try await eventually { owner.batches == 1 }
      // Its position is the log's head: nothing was written there.
      #expect(owner.positions == [1])
      #expect(rig.writer.append(batch(2), sequence: 4, of: session) == .repeated(at: 1))
      rig.writer.closeSession(session)
      #expect(try await rig.writer.openSession(name: "a", owner: Owner()).firstSequence == 4)
      #expect(rig.tail.head == 1)
    }
  }

  @Test func aRowIsNoLongerThanAFrameTakes() async throws {
    try await withStorage { rig in
      let block = try CommitBlock(rig.database)
      let owner = Owner()
      let session = try await rig.writer.openSession(name: nil, owner: owner)
      #expect(rig.writer.append(batch(1), sequence: 0, of: session) == .queued)
      try await eventually { rig.writer.openBatches == 0 }
      var wave = ReadingColumns()
      wave.addWaveform(1, 0, 0, Array(repeating: 1, count: 40_000))
      let many = ReadingColumns.scalars((1...10_000).map { ($0, 1) })
      for _ in 0..<6 { #expect(rig.writer.append(wave, sequence: 0, of: session) == .queued) }
      for _ in 0..<5 { #expect(rig.writer.append(many, sequence: 0, of: session) == .queued) }
      block.end()
      try await eventually { owner.batches == 12 }
      let rows = try #require(rig.tail.rows(after: 1))
      #expect(rows.allSatisfy { $0.bytes <= 1 << 20 && $0.columns.count <= OpenRow.maxReadings })
      #expect(rows.reduce(0) { $0 + $1.columns.count } == 50_006)
      #expect(owner.positions == owner.positions.sorted())
    }
  }

  @Test func closeCommitsWhatWaitsAndTakesNothingMore() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("close")
    try await withStorage(on: database) { rig in
      let block = try CommitBlock(rig.database)
      let owner = Owner()
      let session = try await rig.writer.openSession(name: "a", owner: owner)
      for value in 1...5 {
        #expect(rig.writer.append(batch(Double(value)), sequence: UInt64(value), of: session) == .queued)
      }
      async let closing: Void = rig.writer.close()
      try await eventually { rig.writer.append(batch(5), sequence: 5, of: session) == .closed }
      block.end()
      await closing
      #expect(owner.batches == 5)
      #expect(try rig.stored().count == 5)
      // And a session that opens now finds the log closed instead of waiting for ever.
      let late = try await rig.writer.openSession(name: "a", owner: Owner())
      #expect(rig.writer.append(batch(7), sequence: 7, of: late) == .closed)
    }
  }
}

/// Hears of each commit.
private final class Observer: CommitObserver {
  let stage = CommitStage.feeds
  private let state = Mutex<[LogPosition]>([])
  func committed(_ rows: [CommittedRow]) { state.withLock { $0 += rows.map(\.position) } }
  var positions: [LogPosition] { state.withLock { $0 } }
}

extension LogWriter {
  /// What waits for the next commit.
  var openBatches: Int { monitor.withLock { $0.open.batches } }
  var waiterCount: Int { monitor.withLock { $0.waiters.count } }
  var registeredNames: [String] { monitor.withLock { $0.sessions.keys.sorted() } }
}
