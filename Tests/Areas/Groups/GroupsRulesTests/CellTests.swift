import Domain
import TestSupport
import Testing

@testable import GroupsRules

@Suite("B-R.D6: cells")
struct CellTests {
  private let scale = ValueScale.known["heart_rate"]!
  private let hour = Chunk.hour
  private let day: Int32 = 20_000
  private var begins: Microseconds { Microseconds(day) * 24 * hour }

  private func scalars(_ readings: [(time: Microseconds, value: Double)]) -> ScalarColumns {
    var columns = ScalarColumns()
    for reading in readings {
      columns.person.append(1)
      columns.metric.append(1)
      columns.source.append(0)
      columns.time.append(reading.time)
      columns.value.append(reading.value)
    }
    return columns
  }

  private func positions(_ places: [(time: Microseconds, latitude: Double)]) -> PositionColumns {
    var columns = PositionColumns()
    for place in places {
      columns.time.append(place.time)
      columns.latitude.append(place.latitude)
      columns.longitude.append(9)
    }
    return columns
  }

  private func rows(
    _ readings: [(time: Microseconds, value: Double)], _ places: [(time: Microseconds, latitude: Double)] = [],
    isCounted: Bool = false, countsFrom: Microseconds = 0
  ) -> [CellRow] {
    DayReadings.rows(
      of: 7, day: day, scalars(readings), positions(places), scale, isCounted: isCounted, countsFrom: countsFrom)
  }

  @Test func readingsCountInTheirHour() throws {
    let row = try #require(rows([(begins, 40), (begins + hour - 1, 130), (begins + 24 * hour - 1, 85)]).first)
    #expect(row.place == PlaceGrid.nowhere && row.person == 7)
    #expect(row.counts == [2] + [Int64](repeating: 0, count: 22) + [1])
    #expect(row.sums[0] == 65_535 && row.sums[23] == 32_768)
  }

  @Test func readingsOfAllSourcesAreOneValue() {
    var readings = scalars([(begins, 40), (begins + 1, 130)])
    readings.source = [1, 2]
    let found = DayReadings.rows(
      of: 7, day: day, readings, positions([]), scale, isCounted: false, countsFrom: 0)
    #expect(found.count == 1 && found.first?.counts.first == 2 && found.first?.sums.first == 65_535)
  }

  @Test func readingsOfBeforeTheChoiceOrAnotherDayDoNotCount() {
    #expect(rows([(begins + hour, 60)], countsFrom: begins + 2 * hour).isEmpty)
    #expect(rows([(begins - 1, 60), (begins + 24 * hour, 60)]).isEmpty)
    #expect(rows([(begins + 2 * hour, 60)], countsFrom: begins + 2 * hour).count == 1)
  }

  @Test("A reading is where the person was then: at the last position of the hour, or else at its first")
  func places() {
    let north = PlaceGrid.cell(latitude: 60, longitude: 9)
    let south = PlaceGrid.cell(latitude: 40, longitude: 9)
    let found = rows(
      [
        (begins + 10, 60), (begins + 30, 60), (begins + 50, 60), (begins + hour, 60), (begins + 2 * hour + 5, 60),
      ],
      [(begins + 20, 60), (begins + 50, 40), (begins + 2 * hour + 9, 60)])
    #expect(found.map(\.place) == [PlaceGrid.nowhere, south, north])
    #expect(found.map { Array($0.counts.prefix(3)) } == [[0, 1, 0], [1, 0, 0], [2, 0, 1]])
  }

  @Test func whatIsCountedIsAddedUpOverAnHour() throws {
    let steps = ValueScale.known["steps"]!
    let found = DayReadings.rows(
      of: 1, day: day, scalars([(begins, 300), (begins + 1, 450), (begins + 2, 9_000)]),
      positions([(begins, 60), (begins + 2, 40)]), steps, isCounted: true, countsFrom: 0)
    #expect(found.map { $0.counts[0] } == [0, 1], "an hour counts once")
    #expect(found.map { $0.sums[0] } == [65_535, 16_384])
  }

  @Test func columnsGiveBackTheRows() throws {
    var generator = SeededGenerator(seed: 5)
    for greatest in [0, 200, 60_000, 4_000_000_000, 1 << 50] as [Int64] {
      let rows = (0..<100).map { person in
        CellRow(
          person: UInt16(person / 2), place: person % 2 == 0 ? PlaceGrid.nowhere : 20_000_000,
          counts: (0..<24).map { _ in Int64.random(in: 0...greatest, using: &generator) / 24 },
          sums: (0..<24).map { _ in Int64.random(in: 0...greatest, using: &generator) / 24 })
      }
      let cells = DayCells(rows.reversed())
      #expect(cells.rows == rows)
      #expect(try DayCells(columns: cells.columns).rows == rows)
    }
    #expect(try DayCells(columns: DayCells().columns).rows.isEmpty)
  }

