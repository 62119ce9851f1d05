/// Cells of the grid, to ask of many whether they are among them.
package struct CellSet: Sendable {
  private var words: [UInt64] = []

  package init(_ cells: [PlaceGrid.Cell]) {
    words = [UInt64](repeating: 0, count: Int(cells.max() ?? 0) / 64 + 1)
    for cell in cells where cell >= 0 { words[Int(cell) / 64] |= 1 << UInt64(Int(cell) % 64) }
  }

  /// False of `PlaceGrid.nowhere`.
  package func contains(_ cell: PlaceGrid.Cell) -> Bool {
    cell >= 0 && Int(cell) / 64 < words.count && words[Int(cell) / 64] >> UInt64(Int(cell) % 64) & 1 == 1
  }
}

/// Who of a part counts, by their number within it: of how many strata there are, in which one.
package struct PartMembers: Sendable {
  /// One more than the stratum; 0 for those who do not count.
  fileprivate var numbers = [UInt8](repeating: 0, count: DayCells.persons)
  /// All bits of those who count.
  fileprivate var masks = [Int64](repeating: 0, count: DayCells.persons)

  package init() {}

  /// - Parameter stratum: 0 to 254.
  package mutating func add(_ person: UInt16, stratum: Int = 0) { set(person, number: UInt8(stratum + 1)) }

  /// - Parameter number: one more than the stratum; 0 for who does not count.
  package mutating func set(_ person: UInt16, number: UInt8) {
    numbers[Int(person)] = number
    masks[Int(person)] = number == 0 ? 0 : -1
  }
}

/// What the persons of a part have in each bucket: each person's readings are added up before the persons are, wherever and
/// on however many days they were taken. Those who do not count take as long as those who do.
package struct PartTally: Sendable {
  private let buckets: Int
  private var counts: [Int64]
  private var sums: [Int64]

  package init(buckets: Int) {
    self.buckets = buckets
    counts = [Int64](repeating: 0, count: buckets * DayCells.persons)
    sums = counts
  }

  /// Adds some hours of a day.
  /// - Parameters:
  ///   - persons: of each row.
  ///   - places: of each row; looked at only where `asked` is not nil.
  ///   - before: until where they begin; nil where that is the beginning of the day.
  ///   - until: until where they end.
  ///   - members: who counts.
  ///   - asked: where readings count; nil: anywhere.
  /// - Throws: `CellError` where the columns are of different lengths.
  package mutating func add(
    _ persons: [UInt16], at places: [PlaceGrid.Cell], from before: CellColumn?, to until: CellColumn, bucket: Int,
    members: PartMembers, asked: CellSet?
  ) throws(CellError) {
    let rows = persons.count
    guard until.counts.count == rows, before?.counts.count ?? rows == rows, asked == nil || places.count == rows
    else { throw CellError() }
    let base = bucket * DayCells.persons
    for row in 0..<rows {
      let person = Int(persons[row])
      guard person < DayCells.persons else { throw CellError() }
      let isThere: Int64 = asked.map { $0.contains(places[row]) ? -1 : 0 } ?? -1
      let mask = members.masks[person] & isThere
      counts[base + person] += (until.counts[row] - (before?.counts[row] ?? 0)) & mask
      sums[base + person] += (until.sums[row] - (before?.sums[row] ?? 0)) & mask
    }
  }

  /// Each bucket's persons, with one value each.
  package var tallies: [Tally] {
    (0..<buckets).map { bucket in
      var tally = Tally()
      for person in 0..<DayCells.persons {
        let (place, weight) = place(of: person, bucket)
        tally.add(place: place, weight: weight)
      }
      return tally
    }
  }

  /// The persons of the first bucket, stratum by stratum.
  /// - Parameter members: who was added.
  package func tallies(of members: PartMembers, strata: Int) -> [Tally] {
    var tallies = [Tally](repeating: Tally(), count: strata)
    for person in 0..<DayCells.persons {
      let (place, weight) = place(of: person, 0)
      tallies[max(Int(members.numbers[person]), 1) - 1].add(place: place, weight: weight & members.masks[person])
    }
    return tallies
  }

  /// Where a person is on the scale, and 1; 0 without readings.
  private func place(of person: Int, _ bucket: Int) -> (place: Int64, weight: Int64) {
    let index = bucket * DayCells.persons + person
    // What is added up over an hour may stand where the hour did not begin.
    let count = counts[index] == 0 && sums[index] > 0 ? 1 : counts[index]
    return (ValueScale.place(ofSteps: sums[index], count: max(count, 1)), min(count, 1))
  }
}
