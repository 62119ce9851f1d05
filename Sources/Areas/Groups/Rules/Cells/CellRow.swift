/// What a person has in one place on one day, hour by hour.
package struct CellRow: Sendable, Hashable {
  /// Hours of a day.
  package static let hours = 24

  /// The person's number within a part.
  package let person: UInt16
  package let place: PlaceGrid.Cell
  /// How many readings of each hour count, 24 entries.
  package var counts: [Int64]
  /// Where they are on the scale, in steps of `Cells.resolution`, added up; 24 entries.
  package var sums: [Int64]

  package init(
    person: UInt16, place: PlaceGrid.Cell, counts: [Int64] = .init(repeating: 0, count: hours),
    sums: [Int64] = .init(repeating: 0, count: hours)
  ) {
    self.person = person
    self.place = place
    self.counts = counts
    self.sums = sums
  }
}

extension ValueScale {
  /// A reading is put down as one of so many steps between the ends of the scale: whole numbers add up exactly, in
  /// whatever order.
  package static let resolution = 65_535.0

  /// The step of a value.
  package func step(of value: Double) -> Int64 {
    let share = (min(max(value, lower), upper) - lower) / (upper - lower)
    return Int64((share * Self.resolution).rounded(.toNearestOrEven))
  }

  /// Where the mean of readings is between the ends of the scale, -100 to 100: twice its distance from the middle, in steps
  /// of which the scale has 100.
  /// - Parameter count: positive.
  package static func place(ofSteps sum: Int64, count: Int64) -> Int64 {
    let share = Double(sum) / Double(count) / resolution
    return 2 * Int64((min(share, 1) * Double(steps)).rounded(.toNearestOrEven)) - Int64(steps)
  }
}
