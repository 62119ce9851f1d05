import Domain
import TestSupport
import Testing

@testable import GroupsRules

@Suite("A-R10, B-R.R5: rows without identifiers")
struct RecordTests {
  private let scale = ValueScale.known["heart_rate"]!
  private let strata: [Stratum] = {
    let ages: [(Int, Int?)] = [(18, 29), (30, 39), (40, 49), (50, 59), (60, 69), (70, 79), (80, nil)]
    return ages.flatMap { from, to in Sex.allCases.map { Stratum(fromAge: from, toAge: to, sex: $0) } }
  }()
  private let least = GroupThreshold(personsMin: 1_000, precision: .high)

  private func persons(from: Int? = nil, to: Int? = nil, of sex: Sex? = nil) throws -> GroupQuestion.Persons {
    try .init(
      ages: try #require(AgeBands(from: from, to: to)), weights: try #require(WeightBands(from: nil, to: nil)),
      sex: sex,
      address: "")
  }

  private func ages(_ strata: [Stratum]) -> [String] {
    strata.map { "\($0.fromAge)-\($0.toAge.map { "\($0)" } ?? "")" }
  }

  // MARK: strata

  @Test func strataAreAgesOfTenYearsOfEachSex() throws {
    let women = try Stratum.all(of: persons(of: .female))
    #expect(ages(women) == ["18-29", "30-39", "40-49", "50-59", "60-69", "70-79", "80-"])
    #expect(women.allSatisfy { $0.sex == .female })
    #expect(try ages(Stratum.all(of: persons(from: 25, to: 44, of: .male))) == ["25-29", "30-39", "40-44"])
    #expect(try ages(Stratum.all(of: persons(from: 82, of: .male))) == ["80-"])
    #expect(try ages(Stratum.all(of: persons(from: 60, to: 84, of: .male))) == ["60-69", "70-79", "80-84"])
    #expect(try Stratum.all(of: persons()).count == 2 * 7)
  }

  @Test("Every person of a question is in exactly one stratum, nobody else is in any, and nobody under 18")
  func everybodyIsInOneStratum() throws {
    for from in [0, 18, 25, 30, 60, 80, 85, 90] {
      for to in [18, 24, 29, 30, 44, 79, 80, 84, 89, 90, AgeBands.greatest] where to >= from {
        for sex in [nil, Sex.female, .male] {
          let asked = try persons(from: from, to: to, of: sex)
          let strata = Stratum.all(of: asked)
          for (age, of) in (Array(0...95) + [AgeBands.greatest]).flatMap({ age in Sex.allCases.map { (age, $0) } }) {
            let those = strata.count { $0.sex == of && $0.fromAge <= age && age <= $0.toAge ?? age }
            let isAsked = age >= 18 && asked.ages.contains(age: age) && (sex ?? of) == of
            #expect(those == (isAsked ? 1 : 0), "\(from) to \(to): \(age)")
          }
        }
      }
    }
  }

  @Test func aPartAddsEachPersonUpInTheirStratum() throws {
    var members = PartMembers()
    for (person, stratum) in [(3, 0), (9, 2), (4_095, 2), (7, 1)] { members.add(UInt16(person), stratum: stratum) }
    // Person 7 has nothing, and 8 does not count.
    let rows: [(UInt16, Int64)] = [(3, 0), (8, 65_535), (9, 65_535), (4_095, 32_768)]
    let cells = DayCells(
      rows.map { person, sum in
        var row = CellRow(person: person, place: PlaceGrid.nowhere)
        (row.counts[5], row.sums[5]) = (1, sum)
        return row
      })
    let numbers = try CellKeys.persons(cells.columns[DayCells.who])
    let until = try CellColumn(cells.columns[24])
    var part = PartTally(buckets: 1)
    try part.add(numbers, at: [], from: nil, to: until, bucket: 0, members: members, asked: nil)
    let tallies = part.tallies(of: members, strata: 3)
    #expect(tallies.map(\.persons) == [1, 0, 2])
    #expect(tallies[0].histogram[0] == 1 && tallies[2].histogram[10] == 1 && tallies[2].histogram[19] == 1)
    #expect(tallies.reduce(into: Tally()) { $0.add($1) } == part.tallies[0])
  }

  // MARK: the mechanism

