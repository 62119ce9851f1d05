import Domain
import Testing

@Suite struct ReadingEditingTests {
  @Test func aFilterKeepsOrderAndEachWaveformItsSamples() {
    var random = RandomReadings(seed: 3)
    let block = ReadingBlock(columns: random.commitGroup(), at: 8)
    let kept = block.filtered { person, metric in person == 2 && metric != 1 }
    #expect(NaiveReading.all(of: kept) == NaiveReading.all(of: block).filter { $0.person == 2 && $0.metric != 1 })
    #expect(block.columns.filtered(persons: [2], metrics: nil) == block.columns.filtered { person, _ in person == 2 })
  }

  @Test func appendingColumnsPutsTheReadingsAfterEachKind() {
    var random = RandomReadings(seed: 4)
    let (a, b) = (random.commitGroup(), random.commitGroup())
    var joined = a
    joined.append(contentsOf: b)
    #expect(joined.count == a.count + b.count)
    #expect(joined.scalars.value == a.scalars.value + b.scalars.value)
    #expect(joined.waveforms.samples == a.waveforms.samples + b.waveforms.samples)
    #expect(joined.approximateBytes == a.approximateBytes + b.approximateBytes)
    joined.removeAll(keepingCapacity: true)
    #expect(joined == ReadingColumns())
    #expect(joined.approximateBytes == 0)
  }
}
