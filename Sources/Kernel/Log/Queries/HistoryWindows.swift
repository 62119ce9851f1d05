internal import Domain

/// Divides an interval into windows that each hold a bounded number of readings, from one of its ends to the other: some
/// hours, or a piece of an hour that has many.
struct HistoryWindows {
  /// The most chunks of a metric that are looked at together.
  private static let maxChunks = 1_000
  /// A window ends after this many bytes of chunks.
  private static let maxBytes = 4 << 20
  /// An hour with more bytes of chunks is divided.
  private static let maxHourBytes = 16 << 20

  private let newestFirst: Bool
  private let pieceReadings: Int
  private let step: Microseconds
  /// What is left of the interval.
  private(set) var rest: Range<Microseconds>
  /// The ends of the next windows where an hour is divided, the nearest last.
  private var ends: [Microseconds] = []

  /// - Parameters:
  ///   - pieceReadings: an hour with more readings than this, or with many bytes, is divided into pieces of about so many.
  ///   - step: an hour is divided at multiples of it.
  init(_ interval: Range<Microseconds>, newestFirst: Bool, pieceReadings: Int, step: Microseconds) {
    rest = interval
    self.newestFirst = newestFirst
    self.pieceReadings = pieceReadings
    self.step = step
  }

  /// The next window: about `readings` readings or fewer. Nil at the end of the interval.
  mutating func next(_ history: PersonHistory, readings: Int) throws -> Range<Microseconds>? {
    guard !rest.isEmpty else { return nil }
    if let end = ends.popLast() { return take(to: end) }
    let part = history.narrowed(to: rest)
    let chunks = try part.outline(newestFirst: newestFirst, limit: Self.maxChunks)
    let lastHour = lastCompleteHour(of: chunks)
    var hours: [Int32: (count: Int, bytes: Int)] = [:]
    for chunk in chunks + part.tailOutline.filter({ isBefore($0.hour, lastHour) }) {
      hours[chunk.hour, default: (0, 0)].count += chunk.count
      hours[chunk.hour]!.bytes += chunk.bytes
    }
    var count = 0
    var bytes = 0
    var before: Int32?
    for hour in hours.keys.sorted(by: { newestFirst ? $0 > $1 : $0 < $1 }) where isBefore(hour, lastHour) {
      let size = hours[hour]!
      if step < PersonHistory.hour, size.count > pieceReadings || size.bytes > Self.maxHourBytes {
        return try before.map { take(through: $0) } ?? divide(hour, history)
      }
      count += size.count
      bytes += size.bytes
      if count >= readings || bytes >= Self.maxBytes { return take(through: hour) }
      before = hour
    }
    return take(through: lastHour)
  }

  /// The hour up to which every chunk has been looked at; nil if that is all of them.
  private func lastCompleteHour(of chunks: [ChunkOutline]) -> Int32? {
    var last: [MetricID: (count: Int, hour: Int32)] = [:]
    for chunk in chunks {
      let seen = last[chunk.metric]
      let hour = seen.map { newestFirst ? min($0.hour, chunk.hour) : max($0.hour, chunk.hour) } ?? chunk.hour
      last[chunk.metric] = ((seen?.count ?? 0) + 1, hour)
    }
    let cut = last.values.filter { $0.count >= Self.maxChunks }.map(\.hour)
    return newestFirst ? cut.max() : cut.min()
  }

  private func isBefore(_ hour: Int32, _ last: Int32?) -> Bool {
    guard let last else { return true }
    return newestFirst ? hour >= last : hour <= last
  }

  /// Takes the first piece of an hour.
  private mutating func divide(_ hour: Int32, _ history: PersonHistory) throws -> Range<Microseconds> {
    let start = Microseconds(hour) * PersonHistory.hour
    let part = rest.clamped(to: start..<start + PersonHistory.hour)
    let cuts = try history.cuts(of: part, readings: pieceReadings, step: step)
    ends = newestFirst ? [part.lowerBound] + cuts : [part.upperBound] + cuts.reversed()
    return take(to: ends.removeLast())
  }

  private mutating func take(to end: Microseconds) -> Range<Microseconds> {
    let window = newestFirst ? end..<rest.upperBound : rest.lowerBound..<end
    rest = newestFirst ? rest.lowerBound..<end : end..<rest.upperBound
    return window
  }

  /// Takes the interval up to and including an hour; all of it for nil.
  private mutating func take(through hour: Int32?) -> Range<Microseconds> {
    var window = rest
    if let hour {
      let start = Microseconds(hour) * PersonHistory.hour
      if newestFirst {
        window = max(rest.lowerBound, start)..<rest.upperBound
      } else {
        window = rest.lowerBound..<min(rest.upperBound, start + PersonHistory.hour)
      }
    }
    rest = newestFirst ? rest.lowerBound..<window.lowerBound : window.upperBound..<rest.upperBound
    return window
  }
}
