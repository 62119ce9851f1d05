/// What Timestamp and Duration may hold, as timestamp.proto and duration.proto say.
enum WellKnownRanges {
  /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
  static let timestampSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  /// 10,000 years of 365.25 days, both ways.
  static let durationSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

  /// The day of a moment, counted from 1970-01-01.
  static func day(of seconds: Int64) -> Int64 { seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0) }
}
