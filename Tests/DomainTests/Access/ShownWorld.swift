import TestSupport
import Testing

@testable import Domain

/// A log with everything that happens to it, and a third party that looks through every door and keeps what it sees.
struct ShownWorld {
  static let minute: Microseconds = 60_000_000
  static let start: Microseconds = 1_700_000_000_000_000 / 3_600_000_000 * 3_600_000_000

  /// What the third party has seen: values by granularity and interval, each way of seeing them in order.
  struct Sight: Hashable {
    let granularity: Granularity
    let metric: MetricID
    let source: SourceID
    let start: Microseconds
    let value: Double
  }

  /// A standing order: its windows so far.
  private struct Order {
    let granularity: Granularity
    let length: Microseconds
    let granted: Range<Microseconds>
    var end: Microseconds
    var after: LogPosition
    var windows: [ShownIntervals] = []
  }

  private(set) var sights: [[Sight]] = []
  private(set) var lateReadings = 0
  private(set) var keptReadings = 0
  private(set) var violations: [String] = []
  private var generator: SeededGenerator
  private let lateValue: Double
  private var now = Self.start + 10 * Self.minute
  private var head: LogPosition = 0
  private var watermarks: [Watermark] = []
  private var rows: [(position: LogPosition, columns: ReadingColumns)] = []
  private var chunks: [ReadingBlock] = []
  private var replaced: [ReadingBlock] = []
  private var known: [MetricID: [Microseconds: LogPosition]] = [:]
  private var orders: [Order] = []

  /// - Parameter lateValue: the value of every reading that comes after its minute was closed.
  init(seed: UInt64, lateValue: Double) {
    generator = SeededGenerator(seed: seed)
    self.lateValue = lateValue
    for granularity in [Granularity.minute, .hour] {
      for length in [15 * Self.minute, 60 * Self.minute, 180 * Self.minute] {
        let granted = length == 15 * Self.minute ? .min..<(.max) : Self.start..<Self.start + 50_000 * Self.minute
        orders.append(
          Order(
            granularity: granularity, length: length, granted: granted,
            end: now / length * length + length, after: 0))
      }
    }
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...3: push()
      case 4: now += Microseconds.random(in: 0...90 * Self.minute, using: &generator)
      case 5: now += Microseconds.random(in: 0...2 * Self.minute, using: &generator)
      case 6: compact()
      case 7: merge()
      case 8: export()
      default: makeDigests()
      }
    }
    export()
    replay()
  }

  private mutating func push() {
    var columns = ReadingColumns()
    head += 1
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      // Few times, so that readings are late, and replaced, often.
      let back = Int64.random(in: 0...Int64([2, 20, 200].randomElement(using: &generator)!), using: &generator)
      let time =
        now / Self.minute * Self.minute - back * Self.minute
        + Int64.random(in: 0..<4, using: &generator) * 15_000_000
      let source = SourceID.random(in: 0...1, using: &generator)
      let value = Double(Int.random(in: 40...180, using: &generator))
      let minute = Granularity.minute.start(of: time)
      let first = known[1]?[minute]
      let isLate = watermarks.contains { $0.time >= minute + Self.minute && first ?? .max <= $0.position }
      if isLate { lateReadings += 1 }
      if first == nil { known[1, default: [:]][minute] = head }
      columns.scalars.person.append(1)
      columns.scalars.metric.append(1)
      columns.scalars.source.append(source)
      columns.scalars.time.append(time)
      columns.scalars.value.append(isLate ? lateValue : value)
    }
    rows.append((head, columns))
  }

  private mutating func advance(covering position: LogPosition = 0) -> Watermark {
    let time = max(Watermark.time(at: now), watermarks.last?.time ?? .min)
    if let last = watermarks.last, last.time >= time, last.position >= position { return last }
    let new = Watermark(time: time, position: head)
    watermarks.append(new)
    return new
  }

  private mutating func compact() {
    let count = Int.random(in: 0...rows.count, using: &generator)
    guard count > 0 else { return }
    let built = ChunkBuilder.build(from: Array(rows.prefix(count)))
    chunks += built.chunks.map(Self.decoded)
    replaced += ChunkBuilder.versions(of: built.replaced.kept(by: Watermarks(watermarks))).map(Self.decoded)
    rows.removeFirst(count)
  }

  private mutating func merge() {
    let hours = Dictionary(grouping: chunks) { Chunk.hourStart(of: $0.columns.scalars.time[0]) }
    for (hour, blocks) in hours.sorted(by: { $0.key < $1.key }) where blocks.count > 1 {
      let built = ChunkBuilder.build(of: blocks)
      chunks.removeAll { Chunk.hourStart(of: $0.columns.scalars.time[0]) == hour }
      chunks += built.chunks.map(Self.decoded)
      if built.replaced.isEmpty { continue }
      let kept = replaced.filter { Chunk.hourStart(of: $0.columns.scalars.time[0]) == hour }
      replaced.removeAll { Chunk.hourStart(of: $0.columns.scalars.time[0]) == hour }
      let versions = ReadingMerge.versions(blocks + kept, from: .min, to: .max)
      let counting = ReplacedReadings.counting(in: versions, by: Watermarks(watermarks))
      keptReadings += counting.count
      replaced += ChunkBuilder.versions(of: counting).map(Self.decoded)
    }
  }

  private static func decoded(_ chunk: Chunk) -> ReadingBlock {
    // What was encoded a moment ago.
    chunk.payload.withUnsafeBytes { try! BlockCodec.decode($0) }
  }

  private var versions: ReadingBlock {
    ReadingMerge.versions(
      chunks + replaced + rows.map { ReadingBlock(columns: $0.columns, at: $0.position) }, from: .min, to: .max)
  }

  private mutating func export() {
    let versions = versions
    for granularity in [Granularity.minute, .hour] {
      var watermark = advance()
      var intervals = ShownIntervals(closedBy: watermark, granularity: granularity, time: .min..<(.max))
      if let position = intervals.unreached(of: versions) {
        watermark = advance(covering: position)
        intervals = ShownIntervals(closedBy: watermark, granularity: granularity, time: .min..<(.max))
      }
      see(intervals, of: versions)
    }
  }

  private mutating func makeDigests() {
    let (watermark, versions) = (advance(), versions)
    for index in orders.indices {
      while orders[index].end <= watermark.time, orders[index].after <= watermark.position {
        let order = orders[index]
        let window = ShownIntervals(
          period: order.end - order.length..<order.end, after: order.after, through: watermark.position,
          granularity: order.granularity, time: order.granted)
        orders[index].windows.append(window)
        orders[index].end += order.length
        orders[index].after = watermark.position
        see(window, of: versions)
      }
    }
  }

  /// Every digest is asked for again, and no interval is in two of them.
  private mutating func replay() {
    let versions = versions
    for order in orders {
      var seen: Set<String> = []
      for window in order.windows {
        see(window, of: versions)
        for sight in sights.last ?? [] where !seen.insert("\(sight.source) \(sight.start)").inserted {
          violations.append("\(order.granularity) \(sight.start) is in two digests")
        }
      }
    }
  }

  private mutating func see(_ intervals: ShownIntervals, of versions: ReadingBlock) {
    let shown = intervals.shown(of: versions, by: Watermarks(watermarks)).scalars
    let seen = (0..<shown.count).map {
      Sight(
        granularity: intervals.granularity, metric: shown.metric[$0], source: shown.source[$0], start: shown.time[$0],
        value: shown.value[$0])
    }
    for sight in seen where sight.start + sight.granularity.length > now {
      violations.append("\(sight) is not over")
    }
    sights.append(seen)
  }
}
