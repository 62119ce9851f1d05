/// The times that anybody outside may name.
public enum OutsideTimes {
  /// The years 1 to 9999, as google.protobuf.Timestamp has them. Every number in it can be added to and subtracted from
  /// others and from durations of up to 10,000 years without an overflow.
  public static let range: Range<Microseconds> = -62_135_596_800_000_000..<253_402_300_800_000_000
}
