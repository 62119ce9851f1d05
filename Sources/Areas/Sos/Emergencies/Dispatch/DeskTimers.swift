internal import Domain
internal import HeapModule
internal import SosRules

/// What a desk does later.
enum DeskTimer: Sendable {
  /// The journal has taken too long.
  case release(EmergencyID)
  /// The next one is asked.
  case turn(EmergencyID)
  case retry(DeliveryJob)
  /// What waited for dispatchers and webhooks goes out.
  case hold(EmergencyID)
  /// Somebody has waited for the journal long enough.
  case waiter(Int)
  /// What is over for long is forgotten.
  case sweep
}

/// What is due when. A timer is never taken back: who set it checks, when it fires, whether it still counts.
struct DeskTimers: Sendable {
  private struct Entry: Comparable {
    let due: Microseconds
    let number: Int
    let timer: DeskTimer

    static func < (left: Entry, right: Entry) -> Bool { (left.due, left.number) < (right.due, right.number) }
    static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
  }

  private var entries = Heap<Entry>()
  private var count = 0

  /// When the first one is due.
  var next: Microseconds? { entries.min?.due }

  mutating func set(_ timer: DeskTimer, at due: Microseconds) {
    count += 1
    entries.insert(Entry(due: due, number: count, timer: timer))
  }

  /// The first one that is due, with the time for which it was set.
  mutating func pop(until now: Microseconds) -> (due: Microseconds, timer: DeskTimer)? {
    guard let first = entries.min, first.due <= now else { return nil }
    entries.removeMin()
    return (first.due, first.timer)
  }
}
