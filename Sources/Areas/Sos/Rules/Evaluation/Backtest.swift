public import Domain

/// Limits run over a person's history: which emergencies they would have called.
///
/// Every reading counts as received when it was taken, and the clock goes from reading to reading. Silence is no part of it.
public struct Backtest: Sendable {
  /// One emergency that would have been called.
  public struct Episode: Sendable, Equatable {
    public let id: EmergencyID
    /// In the order in which they were completed.
    public var crossings: [Crossing]
  }

  /// The most crossings of an episode that are kept.
  public static let maxCrossings = 100

  private var monitor: PersonMonitor
  private var decisions: [Decision] = []
  private let maxEpisodes: Int
  /// Oldest first; at most `maxEpisodes`.
  public private(set) var episodes: [Episode] = []
  /// Whether there were more.
  public private(set) var isTruncated = false
  /// How many readings were checked.
  public private(set) var evaluatedReadings: Int64 = 0

  /// - Parameters:
  ///   - person: with the limits to try; declared exertions count.
  ///   - day: on which the age counts; nil: the age is not known.
  ///   - maxEpisodes: the most to keep.
  public init(_ person: MonitoredPerson, on day: CalendarDate?, maxEpisodes: Int = 1_000) {
    var person = person
    person.settings.silence = nil
    monitor = PersonMonitor(person, rules: RuleSet(RuleSet.Key(person, on: day)))
    self.maxEpisodes = maxEpisodes
  }

  /// Takes the next readings of the person's history, in the order of their times; those of other persons are passed
  /// over.
  public mutating func take(_ readings: ScalarColumns) {
    for index in 0..<readings.count where readings.person[index] == monitor.person {
      let time = readings.time[index]
      pass(to: time)
      monitor.take(
        Vital(
          metric: readings.metric[index], source: readings.source[index], time: time, value: readings.value[index]),
        receivedAt: time, now: time, into: &decisions)
      evaluatedReadings += 1
      collect()
    }
  }

  /// Takes the end of the history: what was beyond its limits then still has its hold time.
  public mutating func finish(at end: Microseconds) { pass(to: end) }

  private mutating func pass(to time: Microseconds) {
    guard PersonMonitor.isTime(time) else { return }
    var last = Microseconds.min
    while monitor.due <= time {
      let due = max(monitor.due, last)
      monitor.check(at: due, into: &decisions)
      collect()
      last = due + 1
      if last > time { break }
    }
  }

  private mutating func collect() {
    guard !decisions.isEmpty else { return }
    for case .crossed(let crossing, let id, let isFirst) in decisions {
      if isFirst {
        if episodes.count == maxEpisodes { isTruncated = true } else { episodes.append(Episode(id: id, crossings: [])) }
      }
      if let last = episodes.indices.last, episodes[last].id == id, episodes[last].crossings.count < Self.maxCrossings {
        episodes[last].crossings.append(crossing)
      }
    }
    decisions.removeAll(keepingCapacity: true)
  }
}
