public import Domain

/// How long places in races are held for the fee, and when they are given (A-R21.1).
public enum PlaceRules {
  /// How long a place is held, though never into the race.
  public static let hold: Microseconds = 15 * 60 * 1_000_000
  /// How long one from the waiting list is held: so long or until the deadline, whichever comes first, but `hold` at least.
  public static let listHold: Microseconds = 24 * 3_600 * 1_000_000

  /// The states of a race in which runners enrol, and in which free places go to those who wait.
  public static let enrolling = RaceState.allowing(.enrol)
  /// Those in which a place can be given back, in a running race by giving up.
  public static let leaving = RaceState.allowing(.withdraw, .retire)
  /// Those in which a fee that was paid makes a place certain: before the gun.
  public static let certain: [RaceState] = [.enrolmentOpen, .enrolmentClosed]
}