  /// Persons of 14 strata, of whom each is a little older and slower than the one before.
  private func town(_ count: Int, isRelated: Bool = true, _ generator: inout SeededGenerator) -> [Tally] {
    var strata = [Tally](repeating: Tally(), count: 14)
    for person in 0..<count {
      let stratum = person % 14
      let level = isRelated ? 90 - 3 * Double(stratum) : 70
      let value = level + 10 * (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
      strata[stratum].add(place: ValueScale.place(ofSteps: scale.step(of: value), count: 1))
    }
    return strata
  }

  /// The tables that noise is added to.
  private let tables: [(Releases, ([Tally]) -> [Int64])] = [
    (.histogram, { $0.reduce(into: Tally()) { $0.add($1) }.histogram }), (.strata, { $0.map(\.persons) }),
    (.cells, { $0.flatMap(\.histogram) }),
  ]

  @Test("Each person is in exactly one cell of each table, and nobody changes one by more than its noise is made for")
  func sensitivity() {
    let steps = Int64(ValueScale.steps)
    // A person who is not there, and one of each of some strata, at each of some places.
    let (places, others): ([Int64], [Int64]) = ([-steps - 5, -steps, -1, 0, 91, steps], [-80, 3, 99])
    var data: [(Int, Int64)?] = [nil]
    for stratum in 0..<3 { data += places.map { (stratum, $0) } }
    let towns: [[Tally]] = data.map { one in
      var strata = [Tally](repeating: Tally(), count: 3)
      for (stratum, place) in others.enumerated() { strata[stratum].add(place: place) }
      if let (stratum, place) = one { strata[stratum].add(place: place) }
      return strata
    }
    for (release, of) in tables {
      #expect(towns.dropFirst().allSatisfy { of($0).reduce(0, +) == 4 } && of(towns[0]).reduce(0, +) == 3)
      var greatest: Int64 = 0
      for a in towns {
        for b in towns {
          let change: Int64 = zip(of(a), of(b)).map { ($0 - $1) * ($0 - $1) }.reduce(0, +)
          greatest = max(greatest, change)
        }
      }
      #expect(greatest == NoisyTally.sensitivitySquared(release))
    }
  }

  @Test func everyNumberHasTheNoiseThatItCosts() throws {
    var generator = SeededGenerator(seed: 11)
    let people = town(2_000, &generator)
    var (squares, sum, draws) = (0.0, 0.0, 0)
    for _ in 0..<40 {
      let noisy = try #require(NoisyTable(people, .high, least, using: &generator))
      let told = [noisy.bins, try #require(noisy.strata), try #require(noisy.cells).flatMap { $0 }]
      for (numbers, table) in zip(told, tables) {
        for (number, truth) in zip(numbers, table.1(people)) {
          squares += Double((number - truth) * (number - truth))
          sum += Double(number - truth)
          draws += 1
        }
      }
    }
    let variance = 2.0 * 20 * 20
    #expect(draws == 40 * (20 + 14 + 14 * 20))
    #expect(abs(squares / Double(draws) / variance - 1) < 5 * (2 / Double(draws)).squareRoot())
    #expect(abs(sum / Double(draws)) < 5 * (variance / Double(draws)).squareRoot())
  }

  @Test("Of too small a group nothing is drawn but the count")
  func tooSmall() {
    var (generator, other) = (SeededGenerator(seed: 3), SeededGenerator(seed: 3))
    var source = SeededGenerator(seed: 4)
    #expect(NoisyTable(town(900, &source), .high, least, using: &generator) == nil)
    _ = NoisyTally.noise(.count, .high).sample(using: &other)
    #expect(generator.next() == other.next())
  }

  @Test func recordsCostTheirTables() throws {
    #expect(Releases(for: [.records], strata: 14).cost(buckets: 1) == 4)
    #expect(Releases(for: [.records]).cost(buckets: 1) == 2, "of one stratum, the histogram is all there is")
    let days = CalendarDate(iso8601: "2026-11-16")!...CalendarDate(iso8601: "2026-11-22")!
    func question(_ persons: GroupQuestion.Persons, _ statistics: Set<Statistic>) throws -> GroupQuestion {
      try GroupQuestion(
        metrics: ["heart_rate", "steps"], persons: persons, place: .anywhere,
        times: .init(days: days, slot: .day, timeZone: "UTC", buckets: .whole), statistics: statistics,
        precision: .high,
        personsMin: 1_000)
    }
    #expect(try question(persons(), [.records]).loss == 8 * Precision.high.loss)
    #expect(try question(persons(from: 60, to: 69, of: .male), [.records]).loss == 4 * Precision.high.loss)
    #expect(try question(persons(), [.records]).text != question(persons(), [.histogram]).text)
  }

  // MARK: what follows from it

  @Test func theNearestNumbersAddUpAndAreNotNegative() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let numbers = (0..<20).map { _ in Double.random(in: -100...200, using: &generator) }
      let total = Double.random(in: 1...3_000, using: &generator)
      let nearest = RecordTable.projected(numbers, total: total)
      #expect(abs(nearest.reduce(0, +) - total) < 1e-6 && nearest.allSatisfy { $0 >= 0 })
      // As much is taken off each that is left, and at least as much would have to be off the others.
      let taken = zip(numbers, nearest).filter { $0.1 > 0 }.map { $0.0 - $0.1 }
      let (low, high) = (taken.min()!, taken.max()!)
      #expect(high - low < 1e-9 && zip(numbers, nearest).allSatisfy { $0.1 > 0 || $0.0 <= high + 1e-9 })
    }
    #expect(RecordTable.projected([1, 2, 3], total: 6) == [1, 2, 3])
  }

