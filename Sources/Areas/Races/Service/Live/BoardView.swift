internal import RacesRules

/// What the spectators of a race see, and since when: for each runner the tick of the newest move and of the newest
/// change, so that what has changed since any tick is known without keeping what was there then.
struct BoardView {
  private struct Seen {
    var row: BoardRow
    /// The newest tick with another position.
    var moved: Int
    /// The newest tick with another state, split, finish or decision.
    var changed: Int
  }

  /// The leaderboard in its order.
  private(set) var rows: [BoardRow] = []
  private(set) var state = RaceState.draft
  /// The newest tick with anything new.
  private(set) var newest = 0
  /// Before this tick there were other runners or another plan: since then nothing can be told as a difference.
  private(set) var replaced = 0
  /// By number.
  private var seen: [Seen] = []
  private var places: [BibNumber: Int] = [:]

  /// Takes the leaderboard of a tick.
  /// - Parameter isReplaced: whether the race itself is another one.
  mutating func update(_ new: [BoardRow], state newState: RaceState, at tick: Int, isReplaced: Bool) {
    if newState != state { newest = tick }
    state = newState
    rows = new
    if isReplaced || new.count != seen.count || !merge(new, at: tick) { replace(new, at: tick) }
  }

  private mutating func replace(_ new: [BoardRow], at tick: Int) {
    seen = new.sorted { $0.number < $1.number }.map { Seen(row: $0, moved: tick, changed: tick) }
    places = Dictionary(uniqueKeysWithValues: seen.indices.map { (seen[$0].row.number, $0) })
    replaced = tick
    newest = tick
  }

  /// False if there are other runners.
  private mutating func merge(_ new: [BoardRow], at tick: Int) -> Bool {
    for row in new {
      guard let place = places[row.number] else { return false }
      let hasMoved = seen[place].row.fixTime != row.fixTime || seen[place].row.wholeMarker != row.wholeMarker
      let hasChanged = !seen[place].row.hasSameState(as: row)
      guard hasMoved || hasChanged else { continue }
      if hasMoved { seen[place].moved = tick }
      if hasChanged { seen[place].changed = tick }
      seen[place].row = row
      newest = tick
    }
    return true
  }

  /// Those who have moved since a tick, by number.
  func moved(since tick: Int) -> some Sequence<BoardRow> { seen.lazy.filter { $0.moved > tick }.map(\.row) }

  /// Those about whom more has changed than where they are, by number. Their ranks are as old as that: who is before
  /// whom follows from the markers.
  func changed(since tick: Int) -> Set<BibNumber> {
    Set(seen.lazy.filter { $0.changed > tick }.map(\.row.number))
  }
}

extension BoardRow {
  /// In whole metres, as deltas have it.
  var wholeMarker: UInt32 { UInt32(max(0, marker).rounded()) }

  fileprivate func hasSameState(as other: BoardRow) -> Bool {
    status == other.status && hasMarker == other.hasMarker && isGrey == other.isGrey
      && isCorrected == other.isCorrected && finishTime == other.finishTime && splits == other.splits
      && name == other.name
  }
}
