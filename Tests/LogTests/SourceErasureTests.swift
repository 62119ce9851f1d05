import Domain
import Postgres
import TestSupport
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// C-23: names of sources go with the last person whose readings are from them.
@Suite(.timeLimit(.minutes(5))) struct SourceErasureTests {
  private let ada: PersonID = 11
  private let bea: PersonID = 12

  private func names(_ rig: Rig) throws -> [String] {
    let rows = try rig.connection().query("SELECT name FROM reading_source ORDER BY name", [])
    return try (0..<rows.rowCount).map { try rows.string($0, 0) }
  }

  /// Commits a reading of each of some persons from a source.
  private func push(_ name: String, of persons: PersonID..., rig: Rig, at time: Microseconds = 1) async throws {
    let number = try await rig.storage.sources.numbers(of: [name])[0]
    for person in persons {
      var columns = ReadingColumns.scalars(person: person, [(time, 70)])
      columns.scalars.source = [number]
      try await rig.commit([columns])
    }
  }

  @Test func aNameThatOnlyTheErasedPersonsReadingsHadIsErasedWhoeverBroughtIt() async throws {
    try await withStorage { rig in
      _ = try await rig.storage.sources.numbers(of: ["Ada's phone"], from: .person(ada))
      try await push("Ada's watch", of: ada, rig: rig)
      try await push("watch", of: ada, bea, rig: rig)
      try await rig.storage.compactor.compactEverything()
      try await rig.storage.eraseReadings(of: ada)
      #expect(try names(rig) == ["watch"])
      try await rig.storage.eraseReadings(of: bea)
      #expect(try names(rig) == [])
    }
  }

  @Test func whoComesWithAnErasedNameMeanwhileHasItUnderItsNumber() async throws {
    try await withStorage { rig in
      try await push("watch", of: ada, rig: rig)
      try await rig.storage.compactor.compactEverything()
      let number = rig.storage.sources.knownNumbers(of: ["watch"])
      try await rig.storage.eraseReadings(of: ada)
      #expect(try names(rig) == [])
      // A stream that has known the number since before.
      try await push("watch", of: bea, rig: rig)
      try await rig.storage.compactor.compactEverything()
      #expect(try names(rig) == ["watch"])
      let stored = try rig.connection().query("SELECT id FROM reading_source", []).int32(0, 0)
      #expect([stored] == number)
      let again = SourceRegistry(pool: rig.pool)
      #expect(try await again.numbers(of: ["watch"]) == number)
    }
  }

  @Test func usesArePutDownOnceAndAgainAfterAnErasure() async throws {
    try await withStorage { rig in
      func uses() throws -> Int64 {
        try rig.connection().query("SELECT count(*) FROM reading_source_use", []).int64(0, 0)
      }
      for time in 1...2 as ClosedRange<Microseconds> {
        try await push("watch", of: ada, bea, rig: rig, at: time)
        try await rig.storage.compactor.compactEverything()
        #expect(try uses() == (time == 1 ? 2 : 0))
        try rig.connection().execute("DELETE FROM reading_source_use")
      }
      try await rig.storage.eraseReadings(of: ada)
      try await push("watch", of: ada, bea, rig: rig, at: 3)
      try await rig.storage.compactor.compactEverything()
      #expect(try uses() == 2)
      #expect(try names(rig) == ["watch"])
    }
  }

  /// A name that so many have tells of none of them: each of them cost a row, and would keep the name all the same.
  @Test func aNameOfMoreThanAHundredAtOnceIsKept() async throws {
    try await withStorage { rig in
      func uses() throws -> Int64 {
        try rig.connection().query("SELECT count(*) FROM reading_source_use", []).int64(0, 0)
      }
      func push(_ name: String, of persons: ClosedRange<PersonID>, at time: Microseconds) async throws {
        let number = try await rig.storage.sources.numbers(of: [name])[0]
        var columns = ReadingColumns()
        for person in persons { columns.append(contentsOf: ReadingColumns.scalars(person: person, [(time, 70)])) }
        columns.scalars.source = Array(repeating: number, count: persons.count)
        try await rig.commit([columns])
      }
      _ = try await rig.storage.sources.numbers(of: ["many"], from: .person(1))
      try await push("few", of: 1...100, at: 1)
      try await push("many", of: 1...101, at: 2)
      try await rig.storage.compactor.compactEverything()
      #expect(try uses() == 100)
      // Those that come later are of no more account, with this server and the next.
      try await push("many", of: 102...103, at: 3)
      try await rig.storage.compactor.compactEverything()
      let next = SourceRegistry(pool: rig.pool)
      try await next.load()
      #expect(next.uses.common == Set(rig.storage.sources.knownNumbers(of: ["many"])!))
      #expect(try uses() == 100)
      for person in 1...103 as ClosedRange<PersonID> { try await rig.storage.eraseReadings(of: person) }
      #expect(try names(rig) == ["many"])
    }
  }

  @Test func anErasedNameThatManyComeWithIsBack() async throws {
    try await withStorage { rig in
      try await push("watch", of: ada, rig: rig)
      try await rig.storage.compactor.compactEverything()
      try await rig.storage.eraseReadings(of: ada)
      #expect(try names(rig) == [])
      let number = rig.storage.sources.knownNumbers(of: ["watch"])![0]
      var columns = ReadingColumns()
      for person in 1...200 as ClosedRange<PersonID> {
        columns.append(contentsOf: ReadingColumns.scalars(person: person, [(2, 70)]))
      }
      columns.scalars.source = Array(repeating: number, count: 200)
      try await rig.commit([columns])
      try await rig.storage.compactor.compactEverything()
      #expect(try names(rig) == ["watch"])
      let isCommon = try rig.connection().query("SELECT is_common FROM reading_source", []).bool(0, 0)
      #expect(isCommon)
    }
  }

  @Test func namesInChunksFromBeforeUsesWereWrittenDownAreKeptForThoseWhoHaveThem() async throws {
    try await withStorage { rig in
      for hour in 0..<40 {
        try await push("watch", of: ada, bea, rig: rig, at: Microseconds(hour) * 3_600_000_000 + 1)
      }
      try await push("Ada's watch", of: ada, rig: rig, at: 7)
      try await rig.storage.compactor.compactEverything()
      try rig.connection().execute(
        "DELETE FROM reading_source_use; UPDATE log_state SET source_uses_complete = false")
      // As a server that has begun since.
      rig.storage.sources.uses.forget()
      try await rig.storage.completeSourceUses()
      try await rig.storage.eraseReadings(of: ada)
      #expect(try names(rig) == ["watch"])
      let isComplete = try rig.connection().query("SELECT source_uses_complete FROM log_state", []).bool(0, 0)
      #expect(isComplete)
    }
  }

  /// A client of its own name commits a reading of each of some persons, from a source that all have.
  private func push(as client: String, of persons: PersonID..., rig: Rig) async throws {
    let number = try await rig.storage.sources.numbers(of: ["strap"])[0]
    // What a stream does at its hello.
    _ = try await rig.storage.sources.numbers(of: [String(client.split(separator: "/").last!)])
    let owner = Owner()
    let session = try await rig.writer.openSession(name: client, owner: owner)
    for (index, person) in persons.enumerated() {
      var columns = ReadingColumns.scalars(person: person, [(1, 70)])
      columns.scalars.source = [number]
      let sequence = session.firstSequence + UInt64(index) + 1
      #expect(rig.writer.append(columns, sequence: sequence, of: session) == .queued)
      try await eventually { owner.batches == index + 1 }
    }
    rig.writer.closeSession(session)
  }

  private func clients(_ rig: Rig) throws -> [String] {
    let rows = try rig.connection().query("SELECT name FROM ingest_client ORDER BY name", [])
    return try (0..<rows.rowCount).map { try rows.string($0, 0) }
  }

  @Test func theNameOfAClientGoesWithTheLastPersonForWhomItPushed() async throws {
    try await withStorage { rig in
      try await push(as: "bridge/7/adas-phone", of: ada, rig: rig)
      try await push(as: "bridge/7/adas-phone", of: ada, rig: rig)
      try await push(as: "bridge/7/home", of: ada, bea, rig: rig)
      // Two bridges, one name: it is Bea's too.
      try await push(as: "bridge/7/phone", of: ada, rig: rig)
      try await push(as: "bridge/8/phone", of: bea, rig: rig)
      try await push(as: "operator/import", of: bea, rig: rig)
      try await rig.storage.compactor.compactEverything()
      try await rig.storage.eraseReadings(of: ada)
      #expect(try clients(rig) == ["bridge/7/home", "bridge/8/phone", "operator/import"])
      #expect(try names(rig) == ["home", "import", "phone", "strap"])
      // The client that is no more begins its count anew, and is there again with whoever it pushes for.
      try await push(as: "bridge/7/adas-phone", of: bea, rig: rig)
      #expect(try clients(rig).contains("bridge/7/adas-phone"))
      try await rig.storage.eraseReadings(of: bea)
      #expect(try clients(rig) == [])
      #expect(try names(rig) == [])
    }
  }

  @Test func theNameOfAClientOfMoreThanAHundredIsKept() async throws {
    try await withStorage { rig in
      for person in 1...51 as ClosedRange<PersonID> {
        try await push(as: "bridge/7/ward", of: person, 50 + person, rig: rig)
        if person == 50 {
          try await push(as: "bridge/7/room", of: 1, 2, 3, rig: rig)
          let known = try rig.connection().query(
            "SELECT cardinality(persons) FROM ingest_client WHERE name = 'bridge/7/ward'", [])
          #expect(try known.int32(0, 0) == 100)
        }
      }
      try await rig.storage.compactor.compactEverything()
      for person in 1...101 as ClosedRange<PersonID> { try await rig.storage.eraseReadings(of: person) }
      #expect(try clients(rig) == ["bridge/7/ward"])
    }
  }

  @Test func namesOfClientsGoWithTheirDevices() async throws {
    try await withStorage { rig in
      try rig.connection().execute(
        """
        WITH a AS (INSERT INTO account (kind) VALUES ('person') RETURNING id), d AS (
          INSERT INTO device (person, name, revoked_at)
          SELECT id, name, now() - age FROM a, (VALUES ('old', interval '31 days'), ('new', '1 day')) AS v (name, age)
          RETURNING id, name)
        INSERT INTO ingest_client (name, last_sequence, last_position)
        SELECT 'device/' || id || '/' || name || '/x', 1, 1 FROM d
        """)
      try await rig.storage.sessions.sweep()
      let left = try rig.connection().query("SELECT name FROM ingest_client", [])
      #expect(try left.rowCount == 1 && left.string(0, 0).hasSuffix("/new/x"))
    }
  }
}
