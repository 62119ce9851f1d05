/// A person's number, positive.
public typealias PersonID = Int64
/// A metric's number in the registry, 1 to 65,535.
public typealias MetricID = Int32
/// The number under which a source's name is registered; 0 is the source without a name.
public typealias SourceID = Int32
/// Microseconds since the Unix epoch, UTC.
public typealias Microseconds = Int64
/// A place in the log: commits are numbered 1, 2, 3 … in the order in which they became visible.
public typealias LogPosition = Int64

/// Readings that are one number each, column by column: entry i of each column belongs to reading i.
public struct ScalarColumns: Sendable, Equatable {
  public var person: [PersonID] = []
  public var metric: [MetricID] = []
  public var source: [SourceID] = []
  public var time: [Microseconds] = []
  /// In the metric's unit; finite.
  public var value: [Double] = []

  public init() {}
  public var count: Int { time.count }
  public var isEmpty: Bool { time.isEmpty }
}

/// Positions on WGS 84, column by column. NaN in the last four columns means not known.
public struct PositionColumns: Sendable, Equatable {
  public var person: [PersonID] = []
  public var metric: [MetricID] = []
  public var source: [SourceID] = []
  public var time: [Microseconds] = []
  /// Degrees, -90 … 90.
  public var latitude: [Double] = []
  /// Degrees, -180 … 180.
  public var longitude: [Double] = []
  /// Metres above mean sea level.
  public var altitude: [Double] = []
  /// Metres, radius of the 68 % circle.
  public var accuracy: [Double] = []
  /// Metres a second.
  public var speed: [Double] = []
  /// Degrees clockwise from true north.
  public var course: [Double] = []

  public init() {}
  public var count: Int { time.count }
  public var isEmpty: Bool { time.isEmpty }
}

/// Sampled waveforms, column by column. The samples of all of them follow each other in `samples`.
public struct WaveformColumns: Sendable, Equatable {
  public var person: [PersonID] = []
  public var metric: [MetricID] = []
  public var source: [SourceID] = []
  /// When the first sample was taken.
  public var time: [Microseconds] = []
  /// Samples a second.
  public var rate: [Double] = []
  /// How many entries of `samples` belong to each waveform.
  public var sampleCount: [Int32] = []
  /// In the metric's unit; finite.
  public var samples: [Double] = []

  public init() {}
  public var count: Int { time.count }
  public var isEmpty: Bool { time.isEmpty }
}

/// Readings of all three kinds. They are numbered scalars first, then positions, then waveforms.
public struct ReadingColumns: Sendable, Equatable {
  public var scalars = ScalarColumns()
  public var positions = PositionColumns()
  public var waveforms = WaveformColumns()

  public init() {}
  public var count: Int { scalars.count + positions.count + waveforms.count }
  public var isEmpty: Bool { count == 0 }
}
