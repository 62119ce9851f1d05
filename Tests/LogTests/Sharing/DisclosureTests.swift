import Domain
import Postgres
import Synchronization
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// A grant, readings under it, and ledgers over one database.
private struct LedgerRig: Sendable {
  let rig: Rig
  let grant: AccessRecord
  let time = TestTime(GrantFixture.now)

  init(_ rig: Rig, metrics: Set<MetricID> = [1, 6, 8, 11]) async throws {
    self.rig = rig
    let fixture = try await GrantFixture(rig, metrics: metrics)
    grant = try #require(try await rig.storage.access.find(fixture.grant))
  }

  /// The ledger of a server process.
  func ledger(patience: Duration = .seconds(10)) -> DisclosureLedger {
    let time = time
    return DisclosureLedger(pool: rig.pool, database: rig.database, clock: { time.now }, patience: patience)
  }

  func list(_ ledger: DisclosureLedger) async throws -> [DisclosureRecord] {
    try await ledger.list(of: grant.person, request: nil, before: .max, limit: 100)
  }

  func heartRates(_ count: Int, from start: Microseconds = 0) -> ReadingColumns {
    .scalars(person: grant.person, (0..<count).map { (start + Int64($0) * 1_000_000, 70) })
  }

  /// The server process of a ledger ends without a word.
  func die(_ ledger: DisclosureLedger) async throws {
    ledger.lock.release()
    let connection = try rig.connection()
    try await eventually { try !InstanceLock.dead([ledger.lock.instance], connection).isEmpty }
  }

  func rowCount() throws -> Int64 {
    try rig.connection().query("SELECT count(*) FROM disclosure", []).int64(0, 0)
  }
}

/// A clock that a test moves.
final class TestTime: Sendable {
  private let time: Mutex<Microseconds>
  init(_ time: Microseconds) { self.time = Mutex(time) }
  var now: Microseconds { time.withLock { $0 } }
  func advance(by interval: Microseconds) { time.withLock { $0 += interval } }
}

@Suite struct DisclosureTests {
  @Test("A delivery has a row before its first reading, and one row however many readings")
  func oneRow() async throws {
    try await withStorage { rig in
      let rig = try await LedgerRig(rig)
      let ledger = rig.ledger()
      let disclosure = try await ledger.begin(rig.grant, kind: .stream, after: 3)
      #expect(try rig.rowCount() == 1)
      for second in 0..<50 {
        try await disclosure.note(rig.heartRates(100, from: Int64(second) * 100_000_000), through: Int64(4 + second))
        if second == 20 { try await ledger.writeChanged() }
      }
      rig.time.advance(by: 60_000_000)
      await disclosure.end()
      #expect(try rig.rowCount() == 1)
      #expect(ledger.openCount == 0)
      let record = try #require(try await rig.list(ledger).first)
      #expect(record.readingCount == 5_000 && record.metrics == [1] && !record.isAtMost)
      #expect(record.taken == 0...4_999_000_000)
      #expect(record.request == rig.grant.id && record.thirdParty == rig.grant.thirdParty && record.kind == .stream)
      #expect(record.began == GrantFixture.now && record.ended == GrantFixture.now + 60_000_000)
      await ledger.close()
    }
  }

  @Test("Every kind of reading counts, with its metric and the times of the oldest and the newest")
  func kinds() async throws {
    try await withStorage { rig in
      let rig = try await LedgerRig(rig)
      let ledger = rig.ledger()
      let disclosure = try await ledger.begin(rig.grant, kind: .export, after: 0)
      var columns = rig.heartRates(2, from: 50)
      columns.addPosition(rig.grant.person, 0, -7, [1, 2, 3])
      columns.addWaveform(rig.grant.person, 0, 5_000_000, [0, 1])
      try await disclosure.note(columns, through: 9)
      let record = try #require(try await rig.list(ledger).first)
      #expect(record.readingCount == 4 && record.metrics == [1, 8, 11] && record.taken == -7...5_000_000)
      #expect(record.kind == .export && record.ended == nil)
      await disclosure.end()
      await ledger.close()
    }
  }

  @Test("What a digest sends is written before it is sent")
  func digest() async throws {
    try await withStorage { rig in
      let rig = try await LedgerRig(rig)
      let ledger = rig.ledger()
      let disclosure = try await ledger.begin(rig.grant, kind: .digest, after: 0)
      try await disclosure.note(rig.heartRates(60), through: 10)
      #expect(try await rig.list(ledger).first?.readingCount == 60)
      // The server dies: nothing is added, for nothing can have been sent that is not there.
      try await rig.die(ledger)
      let next = rig.ledger()
      try await rig.rig.commit([rig.heartRates(500)])
      try await next.completeAbandoned()
      let record = try #require(try await rig.list(next).first)
      #expect(record.readingCount == 60 && record.isAtMost && record.ended != nil)
    }
  }

  @Test("At midnight UTC a new row begins, and both count what was sent in their day")
  func midnight() async throws {
    try await withStorage { rig in
      let rig = try await LedgerRig(rig)
      let ledger = rig.ledger()
      let disclosure = try await ledger.begin(rig.grant, kind: .stream, after: 0)
      try await disclosure.note(rig.heartRates(10), through: 1)
      let midnight = (GrantFixture.now / 86_400_000_000 + 1) * 86_400_000_000
      rig.time.advance(by: midnight - GrantFixture.now - 1)
      try await disclosure.note(rig.heartRates(5), through: 2)
      rig.time.advance(by: 1)
      try await disclosure.note(rig.heartRates(3), through: 3)
      try await ledger.writeChanged()
      rig.time.advance(by: 3 * 86_400_000_000)
      try await disclosure.note(rig.heartRates(2), through: 4)
      await disclosure.end()
      let records = try await rig.list(ledger)
      #expect(records.map(\.readingCount) == [2, 3, 15])
      #expect(records.map(\.began) == [midnight + 3 * 86_400_000_000, midnight, GrantFixture.now])
      #expect(records.map(\.ended) == [rig.time.now, midnight + 86_400_000_000, midnight])
      await ledger.close()
    }
  }

