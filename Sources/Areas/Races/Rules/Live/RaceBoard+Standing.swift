public import Domain

extension RaceBoard {
  /// The whole leaderboard in its order, as it stands at a time: of the positions folded in, those up to that time count.
  /// Empty while runners can enrol, and if the race was cancelled.
  ///
  /// First those who have finished, by their times, then the others by distance; ties by number. Those who are not ranked
  /// come last, by number.
  public func standing(at time: Microseconds) -> [BoardRow] {
    let state = schedule.state(at: time)
    guard state == .enrolmentClosed || state == .running || state == .finished else { return [] }
    var rows: [BoardRow] = []
    var keys: [Key] = []
    rows.reserveCapacity(states.count)
    keys.reserveCapacity(states.count)
    // In place: a runner's state is large, and a copy of it costs more than the row.
    states.withUnsafeBufferPointer { states in
      for index in states.indices where !states[index].isWithdrawn {
        let row = states[index].row(at: time, in: state, points: points)
        keys.append(Key(row, place: rows.count))
        rows.append(row)
      }
    }
    // Rows are by number already, so their places decide between equals.
    keys.sort()
    var ranked = 0
    while ranked < keys.count, keys[ranked].group < Key.unranked { ranked += 1 }
    var finished = 0
    while finished < ranked, keys[finished].group == Key.finished { finished += 1 }
    let running = keys[finished..<ranked]
    // Who is surely ahead, and who is surely behind.
    let lows = running.reversed().map { $0.low }.sorted()
    let highs = running.reversed().map { $0.high }.sorted()
    for (index, key) in keys[..<ranked].enumerated() {
      rows[key.place].rank = index + 1
      if index < finished {
        (rows[key.place].firstRank, rows[key.place].lastRank) = (index + 1, index + 1)
      } else {
        rows[key.place].firstRank = finished + lows.count - lows.countUpTo(key.high) + 1
        rows[key.place].lastRank = ranked - highs.countBelow(key.low)
      }
    }
    return keys.map { rows[$0.place] }
  }
}

/// What decides a row's place.
private struct Key: Comparable {
  static let finished: Int32 = 0
  static let running: Int32 = 1
  static let unranked: Int32 = 2

  let group: Int32
  let place: Int
  /// The less, the further ahead.
  let value: Double
  let low: Double
  let high: Double

  init(_ row: BoardRow, place: Int) {
    self.place = place
    low = row.distance - 2 * row.uncertainty
    high = row.distance + 2 * row.uncertainty
    switch row.status {
    case .enrolled, .absent, .notSeen, .disqualified: (group, value) = (Self.unranked, 0)
    case .finished: (group, value) = (Self.finished, Double(row.finishTime ?? 0))
    case .running, .standing, .noSignal, .offCourse, .retired, .didNotFinish:
      (group, value) = (Self.running, -row.distance)
    }
  }

  static func < (a: Key, b: Key) -> Bool {
    if a.group != b.group { return a.group < b.group }
    if a.value != b.value { return a.value < b.value }
    return a.place < b.place
  }

  static func == (a: Key, b: Key) -> Bool { a.group == b.group && a.value == b.value && a.place == b.place }
}

extension [Double] {
  /// How many of a sorted list are less than a value.
  fileprivate func countBelow(_ value: Double) -> Int { partition { $0 < value } }
  /// How many of a sorted list are at most a value.
  fileprivate func countUpTo(_ value: Double) -> Int { partition { $0 <= value } }

  private func partition(_ isBefore: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
