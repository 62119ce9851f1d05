internal import Domain
internal import RacesRules
internal import ServiceKit

/// A moment of a race as a spectator saw it. Opaque for clients.
///
/// It grants nothing. The start is in it because a leaderboard from before a postponement has the dates that the race had
/// then.
struct BoardCursor: Equatable, Hashable {
  let race: RaceID
  /// Of the log: everything up to here was known.
  let position: LogPosition
  /// The board's time.
  let time: Microseconds
  /// The start that the race had.
  let starts: Microseconds

  init(race: RaceID, position: LogPosition, time: Microseconds, starts: Microseconds) {
    self.race = race
    self.position = position
    self.time = time
    self.starts = starts
  }

  /// The cursor of a text; nil if it is none. Its times are of `OutsideTimes`.
  init?(text: String, _ seal: Seal) {
    let found = text.hasPrefix("r1.") ? Self.unsealed(text) : seal.numbers(.race, in: text, count: 4)
    guard let found, found[0] > 0, found[1] >= 0, OutsideTimes.range.contains(found[2]),
      OutsideTimes.range.contains(found[3])
    else { return nil }
    self.init(race: found[0], position: found[1], time: found[2], starts: found[3])
  }

  /// The four numbers, sealed.
  func text(_ seal: Seal) -> String { seal.text(.race, race, position, time, starts) }

  /// Cursors were `r1.` and four numbers in base 36, and are still read so for one release: clients have kept them.
  private static func unsealed(_ text: String) -> [Int64]? {
    guard text.utf8.count <= 64 else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    let numbers = parts.compactMap { Int64($0, radix: 36) }
    // One text for each cursor.
    guard parts.count == 4, numbers.map({ String($0, radix: 36) }) == parts.map({ String($0) }) else { return nil }
    return numbers
  }
}

extension Seal.Kind {
  /// A moment of a race.
  static let race = Seal.Kind(4)
}
