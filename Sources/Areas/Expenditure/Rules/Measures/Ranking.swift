/// The place of a value among others, the highest first. Equal ones share a place, and the next ones come after all of
/// them: 1, 2, 2, 4.
package struct Ranking: Sendable, Hashable {
  /// From 1; 0: there is none.
  package let place: Int
  /// How many have a value.
  package let count: Int
  /// How many others have the same.
  package let tied: Int

  /// - Parameters:
  ///   - own: nil: there is none.
  ///   - all: with the own one.
  package init(_ own: Int64?, among all: [Int64]) {
    count = all.count
    place = own.map { own in all.count { $0 > own } + 1 } ?? 0
    tied = own.map { own in max(all.count { $0 == own } - 1, 0) } ?? 0
  }
}
