/// Summaries of scalars, bucket by bucket in the order of time; buckets without a reading are left out.
public struct SummaryColumns: Sendable, Equatable {
  /// When each bucket begins.
  public var start: [Microseconds] = []
  /// Readings in the bucket, at least 1.
  public var count: [Int64] = []
  public var min: [Double] = []
  public var mean: [Double] = []
  public var max: [Double] = []
  /// The newest reading's value; of several at the same time, that of the greatest source.
  public var last: [Double] = []

  public init() {}
  public var isEmpty: Bool { start.isEmpty }
}
