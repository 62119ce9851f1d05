public import Domain
internal import Identity
public import Log
internal import RPCRuntime
public import ServiceKit
internal import Synchronization

/// Takes readings in: each RPC has its own file.
public final class IngestService: Sendable, StreamRegister {
  /// The most readings of a batch of a stream, and of a single call.
  public static let maxBatchReadings = 10_000
  /// The most readings of a call of RecordReadings.
  public static let maxRecordReadings = 1_000
  /// The most bytes of a frame.
  public static let maxFrameBytes = 1 << 20
  static let maxClientBytes = 64
  /// When the log has made no progress for so long, a stream that finds no room goes on to check readings without
  /// keeping them: more than a busy disk takes, and well within the five seconds from a crossing to its call.
  static let stallTime: Duration = .seconds(1)
  /// When the log has made no progress for so long, single calls that wait for their commits end: others of the same
  /// account have to be judged.
  static let callPatience: Duration = .seconds(2)

  let writer: LogWriter
  let metrics: MetricRegistry
  let sources: SourceRegistry
  let bridges: BridgePermissions
  let ended: EndedPersons
  /// Who looks at readings as they arrive.
  package let taps = ReadingTaps()
  let clock: @Sendable () -> Microseconds
  /// What this server has taken in since it began.
  private let quotas: Mutex<ReadingQuotas>
  private let storedBytes: @Sendable (PersonID) async throws -> Int64
  private let isDiskFull = Atomic(false)
  let passing: PassingSources
  private struct Open {
    var streams: [ObjectIdentifier: PendingAcknowledgements] = [:]
    /// Single calls that wait for their commits.
    var calls: [ObjectIdentifier: PendingAcknowledgements] = [:]
    /// Streams whose batches are judged and not kept, with the names that they lack numbers for.
    var unkept: [ObjectIdentifier: Unkept] = [:]
    var isDraining = false
    var hasStalled = false
  }
  private struct Unkept {
    let stream: PendingAcknowledgements
    let names: [String]
    let principal: Principal
  }
  private let open = Mutex(Open())

  /// - Parameters:
  ///   - quotas: bound what is taken in of each person.
  ///   - clock: the time of day, by which readings from the future are told.
  public init(
    storage: StorageSystem, quotas: ReadingQuotas = ReadingQuotas(),
    clock: @escaping @Sendable () -> Microseconds
  ) {
    self.quotas = Mutex(quotas)
    storedBytes = { try await storage.storedBytes(of: $0) }
    writer = storage.writer
    metrics = storage.metrics
    sources = storage.sources
    bridges = storage.bridges.permissions
    ended = storage.ended
    passing = PassingSources(sources, clock: clock)
    self.clock = clock
  }

  /// Takes the readings out of a batch that break a rule, and says which; a bridge's permissions are those of now.
  func validate(_ columns: inout ReadingColumns, by principal: Principal) -> [Rejection] {
    let bridged: Set<PersonID> = if case .bridge(let bridge) = principal { bridges.persons(of: bridge) } else { [] }
    return metrics.rules.validate(&columns, by: principal, bridged: bridged, ended: ended.among(columns), now: clock())
  }

  /// Takes those readings out of a batch that are more than their persons may have of an hour or in all, and counts the
  /// others: to be called when the batch is offered to the log, and once only. They have been checked for emergencies before.
  func bound(_ columns: inout ReadingColumns, _ rejections: inout [Rejection]) {
    quotas.withLock { $0.bound(&columns, &rejections) }
  }

  /// Asks the database how much space persons take who may have reached the limit. To be called every second.
  /// - Throws: `PostgresError`.
  public func lookAfterSpace() async throws {
    while let person = quotas.withLock({ $0.space.next() }) {
      let bytes = try await storedBytes(person)
      quotas.withLock { $0.space.found(bytes, of: person) }
    }
  }

  /// A batch that was counted is in the log already, or was not taken.
  func countBack(_ columns: ReadingColumns) {
    quotas.withLock { $0.giveBack(columns) }
  }

  /// The disk has room for more readings, or is nearly full: then readings are checked for emergencies and not kept.
  public func diskChanged(hasRoom: Bool) { isDiskFull.store(!hasRoom, ordering: .releasing) }

  /// Whether readings can be kept.
  var hasRoomOnDisk: Bool { !isDiskFull.load(ordering: .acquiring) }

  /// Looks whether the log makes progress, for streams and calls that find no room in it or wait for their commits. To be
  /// called some times a second.
  public func lookAfterStalls() {
    let isStalled = writer.isStalled(for: Self.stallTime) || !hasRoomOnDisk
    let endsCalls = writer.isStalled(for: Self.callPatience)
    let concerned = open.withLock { open -> [PendingAcknowledgements] in
      defer { open.hasStalled = isStalled }
      if isStalled { return open.streams.values + (endsCalls ? Array(open.calls.values) : []) }
      return open.hasStalled ? Array(open.streams.values) : open.unkept.values.filter(\.names.isEmpty).map(\.stream)
    }
    for pending in concerned { if isStalled { pending.stall() } else { pending.resend() } }
    if isStalled { writer.wakeStalled() }
  }

  /// Asks the database once more for numbers that it did not give in time. To be called some times a second.
  public func lookAfterNames() async {
    let unkept = open.withLock { open in open.unkept.values.filter { !$0.names.isEmpty } }
    for stream in unkept {
      // The database is asked for the others when it answers for one.
      do { _ = try await sources.numbers(of: stream.names, from: stream.principal, within: Self.stallTime) } catch {
        return
      }
      stream.stream.resend()
    }
  }

  /// From here on a stream's batches are judged and not kept; it is told to send them again when they can be.
  /// - Parameter names: those that have no numbers yet, for want of an answer of the database.
  func stopKeeping(_ stream: PendingAcknowledgements, lacking names: [String] = [], of principal: Principal) {
    stream.keepNothing()
    open.withLock { $0.unkept[ObjectIdentifier(stream)] = Unkept(stream: stream, names: names, principal: principal) }
  }

  /// How many streams push now.
  var streamCount: Int { open.withLock(\.streams.count) }

  /// Those who push have no heartbeats.
  package func beat(ifWaitingSince instant: ContinuousClock.Instant) {}

  /// Ends every stream once what it has pushed is acknowledged, and those that will come.
  package func drain() {
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
    open.withLock { open in
      open.streams[ObjectIdentifier(stream)] = nil
      open.unkept[ObjectIdentifier(stream)] = nil
    }
  }

  func register(call: PendingAcknowledgements) { open.withLock { $0.calls[ObjectIdentifier(call)] = call } }

  func unregister(call: PendingAcknowledgements) { open.withLock { $0.calls[ObjectIdentifier(call)] = nil } }
}

extension RPCStatus {
  static let diskFull = failure(
    .unavailable, reason: "DISK_FULL",
    message:
      "the server's disk is nearly full: readings are checked for emergencies and not kept; send them again later")
}