  @Test func bytesThatAreNoColumnsAreAnError() {
    let good = DayCells([CellRow(person: 1, place: 2)]).columns
    #expect(throws: CellError.self) { try DayCells(columns: Array(good.dropLast())) }
    for column in good.indices {
      var bad = good
      bad[column].append(0)
      #expect(throws: CellError.self) { try DayCells(columns: bad) }
      bad[column] = []
      #expect(throws: CellError.self) { try DayCells(columns: bad) }
    }
  }

  @Test func personsAreReplacedWithAllTheirRows() {
    var cells = DayCells([CellRow(person: 1, place: 2), CellRow(person: 1, place: 3), CellRow(person: 4, place: 2)])
    cells.replace([1, 9], by: [CellRow(person: 9, place: 1)])
    #expect(cells.rows.map(\.person) == [4, 9])
  }

  @Test func partsNumberTheirPersons() {
    for person in [1, 4_095, 4_096, 1_000_000_001, 1 << 40] as [Int64] {
      #expect(DayCells.person(DayCells.number(of: person), of: DayCells.part(of: person)) == person)
    }
  }

  @Test func meansAreOnTheScale() {
    for value in [40, 61.3, 85, 130] {
      let steps = scale.step(of: value)
      #expect(abs(scale.value(atPlace: Double(ValueScale.place(ofSteps: 3 * steps, count: 3))) - value) <= 0.46)
    }
    #expect(ValueScale.place(ofSteps: 9 * 65_535, count: 1) == 100, "several values of an hour are at most the end")
  }

  /// Of two days: one tally of both, then one for each hour.
  private func tallies(_ days: [[CellRow]], at places: CellSet?) throws -> [Tally] {
    var part = PartTally(buckets: 1 + CellRow.hours)
    for rows in days {
      let columns = DayCells(rows).columns
      let persons = try CellKeys.persons(columns[DayCells.who])
      let at = try CellKeys.places(columns[DayCells.place])
      let ends = [nil] + (try columns[1...CellRow.hours].map { try CellColumn($0) })
      var all = PartMembers()
      for person in 0..<UInt16(DayCells.persons) { all.add(person) }
      try part.add(persons, at: at, from: nil, to: ends[24]!, bucket: 0, members: all, asked: places)
      for hour in 0..<CellRow.hours {
        try part.add(
          persons, at: at, from: ends[hour], to: ends[hour + 1]!, bucket: 1 + hour, members: all, asked: places)
      }
    }
    return part.tallies
  }

  /// What somebody may send on a day: nothing, little or much, of one value or of many, wherever they like.
  private func anything(of day: Int32, isCounted: Bool, using generator: inout SeededGenerator) -> [CellRow] {
    let begins = Microseconds(day) * 24 * hour
    let ends = [scale.lower, scale.upper, (scale.lower + scale.upper) / 2, -1e300, 1e300]
    let only = generator.chance(0.5) ? generator.pick(ends) : nil
    func times(_ most: Int) -> [Microseconds] {
      (0..<generator.pick([0, 1, most])).map { _ in begins + .random(in: 0..<24 * hour, using: &generator) }.sorted()
    }
    let readings = times(200).map {
      (time: $0, value: only ?? generator.pick(ends + [.random(in: 30...140, using: &generator)]))
    }
    let places = times(30).map { (time: $0, latitude: generator.pick([40.0, 60.0])) }
    return DayReadings.rows(
      of: 7, day: day, scalars(readings), positions(places), scale, isCounted: isCounted, countsFrom: 0)
  }

  @Test("Whatever one person sends, no tally changes by more than its noise is made for")
  func sensitivity() throws {
    var generator = SeededGenerator(seed: 9)
    let crowd = (0..<3).map {
      CellRow(person: $0, place: PlaceGrid.nowhere, counts: [1] + .init(repeating: 0, count: 23))
    }
    let numbers: [(Releases, (Tally) -> [Int64])] = [
      (.count, { [$0.persons] }), (.sum, { [$0.sum] }), (.squares, { [$0.squares] }), (.histogram, { $0.histogram }),
    ]
    var greatest: [UInt8: Int64] = [:]
    for trial in 0..<60 {
      let places = trial % 3 == 0 ? CellSet([PlaceGrid.cell(latitude: 60, longitude: 9)]) : nil
      let (one, other) = try (
        tallies(
          (0..<2).map { crowd + anything(of: day + $0, isCounted: trial % 2 == 0, using: &generator) }, at: places),
        tallies(
          (0..<2).map { crowd + anything(of: day + $0, isCounted: trial % 2 == 0, using: &generator) }, at: places)
      )
      for (release, of) in numbers {
        let change = zip(one, other).map { a, b in
          zip(of(a), of(b)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }.max()!
        #expect(change <= NoisyTally.sensitivitySquared(release))
        greatest[release.rawValue] = max(greatest[release.rawValue] ?? 0, change)
      }
    }
    for (release, _) in numbers {
      #expect(greatest[release.rawValue] == NoisyTally.sensitivitySquared(release), "somebody changes as much")
    }
  }
}
