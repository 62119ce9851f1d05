internal import Domain

/// Divides an interval into windows that each hold a bounded number of readings, from one of its ends to the other.
struct HistoryWindows {
  /// The most chunks of a metric that are looked at together.
  private static let maxChunks = 1_000
  /// A window ends after this many bytes of chunks.
  private static let maxBytes = 4 << 20

  private let newestFirst: Bool
  /// What is left of the interval.
  private(set) var rest: Range<Microseconds>

  init(_ interval: Range<Microseconds>, newestFirst: Bool) {
    rest = interval
    self.newestFirst = newestFirst
  }

  /// The next window: about `readings` readings or fewer. Nil at the end of the interval.
  mutating func next(_ history: PersonHistory, readings: Int) throws -> Range<Microseconds>? {
    guard !rest.isEmpty else { return nil }
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
    for hour in hours.keys.sorted(by: { newestFirst ? $0 > $1 : $0 < $1 }) where isBefore(hour, lastHour) {
      count += hours[hour]!.count
      bytes += hours[hour]!.bytes
      if count >= readings || bytes >= Self.maxBytes { return take(through: hour) }
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