  @Test("After a crash the ledger says no less than was sent, and no more than could have been", arguments: 1...6)
  func crash(seed: UInt64) async throws {
    try await withStorage("crash\(seed)") { rig in
      var generator = Seeded(seed)
      let rig = try await LedgerRig(rig)
      let ledger = rig.ledger()
      let before = Int.random(in: 0...5, using: &generator)
      try await rig.rig.commit((0..<before).map { rig.heartRates(3, from: Int64($0) * 60_000_000) })
      let from = rig.rig.tail.head
      let disclosure = try await ledger.begin(rig.grant, kind: .stream, after: from)
      var sent: Int64 = 0
      var unwritten: Int64 = 0
      let batches = Int.random(in: 0...12, using: &generator)
      for batch in 0..<batches {
        // Half of them are somebody else's, or of a kind that is not granted.
        var columns = rig.heartRates(4, from: Int64(1_000 + batch * 10) * 1_000_000)
        columns.add(rig.grant.person + 1, 1, 0, Int64(batch), 1)
        columns.add(rig.grant.person, 5, 0, Int64(batch), 36)
        try await rig.rig.commit([columns])
        try await disclosure.note(
          columns.filtered(persons: [rig.grant.person], metrics: rig.grant.scope.metrics), through: rig.rig.tail.head)
        sent += 4
        unwritten += 4
        if Int.random(in: 0..<3, using: &generator) == 0 {
          try await ledger.writeChanged()
          unwritten = 0
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { try await rig.rig.compact() }
      }
      // Committed, but nobody knows whether it was delivered.
      try await rig.rig.commit([rig.heartRates(7, from: 900_000_000_000)])
      // While the server lives nobody completes its rows.
      let next = rig.ledger()
      try await next.completeAbandoned()
      #expect(try await rig.list(next).first?.ended == nil)
      try await rig.die(ledger)
      try await next.completeAbandoned()
      let record = try #require(try await rig.list(next).first)
      #expect(record.readingCount >= sent)
      #expect(record.readingCount == sent + 7)
      #expect(record.isAtMost && record.ended != nil && record.metrics == [1])
      #expect(record.taken?.upperBound == 900_006_000_000)
      // Once.
      try await next.completeAbandoned()
      #expect(try await rig.list(next) == [record])
    }
  }

  @Test("A stream stops while its row can't be written, and goes on after that")
  func patience() async throws {
    try await withStorage { rig in
      let rig = try await LedgerRig(rig)
      let ledger = rig.ledger(patience: .milliseconds(1))
      let disclosure = try await ledger.begin(rig.grant, kind: .stream, after: 0)
      // Nothing can be written into the table.
      let blocker = try rig.rig.connection()
      try blocker.execute("BEGIN; LOCK TABLE disclosure IN ACCESS EXCLUSIVE MODE")
      try await disclosure.note(rig.heartRates(1), through: 1)
      try await Task.sleep(for: .milliseconds(5))
      let sent = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await disclosure.note(rig.heartRates(1), through: 2)
          sent.add(1)
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(sent.value == 0)
        try blocker.execute("ROLLBACK")
        try await group.waitForAll()
      }
      #expect(try await rig.list(ledger).first?.readingCount == 2)
      await disclosure.end()
      await ledger.close()
    }
  }

  @Test("Many streams are written by one statement, and the ledger's own task ends those whose call was cancelled")
  func many() async throws {
    try await withStorage { rig in
      let rig = try await LedgerRig(rig)
      let ledger = rig.ledger()
      try await withThrowingTaskGroup(of: Void.self) { group in
        let upkeep = Task { await ledger.run(logger: quiet) }
        for stream in 1...100 {
          group.addTask {
            let disclosure = try await ledger.begin(rig.grant, kind: .stream, after: 0)
            try await disclosure.note(rig.heartRates(stream), through: 1)
            withUnsafeCurrentTask { $0?.cancel() }
            await disclosure.end()
          }
        }
        try await group.waitForAll()
        try await eventually { ledger.openCount == 0 }
        upkeep.cancel()
        await upkeep.value
      }
      let records = try await rig.list(ledger)
      #expect(records.count == 100 && records.allSatisfy { $0.ended != nil })
      #expect(records.reduce(0) { $0 + $1.readingCount } == 5_050)
      await ledger.close()
    }
  }

  @Test("A person's list holds the person's own rows, newest first, page by page, of one consent if asked for")
  func pages() async throws {
    try await withStorage { storage in
      let rig = try await LedgerRig(storage)
      let other = try await LedgerRig(storage)
      let ledger = rig.ledger()
      for _ in 0..<5 { await (try await ledger.begin(rig.grant, kind: .stream, after: 0)).end() }
      await (try await ledger.begin(other.grant, kind: .stream, after: 0)).end()
      let first = try await ledger.list(of: rig.grant.person, request: rig.grant.id, before: .max, limit: 3)
      let rest = try await ledger.list(of: rig.grant.person, request: nil, before: first[2].id, limit: 3)
      #expect(first.count == 3 && rest.count == 2)
      let ids = (first + rest).map(\.id)
      #expect(ids == ids.sorted(by: >))
      #expect(try await ledger.list(of: rig.grant.person, request: other.grant.id, before: .max, limit: 3).isEmpty)
      await ledger.close()
    }
  }
}
