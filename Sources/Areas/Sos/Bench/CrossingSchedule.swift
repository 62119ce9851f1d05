internal import BenchKit
internal import Synchronization

/// When whose limit is crossed: persons chosen at random, each once, at moments spread over a run.
final class CrossingSchedule: Sendable {
  enum Way: Sendable {
    /// In the midst of a message with readings of others.
    case amongOthers
    /// In a message of its own.
    case alone
  }

  struct Crossing: Sendable {
    let person: Int64
    /// Nanoseconds of the monotonic clock.
    let due: Int64
    /// Among the readings of a message.
    let place: Int
  }

  private let open: Mutex<(amongOthers: [Crossing], alone: [Crossing])>

  /// - Parameters:
  ///   - persons: more of them than crossings.
  ///   - from: nanoseconds of the monotonic clock, as `to`.
  init(crossings: Int, persons: Range<Int64>, from: Int64, to: Int64, seed: UInt64 = 1) {
    var chosen: Set<Int64> = []
    var all: [Crossing] = []
    var number = seed
    while all.count < crossings {
      number += 1
      let hash = ReadingGenerator.mix(number)
      let person = persons.lowerBound + Int64(hash % UInt64(persons.count))
      guard chosen.insert(person).inserted else { continue }
      // One in each of equal parts of the time, somewhere within.
      let part = Double(to - from) / Double(crossings)
      let within = Double(ReadingGenerator.mix(hash) % 1_000) / 1_000
      all.append(
        Crossing(
          person: person, due: from + Int64((Double(all.count) + within) * part),
          place: Int((hash >> 20) % UInt64(MonitoredReadings.readingsPerMessage))))
    }
    // Taken from the end.
    all.reverse()
    let halves = all.enumerated()
    open = Mutex(
      (halves.filter { $0.offset % 2 == 0 }.map(\.element), halves.filter { $0.offset % 2 == 1 }.map(\.element)))
  }

  /// The next crossing if its moment has come.
  func takeDue(_ way: Way) -> Crossing? { take(way, dueUntil: monotonicNanoseconds()) }

  /// The next crossing, due or not; nil after the last one.
  func takeNext(_ way: Way) -> Crossing? { take(way, dueUntil: .max) }

  private func take(_ way: Way, dueUntil limit: Int64) -> Crossing? {
    open.withLock { open in
      switch way {
      case .amongOthers: (open.amongOthers.last?.due ?? .max) <= limit ? open.amongOthers.popLast() : nil
      case .alone: (open.alone.last?.due ?? .max) <= limit ? open.alone.popLast() : nil
      }
    }
  }
}
