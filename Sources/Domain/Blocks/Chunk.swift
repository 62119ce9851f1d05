/// Readings of one person and metric within one hour, of one kind, sorted by time and then source, without repeats.
///
/// More readings than `readingsMax` or more samples than `samplesMax` make several chunks of the same hour.
public struct Chunk: Sendable, Equatable {
  public let person: PersonID
  public let metric: MetricID
  /// When the hour begins; a multiple of `hour`.
  public let hourStart: Microseconds
  /// How many readings the payload holds.
  public let count: Int
  /// The least and the greatest log position among the readings.
  public let minPosition: LogPosition
  public let maxPosition: LogPosition
  /// What `BlockCodec` encoded, log positions included.
  public let payload: [UInt8]

  public static let hour: Microseconds = 3_600_000_000
  public static let readingsMax = 16_384
  /// Half a mebibyte of doubles. A single waveform that is longer has a chunk of its own.
  public static let samplesMax = 65_536

  /// The start of the hour that `time` lies in.
  public static func hourStart(of time: Microseconds) -> Microseconds {
    // Times that no clock gives must not trap: the hours at the very ends of the range wrap.
    hourIndex(of: time) &* hour
  }

  /// Hours since the epoch, rounded down.
  @inline(__always)
  static func hourIndex(of time: Microseconds) -> Int64 {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: hour)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
