import Domain
import TestSupport
import Testing

@Suite struct SummarizerTests {
  private func scalars(_ readings: [(time: Int64, value: Double)]) -> ScalarColumns {
    var columns = ScalarColumns()
    columns.person = Array(repeating: 1, count: readings.count)
    columns.metric = Array(repeating: 1, count: readings.count)
    columns.source = Array(repeating: 0, count: readings.count)
    columns.time = readings.map(\.time)
    columns.value = readings.map(\.value)
    return columns
  }

  private func random(_ generator: inout SeededGenerator, count: Int, spread: Int64) -> ScalarColumns {
    let times = (0..<count).map { _ in Int64.random(in: -spread...spread, using: &generator) }.sorted()
    return scalars(times.map { ($0, Double.random(in: -50...200, using: &generator)) })
  }

  private func expect(_ summary: SummaryColumns, isNaiveOf scalars: ScalarColumns, start: (Int64) -> Int64?) {
    var buckets: [Int64: [Double]] = [:]
    for (time, value) in zip(scalars.time, scalars.value) {
      if let start = start(time) { buckets[start, default: []].append(value) }
    }
    #expect(summary.start == buckets.keys.sorted())
    for (index, start) in summary.start.enumerated() {
      let values = buckets[start] ?? []
      #expect(summary.count[index] == Int64(values.count))
      #expect(summary.min[index] == values.min())
      #expect(summary.max[index] == values.max())
      #expect(summary.last[index] == values.last)
      let mean = values.reduce(0, +) / Double(values.count)
      #expect((summary.mean[index] - mean).magnitude <= 1e-12 * 200)
    }
  }

  @Test(arguments: 0..<60) func bucketsOfEqualWidthAgreeWithAPlainGrouping(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let width = generator.pick([1, 7, 1_000_000, 60_000_000] as [Int64])
    let spread = generator.pick([10, 3_000_000, 600_000_000] as [Int64])
    let columns = random(&generator, count: generator.pick([0, 1, 5, 400, 3000]), spread: spread)
    let summary = Summarizer.summarize(columns, by: .fixed(width))
    expect(summary, isNaiveOf: columns) { time in time - ((time % width) + width) % width }
  }

  @Test(arguments: 0..<60) func bucketsWithinBoundariesAgreeWithAPlainGrouping(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let columns = random(&generator, count: 500, spread: 1000)
    let count = Int.random(in: 0...20, using: &generator)
    let boundaries = Set((0..<count).map { _ in Int64.random(in: -1200...1200, using: &generator) }).sorted()
    let summary = Summarizer.summarize(columns, by: .boundaries(boundaries))
    expect(summary, isNaiveOf: columns) { time in
      guard let last = boundaries.last, time < last else { return nil }
      return boundaries.last { $0 <= time }
    }
  }

  @Test func runByRunIsTheSameAsAtOnce() {
    var generator = SeededGenerator(seed: 2)
    let columns = random(&generator, count: 5000, spread: 1_000_000_000)
    var summarizer = Summarizer(.minute)
    var start = 0
    while start < columns.count {
      let end = min(columns.count, start + Int.random(in: 0...300, using: &generator))
      var run = ScalarColumns()
      run.append(contentsOf: columns, in: start..<end)
      summarizer.add(run)
      start = end
    }
    expect(summarizer.finish(), isNaiveOf: columns) { ($0 - (($0 % 60_000_000) + 60_000_000) % 60_000_000) }
  }

  @Test func theMeanOfManyEqualValuesIsThatValue() {
    let summary = Summarizer.summarize(scalars((0..<100_000).map { ($0, 36.6) }), by: .hour)
    #expect(summary.mean == [36.6])
  }

  @Test func smallValuesAreNotLostBesideLargeOnes() {
    let readings = [(0, 1e16)] + (1...1000).map { (Int64($0 * 1000), 1.0) } + [(1_000_001, -1e16)]
    var summarizer = Summarizer(.hour)
    for reading in readings { summarizer.add(scalars([reading])) }
    #expect(summarizer.finish().mean == [1000.0 / 1002])
  }

  @Test func timesAtTheEndsOfTheRangeHaveABucket() {
    let summary = Summarizer.summarize(scalars([(.min, 1), (-1, 2), (0, 3), (.max, 4)]), by: .minute)
    #expect(summary.count == [1, 1, 1, 1])
    #expect(summary.start[1...2] == [-60_000_000, 0])
  }
}
