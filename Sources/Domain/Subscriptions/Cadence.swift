/// How often a subscription delivers.
public enum Cadence: Int16, Sendable, Hashable, CaseIterable {
  /// Readings as they are committed; at coarser granularity than seconds each minute or hour when it is over.
  case asProduced = 1
  case hourly = 2
  /// From midnight to midnight in the subscription's time zone, as the longer ones.
  case daily = 3
  /// From Monday to Monday.
  case weekly = 4
  case monthly = 5

  /// Whether readings are handed on at their commits; otherwise there are periods, and digests of them.
  public func isLive(at granularity: Granularity) -> Bool { self == .asProduced && granularity == .second }
}
