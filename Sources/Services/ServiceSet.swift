public import Domain
public import OpenIDConnect
public import Payments
public import RPCRuntime
internal import ServiceAPI
internal import RacesStorage
public import ServiceKit
public import Storage

/// Every service of a server over one storage, put together here and nowhere else.
public final class ServiceSet: Sendable {
  /// Every stream that waits for a signal.
  let streams: Board<LogTopic>
  /// Takes what is committed to streams of readings.
  let hub: DeliveryHub
  /// Wakes streams that follow decisions of the log.
  let watch: EntryWatch
  /// Wakes streams of inboxes; whoever puts something there nudges it.
  public let board: NotificationBoard
  /// Who may call now.
  public let live: LiveAccess
  /// It has to be called now and then, as its functions `lookAfter…` say.
  public let ingest: IngestService
  public let subscriptions: SubscriptionService
  /// To be started before the first readings come; see `SosParts.begin`.
  public let sos: SosParts
  let dispatch: DispatchService
  /// Asks the payment provider for fees.
  public let fees: FeeDesk
  /// Races from planning to result.
  let races: RaceService
  /// Races that are followed.
  public let liveRaces: LiveRaces
  let results: RaceResults
  /// Every RPC, reflection and health included.
  public let methods: [RPCMethod]
  /// All streams of the server. Those who push come first: they end when what they have pushed is acknowledged.
  private let registers: [any StreamRegister]

  /// - Parameters:
  ///   - storage: its writer need not have started.
  ///   - health: what the health service says.
  ///   - quotas: bound what is taken in of each person.
  ///   - openID: whose sign-ins are trusted; nil: nobody's.
  ///   - monitor: checks readings as they arrive; nil: nobody does.
  ///   - emergencies: the desk that calls; nil: nobody does.
  ///   - calls: gives calls out to dispatchers; nil: there are none.
  ///   - payments: takes fees; nil: nobody does.
  ///   - feeEvent: hears what does not go as it should with fees. Must not block.
  ///   - dispatcherConnected: hears which system a dispatcher has connected with. Must not block.
  ///   - inboxInterval: how often the database is asked for news in inboxes when nothing happens here.
  ///   - liveTick: a tenth of the time between two frames for a spectator of a race.
  ///   - clock: the time of day.
  /// - Throws: if the descriptors that are built in can't be read.
  public init(
    storage: StorageSystem, health: HealthRegistry, quotas: ReadingQuotas = ReadingQuotas(),
    openID: OpenIDProvider? = nil,
    monitor: (any ReadingMonitor)? = nil, emergencies: (any ActiveEmergencies)? = nil, calls: (any CallDesk)? = nil,
    payments: (any PaymentProvider)? = nil,
    feeEvent: @escaping @Sendable (FeeEvent) -> Void = { _ in },
    dispatcherConnected: @escaping @Sendable (AccountID, _ system: String) -> Void = { _, _ in },
    inboxInterval: Duration = .seconds(1), liveTick: Duration = .milliseconds(100),
    clock: @escaping @Sendable () -> Microseconds
  ) throws {
    streams = Board()
    hub = DeliveryHub(tail: storage.tail, streams: streams)
    watch = EntryWatch(tail: storage.tail, streams: streams)
    board = NotificationBoard(storage: storage, streams: streams, interval: inboxInterval)
    let live = LiveAccess(tokens: storage.tokens)
    self.live = live
    ingest = IngestService(
      storage: storage, monitor: monitor, quotas: quotas, clock: clock)
    subscriptions = SubscriptionService(hub: hub, watch: watch, storage: storage, clock: clock)
    dispatch = DispatchService(desk: calls, streams: streams, storage: storage, connected: dispatcherConnected)
    let readings = ReadingService(hub: hub, watch: watch, storage: storage, clock: clock)
    let access = AccessService(hub: hub, watch: watch, storage: storage, clock: clock)
    let sos = SosParts(storage: storage, streams: streams, monitor: monitor, desk: emergencies, clock: clock)
    self.sos = sos
    let identity = IdentityService(
      storage: storage, access: live, hasher: PasswordHasher(), registration: Registration(pool: storage.pool),
      openID: openID, clock: clock,
      // Whoever has it on from registration is watched from there on; if the database fails now, half a second later.
      personRegistered: { try? await sos.roster.refresh() })
    let admin = AdminService(
      pool: storage.pool, metrics: storage.metrics, races: storage.races, seal: storage.seal, access: live,
      clock: clock,
      dispatchStatusChanged: { try await sos.roster.refresh() })
    let notifications = NotificationService(
      store: storage.notifications, board: board, seal: storage.seal)
    liveRaces = LiveRaces(
      storage: storage, hub: hub, desk: emergencies, exertionsChanged: { try await sos.roster.refresh() },
      told: { [board] in board.nudge() }, tick: liveTick, clock: clock)
    results = RaceResults(storage: storage, hub: hub)
    registers = [ingest, streams, liveRaces]
    let fees = FeeDesk(
      payments: storage.payments, provider: payments, clock: clock, told: { [board] in board.nudge() }, report: feeEvent
    )
    self.fees = fees
    races = RaceService(storage: storage, board: board, fees: fees, clock: clock)
    methods = [
      ingest.methods, readings.methods, access.methods, subscriptions.methods, identity.methods, admin.methods,
      notifications.methods, sos.service.methods, dispatch.methods, races.limitedMethods,
      LiveService(storage: storage, hub: hub, races: liveRaces, results: results, clock: clock).methods,
      HealthService(registry: health).methods, try ReflectionService().allMethods,
    ].flatMap { $0 }
  }

  /// What every call goes through.
  /// - Parameter operatorToken: the token of the configuration.
  public func interceptors(operatorToken: String) -> [any ServerInterceptor] {
    [Failures(), Authorization(operatorToken: operatorToken, access: live), OnBehalf()]
  }

  /// Sends a heartbeat on every stream that has been silent since the instant.
  public func beat(ifWaitingSince instant: ContinuousClock.Instant) {
    for register in registers { register.beat(ifWaitingSince: instant) }
  }

  /// Ends every stream, and those that will come, with a status that says that the server is ending.
  public func drain() {
    for register in registers { register.drain() }
    results.forget()
  }
}
