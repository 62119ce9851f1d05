public import Domain
internal import RPCRuntime
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
  /// When the log has made no progress for so long, a stream that finds no room goes on to check readings without
  /// keeping them: more than a busy disk takes, and well within the five seconds from a crossing to its call.
  static let stallTime: Duration = .seconds(1)

  let writer: LogWriter
  let metrics: MetricRegistry
  let sources: SourceRegistry
  let bridges: BridgePermissions
  let ended: EndedPersons
  let monitor: (any ReadingMonitor)?
  let clock: @Sendable () -> Microseconds
  /// What this server has taken in since it began.
  private let quota: Mutex<HourQuota>
  private let isDiskFull = Atomic(false)
  private struct Open {
    var streams: [ObjectIdentifier: PendingAcknowledgements] = [:]
    var isDraining = false
    var hasStalled = false
  }
  private let open = Mutex(Open())

  /// - Parameters:
  ///   - monitor: checks readings as they arrive; nil: nobody does.
  ///   - quota: bounds the readings of a person in an hour.
  ///   - clock: the time of day, by which readings from the future are told.
  public init(
    storage: StorageSystem, monitor: (any ReadingMonitor)? = nil, quota: HourQuota = HourQuota(),
    clock: @escaping @Sendable () -> Microseconds
  ) {
    self.monitor = monitor
    self.quota = Mutex(quota)
    writer = storage.writer
    metrics = storage.metrics
    sources = storage.sources
    bridges = storage.bridges.permissions
    ended = storage.ended
    self.clock = clock
  }

  /// Runs `body` with the permissions of the caller at hand, if it is a bridge.
  nonisolated(nonsending) func withPermissions<T>(
    of principal: Principal, _ body: nonisolated(nonsending) () async throws -> T
  ) async throws -> T {
    guard case .bridge(let bridge) = principal else { return try await body() }
    try await bridges.open(bridge)
    defer { bridges.close(bridge) }
    return try await body()
  }

  /// Takes the readings out of a batch that break a rule, and says which; a bridge's permissions are those of now.
  func validate(_ columns: inout ReadingColumns, by principal: Principal) -> [Rejection] {
    let bridged: Set<PersonID> = if case .bridge(let bridge) = principal { bridges.persons(of: bridge) } else { [] }
    return metrics.rules.validate(&columns, by: principal, bridged: bridged, ended: ended.among(columns), now: clock())
  }

  /// Takes those readings out of a batch that are more than their persons may have of an hour, and counts the others: to be
  /// called when the batch is offered to the log, and once only. They have been checked for emergencies before.
  func bound(_ columns: inout ReadingColumns, _ rejections: inout [Rejection]) {
    quota.withLock { $0.bound(&columns, &rejections) }
  }

  /// A batch that was counted is in the log already.
  func countBack(_ columns: ReadingColumns) { quota.withLock { $0.giveBack(columns) } }

  /// The disk has room for more readings, or is nearly full: then readings are checked for emergencies and not kept.
  public func diskChanged(hasRoom: Bool) { isDiskFull.store(!hasRoom, ordering: .releasing) }

  /// Whether readings can be kept.
  var hasRoomOnDisk: Bool { !isDiskFull.load(ordering: .acquiring) }

  /// Looks whether the log makes progress, for streams that find no room in it. To be called some times a second.
  public func lookAfterStalls() {
    let isStalled = writer.isStalled(for: Self.stallTime) || !hasRoomOnDisk
    let (streams, hadStalled) = open.withLock { open in
      defer { open.hasStalled = isStalled }
      return (isStalled || open.hasStalled ? Array(open.streams.values) : [], open.hasStalled)
    }
    if isStalled {
      for stream in streams { stream.stall() }
      writer.wakeStalled()
    } else if hadStalled {
      for stream in streams { stream.resend() }
    }
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

extension RPCStatus {
  static let diskFull = failure(
    .unavailable, reason: "DISK_FULL",
    message:
      "the server's disk is nearly full: readings are checked for emergencies and not kept; send them again later")
}
