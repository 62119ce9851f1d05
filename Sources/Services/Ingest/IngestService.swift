public import Domain
public import Storage
internal import Synchronization

/// Takes readings in: each RPC has its own file.
public final class IngestService: Sendable {
  /// The most readings of a batch of a stream, and of a single call.
  public static let maxBatchReadings = 10_000
  public static let maxRecordReadings = 1_000
  /// The most bytes of a frame.
  public static let maxFrameBytes = 1 << 20
  static let maxClientBytes = 64

  let writer: LogWriter
  let metrics: MetricRegistry
  let sources: SourceRegistry
  let clock: @Sendable () -> Microseconds
  private let open = Mutex<(streams: [ObjectIdentifier: PendingAcknowledgements], isDraining: Bool)>(([:], false))

  /// - Parameter clock: the time of day, by which readings from the future are told.
  public init(
    writer: LogWriter, metrics: MetricRegistry, sources: SourceRegistry, clock: @escaping @Sendable () -> Microseconds
  ) {
    self.writer = writer
    self.metrics = metrics
    self.sources = sources
    self.clock = clock
  }

  /// How many streams push now.
  var streamCount: Int { open.withLock(\.streams.count) }

  /// Ends every stream once what it has pushed is acknowledged, and those that will come.
  public func drain() {
    let streams = open.withLock { open in
      open.isDraining = true
      return Array(open.streams.values)
    }
    for stream in streams { stream.drain() }
  }

  func register(_ stream: PendingAcknowledgements) {
    let isDraining = open.withLock { open in
      open.streams[ObjectIdentifier(stream)] = stream
      return open.isDraining
    }
    if isDraining { stream.drain() }
  }

  func unregister(_ stream: PendingAcknowledgements) {
    open.withLock { _ = $0.streams.removeValue(forKey: ObjectIdentifier(stream)) }
  }
}
