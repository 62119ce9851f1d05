/// What a server has counted and what it measures now, as text for those who scrape it.
///
/// However many ask, it looks once at a time, and at most five times a second: others get the same text.
package actor MetricsPage {
  /// How long a text is given to others.
  private static let freshTime: Duration = .milliseconds(200)

  private let measures: [Measure]
  private let write: @Sendable ([MetricFamily], [MetricSample]) -> [UInt8]
  private var newest: (text: [UInt8], made: ContinuousClock.Instant)?
  private var making: Task<[UInt8], Never>?
  /// How many wait for a text.
  private(set) var waitingCount = 0

  /// - Parameters:
  ///   - measures: looked at for each text, side by side.
  ///   - write: makes the text of what they have seen, and of what was counted.
  package init(
    _ measures: [Measure], write: @escaping @Sendable ([MetricFamily], [MetricSample]) -> [UInt8]
  ) {
    self.measures = measures
    self.write = write
  }

  /// The text. Whoever is cancelled gets it all the same: others may wait for it too.
  package func text() async -> [UInt8] {
    if let newest, .now - newest.made < Self.freshTime { return newest.text }
    waitingCount += 1
    defer { waitingCount -= 1 }
    if let making { return await making.value }
    let (measures, write) = (measures, write)
    let task = Task { write(measures.flatMap(\.families), await Self.look(at: measures)) }
    making = task
    let text = await task.value
    newest = (text, .now)
    making = nil
    return text
  }

  private static func look(at measures: [Measure]) async -> [MetricSample] {
    await withTaskGroup(of: [MetricSample].self) { group in
      for measure in measures { group.addTask { await measure.look() } }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }
}
