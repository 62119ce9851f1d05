import Domain
import Testing

@Suite struct ReadingMergeTests {
  private func naive(_ blocks: [ReadingBlock], _ wanted: Range<Int64>) -> [NaiveReading] {
    NaiveReading.latest(of: blocks.flatMap(NaiveReading.all)).filter { wanted.contains($0.time) }.sorted {
      ($0.body.rank, $0.time, $0.person, Int64($0.metric), $0.source)
        < ($1.body.rank, $1.time, $1.person, Int64($1.metric), $1.source)
    }
  }

  @Test(arguments: 0..<200) func chunksAndTailTogetherAreOneHistory(seed: UInt64) throws {
    var random = RandomReadings(seed: seed)
    let rows = (1...5).map { (position: LogPosition($0), columns: random.commitGroup(persons: 1)) }
    let chunks = ChunkBuilder.chunks(from: Array(rows[..<3])) + ChunkBuilder.chunks(from: [rows[3]])
    let tail = ReadingBlock(columns: rows[4].columns, at: rows[4].position)
    let blocks = try chunks.map { try BlockCodec.decode($0.payload) } + [tail]
    let from = Int64.random(in: -4...0, using: &random.generator) * 3_600_000_000
    let to = from + Int64.random(in: 0...8, using: &random.generator) * 3_600_000_000
    let merged = ReadingMerge.merge(blocks, from: from, to: to)
    #expect(NaiveReading.all(of: merged) == naive(blocks, from..<to))
    let everything = ReadingMerge.merge(blocks.reversed(), from: .min, to: .max)
    #expect(NaiveReading.all(of: everything) == naive(blocks, .min ..< .max))
  }

  @Test func blocksApartInTimeAreJoinedInTheOrderOfTime() {
    let blocks = ([2, 0, 1] as [Int64]).map { hour -> ReadingBlock in
      var columns = ReadingColumns()
      for second in 0..<3600 as Range<Int64> {
        columns.scalars.person.append(1)
        columns.scalars.metric.append(1)
        columns.scalars.source.append(0)
        columns.scalars.time.append((hour * 3600 + second) * 1_000_000)
        columns.scalars.value.append(Double(second))
      }
      return ReadingBlock(columns: columns, at: hour)
    }
    let merged = ReadingMerge.merge(blocks, from: 1_000_000, to: 10_000_000_000)
    #expect(merged.columns.scalars.time == (1..<10_000).map { $0 * 1_000_000 })
    #expect(merged.positions.scalars == (1..<10_000).map { $0 / 3600 })
  }

  @Test func nothingAskedForIsNothing() {
    #expect(ReadingMerge.merge([], from: 0, to: 10).isEmpty)
    var random = RandomReadings(seed: 1)
    let block = ReadingBlock(columns: random.commitGroup(), at: 1)
    #expect(ReadingMerge.merge([block], from: 10, to: 10).isEmpty)
    #expect(ReadingMerge.merge([block], from: 10, to: -10).isEmpty)
  }
}
