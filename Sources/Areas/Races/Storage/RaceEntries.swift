public import Log
public import RacesRules

extension LogTopic {
  /// What is decided about a race.
  public static func race(_ race: RaceID) -> LogTopic { LogTopic("race", race) }
}

extension LogEntry {
  /// Something was decided about a published race or its runners.
  public init(_ change: RaceChange) { self.init(change, about: [.race(change.race)]) }

  /// The change, if it is one of a race.
  public var raceChange: RaceChange? { value as? RaceChange }
}

extension EntryReader {
  /// The decisions about a race.
  public static func race(_ race: RaceID) -> EntryReader {
    EntryReader(about: .race(race)) { connection, position in
      try RaceChangeRows.read(connection, of: race, after: position).map { ($0.position, LogEntry($0.change)) }
    }
  }
}
