import ExpenditureRules
import Log
import Postgres
import TestSupport
import Testing

@testable import Expenditure

@Suite(.timeLimit(.minutes(5))) struct EditionStoreTests {
  /// Releases without figures.
  private func publish(_ numbers: ClosedRange<Int>, _ rig: ServiceRig) throws {
    _ = try rig.connection().query(
      """
      INSERT INTO expenditure_release (number, created_at, published_at, note, checked_at, checks)
      SELECT number, now(), now(), '', now(), '' FROM generate_series($1, $2) AS number
      """, [.int4(Int32(numbers.lowerBound)), .int4(Int32(numbers.upperBound))])
  }

  @Test("S-NFR10: numbers that somebody makes up push no edition out of memory")
  func madeUpNumbers() async throws {
    try await withServer { rig in
      try publish(1...1, rig)
      let editions = rig.storage.editions
      let first = try #require(try await editions.edition(1))
      for number in 2...Int64(2 * EditionStore.editionsMax) {
        #expect(try await editions.edition(number) == nil)
        #expect(try await editions.edition(.max - number) == nil)
        #expect(try await editions.edition(-number) == nil)
      }
      #expect(try await editions.edition(1) === first)
    }
  }

  @Test("A published release is there at once for whoever names it, and soon for who asks for the newest")
  func newRelease() async throws {
    try await withServer { rig in
      let editions = rig.storage.editions
      #expect(try await editions.edition(0) == nil)
      try publish(1...1, rig)
      #expect(try await editions.edition(0)?.facts.release == 1)
      try publish(2...2, rig)
      #expect(try await editions.edition(2)?.facts.release == 2)
      try await eventually { try await editions.edition(0)?.facts.release == 2 }
    }
  }

  @Test("At most four editions are in memory: the one that nobody has asked for the longest goes")
  func fewEditions() async throws {
    try await withServer { rig in
      let count = EditionStore.editionsMax
      try publish(1...count + 1, rig)
      let editions = rig.storage.editions
      var read: [Edition] = []
      for number in 1...count { read.append(try #require(try await editions.edition(Int64(number)))) }
      #expect(try await editions.edition(1) === read[0])
      #expect(try await editions.edition(Int64(count + 1)) != nil)
      #expect(try await editions.edition(1) === read[0])
      #expect(try await editions.edition(2) !== read[1])
    }
  }

  @Test("An edition that could not be read is asked for again, and is there when it can be")
  func unreadEdition() async throws {
    try await withServer { rig in
      try publish(1...1, rig)
      let editions = rig.storage.editions
      try rig.connection().query("ALTER TABLE expenditure_figure RENAME TO expenditure_figure_away")
      await #expect(throws: PostgresError.self) { try await editions.edition(1) }
      try rig.connection().query("ALTER TABLE expenditure_figure_away RENAME TO expenditure_figure")
      #expect(try await editions.edition(1)?.facts.release == 1)
    }
  }
}
