internal import Domain

/// A moment of a race as a spectator saw it. Opaque for clients.
///
/// The text is `r1.` and four numbers in base 36. It is no secret and grants nothing. The start is in it because a
/// leaderboard from before a postponement has the dates that the race had then.
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

  /// The cursor of a text that the server sent; nil if it is none.
  init?(text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "r1" else { return nil }
    let numbers = parts.dropFirst().compactMap { Int64($0, radix: 36) }
    guard numbers.count == 4, numbers[0] > 0, numbers[1] >= 0, numbers[2] >= 0, numbers[3] >= 0 else { return nil }
    self.init(race: numbers[0], position: numbers[1], time: numbers[2], starts: numbers[3])
    // One text for each cursor.
    guard self.text == text else { return nil }
  }

  var text: String {
    "r1." + [race, position, time, starts].map { String($0, radix: 36) }.joined(separator: ".")
  }
}
