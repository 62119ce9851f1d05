/// Who can be asked for access, and how long a grant lasts.
public enum AccessRules {
  /// Whole years, by the day of UTC, from which on a person can be found by the fiscal code (A-R8).
  public static let adultAge = 18
  /// How long a grant goes on after the end of its interval, or after it was given if that is later: what is measured in
  /// the interval may come late. A grant of an interval without end does not end by time.
  public static let afterEnd: Microseconds = 30 * 86_400 * 1_000_000
}
