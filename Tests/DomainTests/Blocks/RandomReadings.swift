import Domain
import TestSupport

/// Columns of every shape that the codec treats by itself, and the extremes of each type.
struct RandomReadings {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func integers(_ count: Int) -> [Int64] {
    let start = Int64.random(in: -1_000_000...1_700_000_000_000_000, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return Array(repeating: start, count: count)
    case 1: return (0..<count).map { start + Int64($0) * 1_000_000 }
    case 2: return (0..<count).map { start + Int64($0) * 1_000_000 + Int64.random(in: -900...900, using: &generator) }
    case 3: return (0..<count).map { start - Int64($0 / 3) * 40_000 }
    case 4:
      let width = Int64.random(in: 0...56, using: &generator)
      return (0..<count).map { _ in Int64.random(in: -(1 << width)...(1 << width), using: &generator) }
    case 5: return (0..<count).map { _ in Int64.random(in: .min ... .max, using: &generator) }
    case 6: return (0..<count).map { _ in generator.pick([.min, .max, 0, -1, 1]) }
    default: return (0..<count).map { _ in Int64.random(in: 0...200, using: &generator) * 1000 }
    }
  }

  mutating func shortIntegers(_ count: Int) -> [Int32] {
    let high = generator.pick([0, 1, 300, 70_000, Int32.max])
    let low = generator.pick([0, -5, Int32.min])
    return (0..<count).map { _ in Int32.random(in: low...high, using: &generator) }
  }

  mutating func doubles(_ count: Int, nullable: Bool = false) -> [Double] {
    var values = finiteDoubles(count)
    guard nullable else { return values }
    let share = generator.pick([0, 0.3, 1])
    for index in values.indices where generator.chance(share) { values[index] = .nan }
    return values
  }

  private mutating func finiteDoubles(_ count: Int) -> [Double] {
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: return (0..<count).map { _ in Double(Int.random(in: 40...200, using: &generator)) }
    case 1:
      let factor = generator.pick([10.0, 100, 1000, 1e4, 1e5, 1e6, 1e7])
      return (0..<count).map { _ in Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &generator)) / factor }
    case 2: return Array(repeating: generator.pick([0, -0.0, 36.6, .pi, 1e300]), count: count)
    case 3: return (0..<count).map { _ in Double(bitPattern: generator.next() & ~(1 << 62)) }
    case 4: return (0..<count).map { _ in Double(Float.random(in: -100...100, using: &generator)) }
    case 5:
      let special = [
        0, -0.0, 1, -1, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, 0x1p53, 0x1p53 + 2, 0x1p51, -0x1p51,
        0x1p51 - 1, 0.1, 1e-7, 1e-8, 9_007_199_254_740_991, 225_179_981_368_524.7, 225_179_981_368_524.8,
      ]
      return (0..<count).map { _ in generator.pick(special) }
    case 6: return (0..<count).map { _ in Double.random(in: 0...1, using: &generator) }
    case 7: return (0..<count).map { index in Double(index) * 0.005 }
    default: return (0..<count).map { _ in Double(Int.random(in: -3...3, using: &generator)) * 5 }
    }
  }

  mutating func columns() -> ReadingColumns {
    var columns = ReadingColumns()
    let sizes = [0, 1, 2, 3, 7, 8, 9, 50, 300, 1000]
    let scalars = generator.pick(sizes)
    columns.scalars.person = integers(scalars)
    columns.scalars.metric = shortIntegers(scalars)
    columns.scalars.source = shortIntegers(scalars)
    columns.scalars.time = integers(scalars)
    columns.scalars.value = doubles(scalars, nullable: generator.chance(0.1))
    let positions = generator.pick(sizes)
    columns.positions.person = integers(positions)
    columns.positions.metric = shortIntegers(positions)
    columns.positions.source = shortIntegers(positions)
    columns.positions.time = integers(positions)
    columns.positions.latitude = doubles(positions)
    columns.positions.longitude = doubles(positions)
    columns.positions.altitude = doubles(positions, nullable: true)
    columns.positions.accuracy = doubles(positions, nullable: true)
    columns.positions.speed = doubles(positions, nullable: true)
    columns.positions.course = doubles(positions, nullable: true)
    let waveforms = generator.pick([0, 1, 5, 20])
    columns.waveforms.person = integers(waveforms)
    columns.waveforms.metric = shortIntegers(waveforms)
    columns.waveforms.source = shortIntegers(waveforms)
    columns.waveforms.time = integers(waveforms)
    columns.waveforms.rate = doubles(waveforms)
    columns.waveforms.sampleCount = (0..<waveforms).map { _ in Int32.random(in: 0...250, using: &generator) }
    columns.waveforms.samples = doubles(columns.waveforms.sampleCount.reduce(0) { $0 + Int($1) })
    return columns
  }

  mutating func positions(for columns: ReadingColumns) -> BlockPositions {
    BlockPositions(
      scalars: integers(columns.scalars.count), positions: integers(columns.positions.count),
      waveforms: integers(columns.waveforms.count))
  }
}

/// Two blocks are the same bit for bit; all NaNs count as one.
func isSame(_ a: ReadingBlock, _ b: ReadingBlock) -> Bool {
  func same(_ a: [Double], _ b: [Double]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN) }
  }
  let (x, y) = (a.columns, b.columns)
  return a.positions == b.positions
    && x.scalars.person == y.scalars.person && x.scalars.metric == y.scalars.metric
    && x.scalars.source == y.scalars.source && x.scalars.time == y.scalars.time
    && same(x.scalars.value, y.scalars.value)
    && x.positions.person == y.positions.person && x.positions.metric == y.positions.metric
    && x.positions.source == y.positions.source && x.positions.time == y.positions.time
    && same(x.positions.latitude, y.positions.latitude) && same(x.positions.longitude, y.positions.longitude)
    && same(x.positions.altitude, y.positions.altitude) && same(x.positions.accuracy, y.positions.accuracy)
    && same(x.positions.speed, y.positions.speed) && same(x.positions.course, y.positions.course)
    && x.waveforms.person == y.waveforms.person && x.waveforms.metric == y.waveforms.metric
    && x.waveforms.source == y.waveforms.source && x.waveforms.time == y.waveforms.time
    && same(x.waveforms.rate, y.waveforms.rate) && x.waveforms.sampleCount == y.waveforms.sampleCount
    && same(x.waveforms.samples, y.waveforms.samples)
}
