import Domain
import Testing

@Suite struct ChunkBuilderTests {
  private struct Key: Hashable {
    var kind: Int
    var person: PersonID
    var metric: MetricID
    var hourStart: Microseconds
  }

  /// What chunks should hold, by plain grouping and sorting.
  private func naive(_ readings: [NaiveReading]) -> [Key: [NaiveReading]] {
    let hour: Int64 = 3_600_000_000
    let groups = Dictionary(grouping: NaiveReading.latest(of: readings)) { reading in
      let remainder = ((reading.time % hour) + hour) % hour
      return Key(
        kind: reading.body.rank, person: reading.person, metric: reading.metric, hourStart: reading.time - remainder)
    }
    return groups.mapValues { $0.sorted { ($0.time, $0.source) < ($1.time, $1.source) } }
  }

  private func contents(_ chunks: [Chunk]) throws -> [Key: [NaiveReading]] {
    var contents: [Key: [NaiveReading]] = [:]
    for chunk in chunks {
      let readings = NaiveReading.all(of: try BlockCodec.decode(chunk.payload))
      #expect(chunk.count == readings.count)
      #expect(chunk.minPosition == readings.map(\.logPosition).min())
      #expect(chunk.maxPosition == readings.map(\.logPosition).max())
      let key = Key(
        kind: readings[0].body.rank, person: chunk.person, metric: chunk.metric, hourStart: chunk.hourStart)
      #expect(readings.allSatisfy { $0.person == chunk.person && $0.metric == chunk.metric })
      #expect(contents.updateValue(readings, forKey: key) == nil)
    }
    return contents
  }

  @Test(arguments: 0..<100) func chunksHoldEachReadingOnceSortedTheLatestCommitWinning(seed: UInt64) throws {
    var random = RandomReadings(seed: seed)
    let rows = (1...5).map { (position: LogPosition($0 * 10), columns: random.commitGroup()) }
    let readings = rows.flatMap { NaiveReading.all(of: ReadingBlock(columns: $0.columns, at: $0.position)) }
    #expect(try contents(ChunkBuilder.chunks(from: rows)) == naive(readings))
    #expect(try contents(ChunkBuilder.chunks(from: rows.reversed())) == naive(readings))
  }

  @Test(arguments: 0..<100) func mergingChunksGivesTheChunksOfAllTheirRows(seed: UInt64) throws {
    var random = RandomReadings(seed: seed)
    let rows = (1...6).map { (position: LogPosition($0), columns: random.commitGroup()) }
    let early = ChunkBuilder.chunks(from: Array(rows[..<3]))
    let late = ChunkBuilder.chunks(from: Array(rows[3...]))
    let all = ChunkBuilder.chunks(from: rows)
    #expect(try ChunkBuilder.merge((late + early).map { try BlockCodec.decode($0.payload) }) == all)
    #expect(try ChunkBuilder.merge(all.map { try BlockCodec.decode($0.payload) }) == all)
  }

  @Test func ofTheSameReadingTwiceInARowTheSecondIsKept() throws {
    var columns = ReadingColumns()
    for value in [1.0, 2.0] {
      columns.scalars.person.append(1)
      columns.scalars.metric.append(1)
      columns.scalars.source.append(0)
      columns.scalars.time.append(5)
      columns.scalars.value.append(value)
    }
    let chunks = ChunkBuilder.chunks(from: [(position: 9, columns: columns)])
    #expect(chunks.count == 1)
    #expect(try BlockCodec.decode(chunks[0].payload).columns.scalars.value == [2])
  }

  @Test func anHourOfFastReadingsIsSplit() throws {
    let count = 40_000
    var columns = ReadingColumns()
    columns.scalars.person = Array(repeating: 1, count: count)
    columns.scalars.metric = Array(repeating: 1, count: count)
    columns.scalars.source = Array(repeating: 0, count: count)
    columns.scalars.time = (0..<Int64(count)).map { $0 * 80_000 }
    columns.scalars.value = (0..<count).map(Double.init)
    let chunks = ChunkBuilder.chunks(from: [(position: 1, columns: columns)])
    #expect(chunks.map(\.count) == [16_384, 16_384, 40_000 - 2 * 16_384])
    #expect(Set(chunks.map(\.hourStart)) == [0])
    #expect(try chunks.flatMap { try BlockCodec.decode($0.payload).columns.scalars.value } == columns.scalars.value)
  }

  @Test func waveformsAreSplitByTheirSamples() throws {
    var columns = ReadingColumns()
    for (index, samples) in [30_000, 30_000, 30_000, 90_000, 10].enumerated() {
      columns.waveforms.person.append(1)
      columns.waveforms.metric.append(1)
      columns.waveforms.source.append(0)
      columns.waveforms.time.append(Int64(index))
      columns.waveforms.rate.append(250)
      columns.waveforms.sampleCount.append(Int32(samples))
      columns.waveforms.samples.append(contentsOf: (0..<samples).map { Double($0 + index) })
    }
    let chunks = ChunkBuilder.chunks(from: [(position: 1, columns: columns)])
    #expect(chunks.map(\.count) == [2, 1, 1, 1])
    let blocks = try chunks.map { try BlockCodec.decode($0.payload) }
    #expect(blocks.flatMap(\.columns.waveforms.samples) == columns.waveforms.samples)
  }

  @Test func timesAtTheEndsOfTheRangeDoNotTrap() throws {
    var columns = ReadingColumns()
    for time in [Int64.min, -1, 0, .max] {
      columns.scalars.person.append(1)
      columns.scalars.metric.append(1)
      columns.scalars.source.append(0)
      columns.scalars.time.append(time)
      columns.scalars.value.append(0)
    }
    let chunks = ChunkBuilder.chunks(from: [(position: 1, columns: columns)])
    #expect(chunks.map(\.hourStart).dropFirst().prefix(2) == [-3_600_000_000, 0])
    #expect(chunks.count == 4)
  }
}