  @Test func wholeNumbersKeepBinsAndTheWhole() {
    var generator = SeededGenerator(seed: 6)
    let table = (0..<14).map { _ in (0..<20).map { _ in Double.random(in: 0...3, using: &generator) } }
    let counts = RecordTable.rounded(table)
    #expect(counts.joined().allSatisfy { $0 >= 0 })
    #expect(abs(Double(counts.joined().reduce(0, +)) - table.joined().reduce(0, +)) <= 0.5 + 1e-9)
    for bin in 0..<20 {
      #expect(abs(counts.reduce(0) { $0 + Double($1[bin]) } - table.reduce(0) { $0 + $1[bin] }) <= 1 + 1e-9)
    }
  }

  private func exact(_ strata: [Tally]) -> NoisyTable {
    NoisyTable(
      precision: .high, persons: strata.reduce(0) { $0 + $1.persons }, bins: tables[0].1(strata),
      strata: tables[1].1(strata), cells: strata.map(\.histogram))
  }

  @Test func withoutNoiseTheTableIsTheTown() {
    var generator = SeededGenerator(seed: 7)
    let people = town(700_000, &generator)
    let table = RecordTable(exact(people), strata)
    #expect(table.ageAssociation > 0.99 && table.sexAssociation > 0.9)
    for (counts, tally) in zip(table.counts, people) {
      // Bins in which nobody of an age is keep a hundredth of what they would have if all ages were alike.
      for (count, truth) in zip(counts, tally.histogram) { #expect(abs(count - truth) <= 50 + truth / 50) }
    }
  }

  @Test(
    "As many rows as persons, and strata and bins are as right as the errors say", arguments: [1_200, 3_000, 50_000])
  func margins(_ count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let people = town(count, &generator)
    var off: [String: [Double]] = [:]
    for _ in 0..<25 {
      let noisy = try #require(NoisyTable(people, .high, least, using: &generator))
      let table = RecordTable(noisy, strata)
      #expect(table.counts.joined().reduce(0, +) == noisy.persons && table.counts.joined().allSatisfy { $0 >= 0 })
      for (counts, tally) in zip(table.counts, people) {
        off["a stratum", default: []].append(Double(counts.reduce(0, +) - tally.persons) / table.stratumError)
      }
      for (bin, truth) in tables[0].1(people).enumerated() {
        off["a bin", default: []].append(Double(table.counts.reduce(0) { $0 + $1[bin] } - truth) / table.binError)
      }
    }
    for (name, errors) in off {
      let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
      // Bins that are empty can't be off to both sides.
      #expect(deviation < 1.1 && deviation > 0.5, "\(name): \(deviation)")
      #expect(errors.allSatisfy { abs($0) < 5 }, "\(name)")
    }
  }

  @Test(
    "Rows tell of values by age and sex where there are persons enough, and of no more than noise where there are not")
  func association() throws {
    var generator = SeededGenerator(seed: 8)
    func associations(_ count: Int, isRelated: Bool) throws -> (ages: Double, sexes: Double) {
      let people = town(count, isRelated: isRelated, &generator)
      let tables = try (0..<10).map { _ in
        RecordTable(try #require(NoisyTable(people, .high, least, using: &generator)), strata)
      }
      return (tables.reduce(0) { $0 + $1.ageAssociation / 10 }, tables.reduce(0) { $0 + $1.sexAssociation / 10 })
    }
    // From one sex to the other it is a tenth of what it is from the first age to the last.
    let many = try associations(100_000, isRelated: true)
    #expect(many.ages > 0.95 && many.sexes > 0.8)
    #expect(try associations(10_000, isRelated: true).ages > 0.6)
    let none = try associations(10_000, isRelated: false)
    #expect(none.ages < 0.2 && none.sexes < 0.4)
  }

  @Test func theMeansOfAgesAreThoseOfTheTown() throws {
    var generator = SeededGenerator(seed: 9)
    let people = town(100_000, &generator)
    let table = RecordTable(try #require(NoisyTable(people, .high, least, using: &generator)), strata)
    func mean(_ counts: [Int64]) -> Double {
      let sum = counts.enumerated().reduce(0) { $0 + scale.edge(ofBin: Double($1.offset) + 0.5) * Double($1.element) }
      return sum / Double(counts.reduce(0, +))
    }
    // Its noise is 0.46: 28 persons of each bin, at a distance of up to 45, among 7,143.
    for (counts, tally) in zip(table.counts, people) { #expect(abs(mean(counts) - mean(tally.histogram)) < 2) }
  }

  @Test func ofOneStratumTheBinsAreTheTable() throws {
    let one = NoisyTable(
      precision: .high, persons: 1_200, bins: [700, 550] + [Int64](repeating: -25, count: 18), strata: nil, cells: nil)
    let table = RecordTable(one, [strata[0]])
    #expect(table.counts == [[675, 525] + [Int64](repeating: 0, count: 18)])
    #expect(table.stratumError == 20 && abs(table.binError - 28.28) < 0.01 && table.ageAssociation == 0)
  }

  // MARK: the file

  private func text(_ file: RecordFile) -> String {
    var (file, bytes) = (file, [UInt8]())
    while let part = file.next() { bytes += part }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func rowsAreLinesOfBothFormats() {
    let strata = [Stratum(fromAge: 70, toAge: 79, sex: .male), Stratum(fromAge: 80, toAge: nil, sex: .female)]
    var counts = [Int64](repeating: 0, count: 40)
    (counts[1], counts[39]) = (2, 1)
    let kinds = [
      RecordFile.Kind(metric: "heart_rate", scale: scale, counts: counts),
      RecordFile.Kind(metric: "body_temperature", scale: ValueScale(34, 42), counts: [0, 0, 0, 1]),
    ]
    #expect(
      text(RecordFile(kinds, strata, .csv)) == """
        metric,age_from,age_to,sex,value_from,value_to,value
        heart_rate,70,79,male,44.5,49.0,46.75
        heart_rate,70,79,male,44.5,49.0,46.75
        heart_rate,80,,female,125.5,130.0,127.75
        body_temperature,70,79,male,35.2,35.6,35.4

        """)
    #expect(
      text(RecordFile(kinds, strata, .ndjson)).split(separator: "\n").last(where: { $0.contains("heart_rate") })
        == #"{"metric":"heart_rate","age_from":80,"age_to":null,"sex":"female","value_from":125.5,"value_to":130.0,"value":127.75}"#
    )
    #expect(text(RecordFile([], strata, .ndjson)).isEmpty)
  }

  @Test func partsAreWholeLinesOfBoundedLength() {
    let strata = [Stratum(fromAge: 18, toAge: 29, sex: .male)]
    let kind = RecordFile.Kind(metric: "heart_rate", scale: scale, counts: [Int64](repeating: 5_000, count: 20))
    for format in RecordFile.Format.allCases {
      var file = RecordFile([kind], strata, format)
      var (lines, parts) = (0, 0)
      while let part = file.next() {
        #expect(!part.isEmpty && part.count <= RecordFile.partBytes && part.last == UInt8(ascii: "\n"))
        lines += part.count { $0 == UInt8(ascii: "\n") }
        parts += 1
      }
      #expect(lines == 100_000 + (format == .csv ? 1 : 0) && parts > 50)
      #expect(file.next() == nil)
    }
  }
}
