import Domain
import Postgres
import TestSupport
import Testing

@testable import Groups
@testable import GroupsRules
@testable import Log

@Suite("B-R.D6: what a question reads", .timeLimit(.minutes(5))) struct GroupReaderTests {
  private static let begins: Microseconds = 1_700_006_400_000_000

  @Test func isTheSameWhoeverMatches() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      // Of two parts.
      try connection.query("SELECT setval(pg_get_serial_sequence('account', 'id'), \(DayCells.persons - 3))")
      let persons = try SeedPersons.add(
        6, sharing: [1], countsFrom: Self.begins, on: CalendarDate(utc: Self.begins)!, connection)
      #expect(Set(persons.map { DayCells.part(of: $0) }) == [0, 1])
      try connection.query("UPDATE person SET weight_kg = 130 WHERE account = $1", [.int8(persons[5])])
      var columns = ReadingColumns()
      for person in persons {
        columns.scalars.person.append(person)
        columns.scalars.metric.append(1)
        columns.scalars.source.append(0)
        columns.scalars.time.append(Self.begins)
        columns.scalars.value.append(70)
      }
      try await rig.commit([columns])
      try await rig.compact()
      #expect(try await rig.storage.groupCells.gather(for: 2 * Self.begins))
      for isExport in [false, true] {
        let everybody = try await read(from: nil, isExport, rig)
        let one = try await read(from: 120, isExport, rig)
        let nobody = try await read(from: 120, of: "nowhere", isExport, rig)
        #expect([everybody.persons, one.persons, nobody.persons] == [6, 1, 0])
        #expect(everybody.rows >= 4, "who, and what until the end of the day, of two parts")
        #expect(one.rows == everybody.rows && nobody.rows == everybody.rows)
      }
    }
  }

  /// How many persons of a weight and an address count, and how many rows of cells are read to know it.
  private func read(
    from weight: Double?, of address: String = "", _ isExport: Bool, _ rig: Rig
  ) async throws -> (persons: Int64, rows: Int64) {
    let day = CalendarDate(utc: Self.begins)!
    let question = try GroupQuestion(
      metrics: ["heart_rate"],
      persons: .init(
        ages: AgeBands(from: nil, to: nil)!, weights: WeightBands(from: weight, to: nil)!, sex: nil, address: address),
      place: .anywhere, times: .init(days: day...day, slot: .day, timeZone: "UTC", buckets: .whole),
      statistics: isExport ? [.records] : [], precision: .high, personsMin: 1_000)
    let before = try await rowsRead(rig)
    let tallies = try await rig.storage.groupReader.tallies(of: question, rig.storage.metrics.catalog)
    let told = (isExport ? tallies.strata : tallies.buckets)["heart_rate"] ?? []
    return (told.reduce(0) { $0 + $1.persons }, try await rowsRead(rig) - before)
  }

  private func rowsRead(_ rig: Rig) async throws -> Int64 {
    // Each connection of the pool tells what it has counted.
    try await rig.pool.warmUp { _ = try $0.query("SELECT pg_stat_force_next_flush()") }
    return try rig.connection().query(
      "SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables WHERE relname = 'group_cell'"
    ).int64(0, 0)
  }
}
