internal import DequeModule
internal import Domain
internal import SosRules

/// The calls of one dispatcher as everybody at its desk sees them, in the order in which they last changed.
///
/// A stream keeps a position in that order and nothing else: whoever reads slowly costs nothing, and several changes of a
/// call are one.
struct DeskBoard: Sendable {
  private struct Entry: Sendable {
    var revision: Microseconds
    var place: CallPlace
    /// `Emergency.changed` of what was shown.
    var changed: Microseconds
  }

  private var entries: [EmergencyID: Entry] = [:]
  /// By rising revisions. Those that are not their call's newest are passed over.
  private var order: Deque<(revision: Microseconds, id: EmergencyID)> = []
  /// Nobody who is before this can be told what is missing.
  private var began: Microseconds

  /// - Parameter began: is greater than everything that was ever stamped.
  init(began: Microseconds) { self.began = began }

  /// How many changes are kept, those that are passed over among them.
  var orderCount: Int { order.count }

  /// The newest position.
  var head: Microseconds { max(began, order.last?.revision ?? began) }

  /// Whether a change is worth showing. What is done with here is not shown on.
  func lacks(_ id: EmergencyID, _ place: CallPlace, changed: Microseconds) -> Bool {
    guard let known = entries[id] else { return place.isOpen }
    return known.place != place || place.isOpen && known.changed != changed
  }

  /// - Parameter revision: is greater than all before it.
  mutating func put(_ id: EmergencyID, _ place: CallPlace, changed: Microseconds, at revision: Microseconds) {
    entries[id] = Entry(revision: revision, place: place, changed: changed)
    order.append((revision, id))
    if order.count > 2 * entries.count + 64 {
      order = Deque(entries.map { ($0.value.revision, $0.key) }.sorted { $0.0 < $1.0 })
    }
  }

  /// Forgets what has been over for long: whoever has not heard of that begins anew.
  mutating func drop(_ id: EmergencyID) {
    guard let known = entries.removeValue(forKey: id) else { return }
    began = max(began, known.revision)
  }

  /// Forgets calls that nobody is to see any more: everybody begins anew.
  /// - Returns: whether any was there.
  mutating func erase(_ ids: Set<EmergencyID>, at revision: Microseconds) -> Bool {
    let count = entries.count
    for id in ids { entries[id] = nil }
    guard entries.count < count else { return false }
    began = revision
    return true
  }

  /// What has changed after a position.
  ///
  /// - Parameter position: nil: from nowhere.
  /// - Returns: the changed calls with their revisions, oldest change first; if what follows the position is not known,
  ///   whatever is open, and that it begins anew.
  func changes(
    after position: Microseconds?, limit: Int
  ) -> (beginsAnew: Bool, calls: [(id: EmergencyID, place: CallPlace, revision: Microseconds)]) {
    let start = position.flatMap { (began...head).contains($0) ? $0 : nil }
    var (low, high) = (0, order.count)
    while let start, low < high {
      let middle = (low + high) / 2
      if order[middle].revision > start { high = middle } else { low = middle + 1 }
    }
    var found: [(id: EmergencyID, place: CallPlace, revision: Microseconds)] = []
    for (revision, id) in order[low...] where found.count < limit {
      guard let known = entries[id], known.revision == revision, start != nil || known.place.isOpen else { continue }
      found.append((id, known.place, revision))
    }
    return (start == nil, found)
  }
}
