/// A moment up to which the log is taken for complete: a statement of what third parties may have been shown.
///
/// Minutes and hours that ended by `time` are shown out of what was committed by `position`. Watermarks are made when
/// somebody is about to look, are kept for ever, and are the same for everybody: whatever a third party is shown, by
/// whichever way, is worked out from them. Of any two, the one with the greater time has no smaller position.
public struct Watermark: Sendable, Hashable, Comparable {
  /// How long after its end a minute or an hour is taken for complete: wearables hand on what they measured in bursts,
  /// through a phone. What comes later was late.
  public static let settlingTime: Microseconds = 45_000_000

  /// A whole minute.
  public let time: Microseconds
  public let position: LogPosition

  public init(time: Microseconds, position: LogPosition) {
    self.time = time
    self.position = position
  }

  /// The time of a watermark that is made now.
  public static func time(at now: Microseconds) -> Microseconds { Granularity.minute.start(of: now - settlingTime) }

  public static func < (a: Watermark, b: Watermark) -> Bool { (a.time, a.position) < (b.time, b.position) }
}

/// Watermarks in their order.
///
/// Not all of them are needed to find the one that closes an interval: those whose time lies between the ends of the
/// intervals in question, those whose position lies between the positions in question, and of each the next one.
public struct Watermarks: Sendable, Equatable {
  private let all: [Watermark]

  public init(_ watermarks: some Sequence<Watermark>) { all = watermarks.sorted() }

  public var isEmpty: Bool { all.isEmpty }

  /// The watermark that closes an interval: the first one by which it was over and something of it was known.
  ///
  /// - Parameters:
  ///   - end: when the interval is over.
  ///   - first: where in the log its first reading is.
  /// - Returns: nil while the interval is open.
  public func closing(end: Microseconds, first: LogPosition) -> Watermark? {
    let index = max(place { $0.time >= end }, place { $0.position >= first })
    return index < all.count ? all[index] : nil
  }

  /// Whether one of them, made when an interval was over, knew a reading and not the one that replaced it.
  func fall(between position: LogPosition, and replacement: LogPosition, end: Microseconds) -> Bool {
    // Times rise with positions: the last one before the replacement has the greatest time.
    let index = place { $0.position >= replacement } - 1
    return index >= 0 && all[index].position >= position && all[index].time >= end
  }

  /// The first place from which on a condition holds that holds for every later one too.
  private func place(_ holds: (Watermark) -> Bool) -> Int {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(all[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
