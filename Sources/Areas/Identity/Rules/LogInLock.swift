public import Domain

/// When wrong passwords lock log-ins under a name (A-R4).
public enum LogInLock {
  /// So many in a row do; a right one begins the count anew.
  public static let wrongInARow = 5
  /// How long it holds.
  public static let time: Microseconds = 50 * 1_000_000
  /// How long wrong passwords are remembered after the last one.
  public static let memory: Microseconds = 3_600 * 1_000_000
}
