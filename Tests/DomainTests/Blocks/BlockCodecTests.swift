import Domain
import TestSupport
import Testing

@Suite struct BlockCodecTests {
  @Test(arguments: 0..<300) func whatWasEncodedComesBackBitForBitAndInOrder(seed: UInt64) throws {
    var random = RandomReadings(seed: seed)
    let columns = random.columns()
    let row = try BlockCodec.decode(BlockCodec.encode(columns))
    #expect(isSame(row, ReadingBlock(columns: columns)))

    let positions = random.positions(for: columns)
    let chunk = try BlockCodec.decode(BlockCodec.encode(columns, positions: positions))
    #expect(isSame(chunk, ReadingBlock(columns: columns, positions: positions)))
  }

  @Test(arguments: 0..<200) func selectedReadingsAreThoseAFilterWouldKeep(seed: UInt64) throws {
    var random = RandomReadings(seed: seed)
    let columns = random.columns()
    let payload = BlockCodec.encode(columns, positions: random.positions(for: columns))
    let block = try BlockCodec.decode(payload)
    let everyone = columns.scalars.person + columns.positions.person + columns.waveforms.person
    let everything = columns.scalars.metric + columns.positions.metric + columns.waveforms.metric
    let persons = Set(everyone.filter { _ in random.generator.chance(0.4) } + [4, .max])
    let metrics = Set(everything.filter { _ in random.generator.chance(0.4) } + [-7])

    for (who, what) in [(persons, nil), (nil, metrics), (persons, metrics), ([everyone.first ?? 0], nil), (nil, nil)]
      as [(Set<PersonID>?, Set<MetricID>?)]
    {
      let kept = try payload.withUnsafeBytes { try BlockCodec.decode($0, persons: who, metrics: what) }
      let isKept = { (person: PersonID, metric: MetricID) in
        (who?.contains(person) ?? true) && (what?.contains(metric) ?? true)
      }
      #expect(isSame(kept, block.filtered(isKept)))
    }
    if let person = everyone.last {
      let found = try payload.withUnsafeBytes { try BlockCodec.indices(ofPerson: person, in: $0) }
      let places = { (persons: [PersonID]) in persons.indices.filter { persons[$0] == person }.map(Int32.init) }
      #expect(found.scalars == places(columns.scalars.person))
      #expect(found.positions == places(columns.positions.person))
      #expect(found.waveforms == places(columns.waveforms.person))
    }
  }

  @Test func aLongConstantColumnComesBack() throws {
    var columns = ReadingColumns()
    let count = 70_000
    columns.scalars.person = Array(repeating: 7, count: count)
    columns.scalars.metric = Array(repeating: 7, count: count)
    columns.scalars.source = Array(repeating: 0, count: count)
    columns.scalars.time = Array(0..<Int64(count))
    columns.scalars.value = Array(repeating: .nan, count: count)
    let block = try BlockCodec.decode(BlockCodec.encode(columns))
    #expect(isSame(block, ReadingBlock(columns: columns)))
  }

  @Test func anHourOfRegularSamplesTakesAtMostTwoAndAHalfBytesAReading() {
    let columns = heartRate(count: 3600, jitter: 0)
    let positions = BlockPositions(scalars: (0..<3600).map { 500 + Int64($0) * 3 + Int64($0 % 3) })
    #expect(BlockCodec.encode(columns, positions: positions).count <= 3600 * 5 / 2)
  }

  @Test func fiftyJitteredSamplesTakeAtMostSixAndAHalfBytesAReading() {
    let columns = heartRate(count: 50, jitter: 400_000)
    let positions = BlockPositions(scalars: (0..<50).map { 70_000 + Int64($0) * 3 + Int64($0 % 3) })
    #expect(BlockCodec.encode(columns, positions: positions).count <= 50 * 13 / 2)
  }

  @Test func aColumnThatIsNeverKnownCostsOnlyItsHeader() {
    var columns = ReadingColumns()
    let count = 100
    columns.positions.person = Array(repeating: 7, count: count)
    columns.positions.metric = Array(repeating: 3, count: count)
    columns.positions.source = Array(repeating: 0, count: count)
    columns.positions.time = (0..<Int64(count)).map { $0 * 1_000_000 }
    columns.positions.latitude = Array(repeating: 47.5, count: count)
    columns.positions.longitude = Array(repeating: 19.25, count: count)
    columns.positions.altitude = Array(repeating: .nan, count: count)
    columns.positions.accuracy = Array(repeating: .nan, count: count)
    columns.positions.speed = Array(repeating: .nan, count: count)
    columns.positions.course = Array(repeating: .nan, count: count)
    #expect(BlockCodec.encode(columns).count < 40)
  }

  private func heartRate(count: Int, jitter: Int64) -> ReadingColumns {
    var generator = SeededGenerator(seed: 1)
    var columns = ReadingColumns()
    columns.scalars.person = Array(repeating: 123_456, count: count)
    columns.scalars.metric = Array(repeating: 12, count: count)
    columns.scalars.source = Array(repeating: 3, count: count)
    columns.scalars.time = (0..<count).map {
      1_760_000_000_000_000 + Int64($0) * 1_000_000 + Int64.random(in: -jitter...jitter, using: &generator)
    }
    columns.scalars.value = (0..<count).map { _ in Double(Int.random(in: 50...190, using: &generator)) }
    return columns
  }
}
