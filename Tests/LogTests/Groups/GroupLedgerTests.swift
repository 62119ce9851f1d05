import Domain
import Postgres
import TestSupport
import Testing

@testable import Groups
@testable import GroupsRules
@testable import Log

@Suite("B-R.R6: who was in an answer is told of it", .timeLimit(.minutes(5))) struct GroupLedgerTests {
  private static let now: Microseconds = 1_700_006_400_000_000

  @Test func whoWithdrawsBetweenTheReadingAndTheAnswerIsTold() async throws {
    try await withStorage { rig in
      let town = try Town(rig)
      let read = try await town.read()
      let known = try #require(try await rig.storage.anonymousSharing.sharing(of: town.persons[0]))
      let outcome = try await rig.storage.anonymousSharing.change(known, of: town.persons[0], to: [], at: Self.now)
      guard case .changed = outcome else { throw WaitedInVain() }
      try await town.answer(of: read)
      #expect(try await town.told(town.persons[0]) == 1)
      #expect(try await town.told(town.persons[1]) == 1)
      // The next one is without them.
      try await town.answer(of: try await town.read())
      #expect(try await town.told(town.persons[0]) == 1)
      #expect(try await town.told(town.persons[1]) == 2)
    }
  }

  @Test func whoHasBegunToWithdrawAndIsNotDoneWhenItIsReadIsTold() async throws {
    try await withStorage { rig in
      let town = try Town(rig)
      let leaving = try rig.connection()
      try leaving.execute("BEGIN; DELETE FROM anonymous_metric WHERE person = \(town.persons[0])")
      let read = try await town.read()
      try leaving.execute("COMMIT")
      try await town.answer(of: read)
      #expect(try await town.told(town.persons[0]) == 1)
      // From the commit on they are in none.
      try await town.answer(of: try await town.read())
      #expect(try await town.told(town.persons[0]) == 1)
    }
  }

  /// Two persons who share a pulse, and a third party that asks about it.
  private struct Town {
    let rig: Rig
    let persons: [PersonID]
    let thirdParty: AccountID

    init(_ rig: Rig) throws {
      self.rig = rig
      let connection = try rig.connection()
      persons = try SeedPersons.add(
        2, sharing: [1], countsFrom: GroupLedgerTests.now - Chunk.hour, on: CalendarDate(utc: GroupLedgerTests.now)!,
        connection)
      thirdParty = try connection.query(
        """
        INSERT INTO account (kind, username, email, display_name)
        VALUES ('third_party', 'institute', 'institute@example.org', 'Institute') RETURNING id
        """
      ).int64(0, 0)
    }

    /// A question that has not been asked before.
    private func question() throws -> GroupQuestion {
      let day = CalendarDate(utc: GroupLedgerTests.now)!
      let count = try rig.connection().query("SELECT count(*) FROM group_answer").int64(0, 0)
      return try GroupQuestion(
        metrics: ["heart_rate"],
        persons: .init(
          ages: AgeBands(from: nil, to: nil)!, weights: WeightBands(from: nil, to: nil)!, sex: nil, address: ""),
        place: .anywhere, times: .init(days: day...day, slot: .day, timeZone: "UTC", buckets: .whole), statistics: [],
        precision: .high, personsMin: 1_000 + Int(count))
    }

    func read() async throws -> GroupTallies {
      try await rig.storage.groupReader.tallies(of: try question(), rig.storage.metrics.catalog)
    }

    /// Puts an answer down that is made of what was read.
    func answer(of read: GroupTallies) async throws {
      let asked = AskedQuestion(try question(), told: [], rig.storage.metrics.catalog)
      try await rig.storage.groupAnswers.reserve(
        asked, for: thirdParty, in: 2023, payment: nil, .standard, at: GroupLedgerTests.now)
      _ = try await rig.storage.groupAnswers.put(
        StoredAnswer(answer: [], cost: asked.question.loss, gathered: GroupLedgerTests.now, isRefused: false),
        of: read.snapshot,
        to: asked, for: thirdParty, in: 2023, GroupEpoch(begins: 0, gathered: 0), payment: nil, at: GroupLedgerTests.now
      )
    }

    /// Of how many answers a person is told.
    func told(_ person: PersonID) async throws -> Int {
      try await rig.storage.groupDisclosures.list(of: person, before: .max, limit: 9).count
    }
  }
}
