import Domain
import Postgres
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

@Suite(.timeLimit(.minutes(5))) struct RegistryTests {
  /// B-R.D1: the kinds at the start.
  @Test func theRegistryBeginsWithTheKindsThatWearablesMeasure() async throws {
    try await withStorage { rig in
      let names = rig.storage.metrics.catalog.metrics.map(\.name)
      #expect(
        names == [
          "heart_rate", "systolic_blood_pressure", "diastolic_blood_pressure", "blood_glucose", "body_temperature",
          "blood_oxygen", "respiratory_rate", "ecg", "steps", "weight", "position",
        ])
      #expect(rig.storage.metrics.catalog["heart_rate"]?.loincCode == "8867-4")
      #expect(rig.storage.metrics.catalog["ecg"]?.kind == .waveform)
    }
  }

  /// B-3.7.4: a new kind while the server runs.
  @Test func aNewMetricIsTakenUpWhileTheServerRuns() async throws {
    try await withStorage { rig in
      #expect(rig.storage.metrics.catalog["lactate"] == nil)
      try rig.connection().execute(
        """
        INSERT INTO metric (id, name, display_name, kind, unit, minimum, maximum)
        VALUES (500, 'lactate', 'Blood lactate', 'scalar', 'mmol/L', 0, 40)
        """)
      try await rig.storage.metrics.refresh()
      #expect(rig.storage.metrics.catalog["lactate"]?.id == 500)
      var columns = ReadingColumns.scalars(metric: 500, [(1, 2.5)])
      #expect(rig.storage.metrics.rules.validate(&columns, by: .operator, now: 10).isEmpty)
    }
  }

  @Test func aMetricWhoseRangeIsNoRangeStopsNobody() async throws {
    try await withStorage { rig in
      // Whether the table takes it is not the question here.
      _ = try? rig.connection().execute(
        """
        INSERT INTO metric (id, name, display_name, kind, unit, minimum, maximum)
        VALUES (501, 'odd', 'Odd', 'scalar', '1', 0, 'NaN')
        """)
      try await rig.storage.metrics.refresh()
      #expect(rig.storage.metrics.catalog["heart_rate"] != nil)
    }
  }

  @Test func anAccountBringsNoMoreNamesThanAllowedAlsoAtOnce() async throws {
    try await withStorage { rig in
      let sources = rig.storage.sources
      let first = (0..<990).map { "name-\($0)" }
      #expect(try await sources.numbers(of: first, from: .person(1)).allSatisfy { $0 > 0 })
      let accepted = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          group.addTask {
            let numbers = try await sources.numbers(of: ["more-\(number)"], from: .person(1))
            if numbers[0] != ReadingRules.invalidSource { accepted.add(1) }
          }
        }
        try await group.waitForAll()
      }
      #expect(accepted.value == 10)
      // Others are not held up.
      #expect(try await sources.numbers(of: ["theirs"], from: .person(2))[0] != ReadingRules.invalidSource)
    }
  }

  @Test func aSourceKeepsItsNumberOverRestartsAndServers() async throws {
    let database = try TemporaryCluster.shared().freshDatabase("sources")
    var numbers: [SourceID] = []
    try await withStorage(on: database) { rig in
      let sources = rig.storage.sources
      #expect(sources.knownNumbers(of: ["cuff"]) == nil)
      numbers = try await sources.numbers(of: ["cuff", "", "line", "cuff"])
      #expect(numbers[0] == numbers[3] && numbers[1] == 0 && Set(numbers).count == 3)
      #expect(sources.knownNumbers(of: ["line", "cuff"]) == [numbers[2], numbers[0]])
      let long = String(repeating: "é", count: 32) + "x"
      #expect(try await sources.numbers(of: [long, String(long.dropLast())])[0] == ReadingRules.invalidSource)
      #expect(sources.knownNumbers(of: [long]) == [ReadingRules.invalidSource])
    }
    try await withStorage(on: database) { rig in
      let names = try await rig.storage.sources.names(of: [numbers[0], numbers[2], 0, 9_999])
      #expect(names == [numbers[0]: "cuff", numbers[2]: "line", 0: "", 9_999: ""])
      #expect(try await rig.storage.sources.numbers(of: ["cuff"]) == [numbers[0]])
    }
  }

  @Test func aPersonCanAddOnlySoManySources() async throws {
    try await withStorage(on: try TemporaryCluster.shared().freshDatabase("names")) { rig in
      let sources = rig.storage.sources
      let limit = SourceRegistry.maxNamesPerPerson
      let names = (0..<limit + 5).map { "watch-\($0)" }
      let numbers = try await sources.numbers(of: names, from: .person(7))
      #expect(numbers.filter { $0 == ReadingRules.invalidSource }.count == 5)
      #expect(try await sources.numbers(of: ["one more"], from: .person(7)) == [ReadingRules.invalidSource])
      // What is known already, others, and operators are not concerned.
      let known = try await sources.numbers(of: [names[0], "theirs"], from: .person(8))
      #expect(known.allSatisfy { $0 > 0 })
      let operators = try await sources.numbers(of: ["one more"])
      #expect(operators[0] > 0)
    }
  }

  @Test func twoServersThatMeetANameAtOnceGiveItOneNumber() async throws {
    try await withStorage { rig in
      let servers = (0..<8).map { _ in SourceRegistry(pool: rig.pool) }
      let numbers = try await withThrowingTaskGroup(of: SourceID.self) { group in
        for server in servers { group.addTask { try await server.numbers(of: ["new"])[0] } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(numbers.count == 1)
    }
  }

  @Test func aTokenStandsForItsPersonUntilItExpires() async throws {
    try await withStorage { rig in
      let (hash, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
      try await rig.storage.tokens.add(tokenHash: hash, for: 5)
      #expect(try await rig.storage.tokens.holder(tokenHash: hash)?.principal == .person(5))
      #expect(try await rig.storage.tokens.holder(tokenHash: other) == nil)
      try rig.connection().execute("UPDATE access_token SET expires_at = now() - interval '1 second'")
      #expect(try await rig.storage.tokens.holder(tokenHash: hash) == nil)
      await #expect(throws: PostgresError.self) { try await rig.storage.tokens.add(tokenHash: [1, 2], for: 5) }
    }
  }
}
