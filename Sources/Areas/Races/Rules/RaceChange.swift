public import Domain

/// What was decided about a published race or its runners: an entry of the log, in one order with the readings. So a
/// leaderboard is a function of the log up to a position.
public struct RaceChange: Sendable, Hashable {
  public enum Kind: Int16, Sendable, Hashable, CaseIterable {
    /// Marked present by an organiser.
    case present = 1
    /// Not there after all.
    case absent = 2
    /// Taken out of the ranking.
    case disqualified = 3
    case reinstated = 4
    /// Gave up while the race ran.
    case retired = 5
    /// The finish time counts that is given, not the measured one.
    case finishTime = 6
    /// No finish counts.
    case didNotFinish = 7
    /// What was measured counts again.
    case asMeasured = 8
    /// Gave the place back between deadline and start.
    case withdrawn = 9
    /// An organiser ended the race.
    case raceFinished = 10
    /// An organiser cancelled it.
    case raceCancelled = 11
    /// An organiser changed dates or course while enrolment was open.
    case planChanged = 12
  }

  public let race: RaceID
  public let kind: Kind
  /// Whom it is about; none where it is about the race.
  public let persons: [PersonID]
  /// Who decided.
  public let author: AccountID
  /// When.
  public let time: Microseconds
  /// From the start of the race to the arrival, with `finishTime`; otherwise 0.
  public let finishTime: Microseconds

  public init(
    race: RaceID, kind: Kind, persons: [PersonID] = [], author: AccountID, time: Microseconds,
    finishTime: Microseconds = 0
  ) {
    self.race = race
    self.kind = kind
    self.persons = persons
    self.author = author
    self.time = time
    self.finishTime = finishTime
  }
}

/// A change and where it stands in the log.
public struct PositionedRaceChange: Sendable, Hashable {
  public let position: LogPosition
  public let change: RaceChange

  public init(position: LogPosition, change: RaceChange) {
    self.position = position
    self.change = change
  }
}
