import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// Changes of requests for access stand in the log, in one order with the readings (A-R5 to A-R7).
@Suite(.timeLimit(.minutes(5))) struct AccessEntryTests {
  private let now: Microseconds = 1_700_000_000_000_000

  /// A person and a third party.
  private func parties(_ rig: Rig) throws -> (person: PersonID, thirdParty: AccountID) {
    let connection = try rig.connection()
    let add = "INSERT INTO account (kind, display_name) VALUES ($1, $2) RETURNING id"
    let person = try connection.query(add, [.text("person"), .text("P")]).int64(0, 0)
    return (person, try connection.query(add, [.text("third_party"), .text("T")]).int64(0, 0))
  }

  private func proposal(
    _ parties: (person: PersonID, thirdParty: AccountID), requestID: String? = nil,
    metrics: Set<MetricID> = [Metrics.heartRate], time: Range<Microseconds> = .min..<(.max)
  ) -> AccessProposal {
    AccessProposal(
      thirdParty: parties.thirdParty, person: parties.person, requestID: requestID,
      scope: AccessScope(metrics: metrics, time: time, granularity: .second), purpose: "care")
  }

  /// A request that is pending.
  private func pending(
    _ rig: Rig, _ parties: (person: PersonID, thirdParty: AccountID), time: Range<Microseconds> = .min..<(.max)
  ) async throws -> AccessRecord {
    let id = try #require(try await rig.storage.access.request(proposal(parties, time: time), at: now))
    return try #require(try await rig.storage.access.find(id))
  }

  @Test func eachChangeHasAPositionOfItsOwnBetweenTheReadings() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      try await rig.commit([.scalars([(1, 1)])])
      let record = try await pending(rig, parties)
      #expect((record.state, record.position) == (.pending, 2))
      try await rig.commit([.scalars([(2, 2)])])
      #expect(try await rig.storage.access.change(record, to: .accepted, at: now) == 4)
      try await rig.commit([.scalars([(3, 3)])])
      #expect(try await rig.storage.access.change(record, to: .revoked, at: now) == 6)
      let head = rig.tail.head
      #expect(head == 6)
      for account in [parties.person, parties.thirdParty] {
        let changes = try await rig.storage.access.changes(of: account, after: 0, through: head, limit: 10)
        #expect(changes.map(\.position) == [2, 4, 6])
        #expect(changes.map(\.change.state) == [.pending, .accepted, .revoked])
      }
      #expect(try await rig.storage.access.changes(of: 77, after: 0, through: head, limit: 10).isEmpty)
    }
  }

  @Test func atMostTenThousandRequestsOfAThirdPartyWaitInAll() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      let first = try await pending(rig, parties)
      let connection = try rig.connection()
      // As many others as may wait beside it and one more.
      _ = try connection.query(
        """
        WITH persons AS (
          INSERT INTO account (kind, display_name) SELECT 'person', 'Q' FROM generate_series(1, $2) RETURNING id
        )
        INSERT INTO access_request (third_party, person, metrics, from_us, to_us, granularity, purpose, state, position)
        SELECT third_party, p.id, metrics, from_us, to_us, granularity, purpose, state, position
        FROM access_request r, persons p WHERE r.id = $1
        """, [.int8(first.id), .int4(Int32(AccessRegistry.maxPending - 2))])
      #expect(try await rig.storage.access.request(proposal(parties), at: now) != nil)
      #expect(try await rig.storage.access.request(proposal(parties), at: now) == nil)
      let other = try self.parties(rig)
      #expect(try await rig.storage.access.request(proposal((other.person, parties.thirdParty)), at: now) == nil)
      #expect(try await rig.storage.access.request(proposal((parties.person, other.thirdParty)), at: now) != nil)
      // One that is decided makes room for one.
      #expect(try await rig.storage.access.change(first, to: .refused, at: now) != nil)
      #expect(try await rig.storage.access.request(proposal((other.person, parties.thirdParty)), at: now) != nil)
    }
  }

  @Test func onlyWhatMayFollowFollowsAndNothingChangesAtAllOtherwise() async throws {
    try await withStorage { rig in
      for first in AccessState.allCases where first.mayFollow(.pending) || first == .pending {
        for path in [[], [.accepted]] as [[AccessState]] {
          for next in AccessState.allCases {
            // Of a pair of its own: only ten of one pair may wait.
            let record = try await pending(rig, parties(rig))
            for state in path { _ = try await rig.storage.access.change(record, to: state, at: now) }
            let before = try #require(try await rig.storage.access.find(record.id))
            let head = rig.tail.head
            let position = try await rig.storage.access.change(record, to: next, at: now)
            let after = try #require(try await rig.storage.access.find(record.id))
            if next.mayFollow(before.state) {
              #expect(position == head + 1 && after.state == next && after.position == position)
            } else {
              #expect(position == nil && after == before && rig.tail.head == head)
            }
          }
        }
      }
    }
  }

  @Test func aRequestIDMakesOneRequestHoweverOftenItComes() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      let made = try await withThrowingTaskGroup(of: AccessRequestID?.self) { group in
        for _ in 0..<20 {
          group.addTask { try await rig.storage.access.request(proposal(parties, requestID: "once"), at: now) }
        }
        return try await group.reduce(into: [AccessRequestID?]()) { $0.append($1) }
      }
      #expect(made.compactMap { $0 }.count == 1)
      let known = try await rig.storage.access.find(thirdParty: parties.thirdParty, requestID: "once")
      #expect(known?.id == made.compactMap { $0 }.first)
      #expect(rig.tail.head == 1)
    }
  }

  @Test func whoRevokesAndWhoWithdrawsAtOnceLeavesOneEnd() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      for _ in 0..<20 {
        let record = try await pending(rig, parties)
        _ = try await rig.storage.access.change(record, to: .accepted, at: now)
        async let revoked = rig.storage.access.change(record, to: .revoked, at: now)
        async let withdrawn = rig.storage.access.change(record, to: .withdrawn, at: now)
        let positions = try await [revoked, withdrawn].compactMap { $0 }
        #expect(positions.count == 1)
        #expect(try await rig.storage.access.find(record.id)?.position == positions[0])
      }
    }
  }

  @Test func aReaderUnderAGrantFindsItsChangesAmongTheReadingsWhereverTheyAre() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      func readings(_ times: ClosedRange<Int64>) -> ReadingColumns {
        .scalars(person: parties.person, times.map { ($0, Double($0)) })
      }
      try await rig.commit([readings(1...3)])
      let record = try await pending(rig, parties, time: 2..<7)
      let other = try await pending(rig, parties)
      _ = try await rig.storage.access.change(record, to: .accepted, at: now)
      try await rig.commit([readings(4...5), readings(6...8)])
      _ = try await rig.storage.access.change(other, to: .accepted, at: now)
      _ = try await rig.storage.access.change(record, to: .revoked, at: now)
      try await rig.commit([readings(3...3)])
      let filter = ReadingFilter(
        persons: [parties.person], metrics: [Metrics.heartRate], time: 2..<7, entries: [.grant(record.id)])

      func check(after start: LogPosition, _ expected: [String]) async throws {
        var reader = CatchUpReader(pool: rig.pool, filter: filter)
        var position = start
        var found: [String] = []
        while position < rig.tail.head {
          let page = try await reader.page(after: position, through: rig.tail.head)
          for frame in page.rows.frames(maxBytes: 1 << 20) {
            if let change = frame[frame.startIndex].change {
              #expect(frame.count == 1)
              found.append("\(change.state)@\(frame[frame.startIndex].position)")
            } else {
              found += frame.flatMap { row in row.columns.scalars.time.sorted().map { "\($0)" } }
            }
          }
          position = page.reached
        }
        #expect(found == expected)
      }
      for isCompacted in [false, true] {
        if isCompacted { try await rig.compact() }
        // The reading of time 3 was committed twice: a chunk keeps the later one.
        try await check(
          after: 0, ["2"] + (isCompacted ? [] : ["3"]) + ["pending@2", "accepted@4", "4", "5", "6", "revoked@8", "3"])
        try await check(after: 4, ["4", "5", "6", "revoked@8", "3"])
        try await check(after: 8, ["3"])
      }
    }
  }

  @Test func grantsExpireThirtyDaysAfterTheirIntervalOrTheirBeginning() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      let day: Microseconds = 86_400_000_000
      for (end, expected) in [(now - 400 * day, now + 30 * day), (now + 5 * day, now + 35 * day), (.max, nil)] {
        let record = try await pending(rig, parties, time: .min..<end)
        #expect(record.expires == nil)
        _ = try await rig.storage.access.change(record, to: .accepted, at: now)
        #expect(try await rig.storage.access.find(record.id)?.expires == expected)
      }
      #expect(try await rig.storage.access.expiredGrants(at: now + 29 * day, limit: 10).isEmpty)
      #expect(try await rig.storage.access.expiredGrants(at: now + 30 * day, limit: 10).count == 1)
      #expect(try await rig.storage.access.expiredGrants(at: now + 35 * day, limit: 10).count == 2)
      let head = rig.tail.head
      #expect(try await rig.storage.access.endExpiredGrants(at: now + 35 * day) == 2)
      #expect(try await rig.storage.access.endExpiredGrants(at: now + 35 * day) == 0)
      #expect(rig.tail.head == head + 2)
    }
  }

  @Test func nothingIsAskedOrGrantedWhereAnAccountHasEnded() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      let record = try await pending(rig, parties)
      for account in [parties.person, parties.thirdParty] {
        let connection = try rig.connection()
        try connection.query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(account)])
        #expect(try await rig.storage.access.request(proposal(parties), at: now) == nil)
        #expect(try await rig.storage.access.change(record, to: .accepted, at: now) == nil)
        try connection.query("UPDATE account SET state = 'active' WHERE id = $1", [.int8(account)])
      }
      #expect(try await rig.storage.access.change(record, to: .accepted, at: now) != nil)
    }
  }

  @Test func aCommitThatWasNotHeardOfIsFoundAgainWithItsEntries() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      let record = try await pending(rig, parties)
      func request(_ state: AccessState) -> EntryRequest {
        rig.storage.access.entry(record, to: state, at: now)
      }
      var group = CommitGroup()
      let session = try await rig.writer.openSession(name: "a", owner: Owner())
      let columns = ReadingColumns.scalars([(1, 1)])
      group.append(PendingEntry(request(.revoked)))  // Does not hold.
      group.append(PendingEntry(request(.accepted)))
      group.append(columns, for: ClientPersons(), bytes: columns.approximateBytes, sequence: 1, of: session)
      group.append(PendingEntry(request(.refused)))  // Does not hold.
      group.append(PendingEntry(request(.revoked)))
      let payload = BlockCodec.encode(columns)
      let payloads: [[UInt8]] = [[], [], payload, [], []]
      var transaction = CommitTransaction(database: rig.database, pool: rig.pool, opened: { _ in })
      let first = try transaction.commit(group, payloads: payloads, isRetry: false)
      #expect(first == [nil, 2, 3, nil, 4])
      #expect(try transaction.commit(group, payloads: payloads, isRetry: true) == first)
      transaction.close()
      #expect(try transaction.commit(group, payloads: payloads, isRetry: true) == first)
      transaction.close()
    }
  }

  @Test func entriesWaitWhilePostgreSQLDoesAndTheirTasksCanBeCancelled() async throws {
    try await withStorage { rig in
      let parties = try parties(rig)
      let (first, second) = (try await pending(rig, parties), try await pending(rig, parties))
      let block = try CommitBlock(rig.database)
      let waiting = Task { try await rig.storage.access.change(first, to: .accepted, at: now) }
      let cancelled = Task { try await rig.storage.access.change(second, to: .accepted, at: now) }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      block.end()
      let position = try await waiting.value
      #expect(position != nil)
    }
  }
}
