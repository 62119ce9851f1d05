/// What the persons of a group add up to in a time bucket, exactly. Each counts once, with one value: their mean.
///
/// Nobody sees a tally: it leaves as a `NoisyTally` alone.
package struct Tally: Sendable, Hashable {
  /// Of a histogram.
  package static let bins = 20

  package private(set) var persons: Int64 = 0
  /// Of their places on the scale.
  package private(set) var sum: Int64 = 0
  /// Of their squares.
  package private(set) var squares: Int64 = 0
  package private(set) var histogram = [Int64](repeating: 0, count: bins)

  package init() {}

  /// Adds a person.
  /// - Parameters:
  ///   - place: on the scale, -100 to 100.
  ///   - weight: 1, or 0 for somebody who does not count, which takes as long.
  package mutating func add(place: Int64, weight: Int64 = 1) {
    let steps = Int64(ValueScale.steps)
    let place = min(max(place, -steps), steps)
    persons += weight
    sum += place * weight
    squares += place * place * weight
    histogram[Self.bin(ofPlace: place)] += weight
  }

  /// Takes in the persons of another part of the group: nobody may be in both.
  package mutating func add(_ other: Tally) {
    persons += other.persons
    sum += other.sum
    squares += other.squares
    for bin in histogram.indices { histogram[bin] += other.histogram[bin] }
  }

  static func bin(ofPlace place: Int64) -> Int {
    let steps = Int64(ValueScale.steps)
    return min(Int((place + steps) * Int64(bins) / (2 * steps)), bins - 1)
  }
}
