/// Which reading is which: pushes are numbered through the time of their reading, so that a subscriber can tell what it
/// has received, in which order, and when that was due.
///
/// Live readings go to everyone's person or to each subscriber's own; backlog readings go to one more person, whom the
/// first subscriber alone follows.
struct PushSchedule {
  /// The time of the first live reading, in microseconds since the Unix epoch.
  let start: Int64
  let subscribers: Int
  /// Whether each subscriber follows a person of its own.
  let hasOwnPersons: Bool

  /// The person whose readings push after push go to.
  func person(ofPush number: Int) -> Int64 { hasOwnPersons ? Int64(number % subscribers) + 1 : 1 }

  /// The persons that a subscriber follows.
  func persons(ofSubscriber number: Int) -> [Int64] {
    let person = hasOwnPersons ? Int64(number) + 1 : 1
    return number == 0 ? [person, backlogPerson] : [person]
  }

  var backlogPerson: Int64 { Int64(subscribers) + 1 }

  /// How many of a run's subscribers get each push.
  var audience: Int { hasOwnPersons ? 1 : subscribers }

  /// Between two readings: microseconds. Four million of a person, which is the most of a run, take eleven hours: an hour
  /// holds a million.
  private static let step: Int64 = 10_000

  func time(ofPush number: Int) -> Int64 { start + Int64(number) * Self.step }
  func push(at time: Int64) -> Int { Int((time - start) / Self.step) }
}
