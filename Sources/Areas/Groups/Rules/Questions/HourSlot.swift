/// Hours of the day, in the question's time zone; from 22 to 6 goes over midnight.
package struct HourSlot: Sendable, Hashable {
  /// 0 to 23.
  package let from: Int
  /// Where it ends, not included: 1 to 24.
  package let to: Int

  package static let day = HourSlot(from: 0, to: 24)!

  /// - Returns: nil for what is no hour of the day, and where it ends when it begins.
  package init?(from: Int, to: Int) {
    guard 0...23 ~= from, 1...24 ~= to, from != to else { return nil }
    self.from = from
    self.to = to
  }

  /// How many hours it has.
  package var count: Int { (0..<CellRow.hours).count(where: contains) }

  package func contains(_ hour: Int) -> Bool {
    from < to ? (from..<to).contains(hour) : hour >= from || hour < to
  }
}
