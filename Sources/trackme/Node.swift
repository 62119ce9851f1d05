import Domain
import Logging
import Postgres
import RPCRuntime
import ServiceAPI
import ServiceLifecycle
import Services
import Storage

/// One server process: everything is put together here and nowhere else.
struct Node {
  /// In the order in which they start; they end in the opposite order.
  let services: [any Service]

  static func start(_ settings: Settings, logger: Logger) async throws -> Node {
    let health = HealthRegistry(services: ServiceDescriptors.serviceNames)
    // PostgreSQL is a child process: it is started before gRPC has threads.
    let database = try Database.open(settings, health: health)
    let storage = try await StorageSystem.open(
      database: database.configuration, pool: database.pool, logger: logger)
    let hub = DeliveryHub(tail: storage.tail)
    let ingest = IngestService(
      writer: storage.writer, metrics: storage.metrics, sources: storage.sources,
      bridges: storage.bridges.permissions, ended: storage.ended, clock: wallClock)
    let watch = EntryWatch(tail: storage.tail, after: hub)
    let readings = ReadingService(hub: hub, watch: watch, storage: storage, clock: wallClock)
    let access = AccessService(
      access: storage.access, disclosures: storage.disclosures, metrics: storage.metrics, hub: hub, watch: watch,
      clock: wallClock)
    let subscriptions = SubscriptionService(hub: hub, watch: watch, storage: storage, clock: wallClock)
    let live = LiveAccess(tokens: storage.tokens)
    let identity = IdentityService(
      storage: storage, access: live, hasher: PasswordHasher(), registration: Registration(pool: storage.pool),
      openID: settings.openID.provider, clock: wallClock)
    let admin = AdminService(
      pool: storage.pool, metrics: storage.metrics, clock: wallClock, bridgeEnded: { live.end(.account($0)) })
    let board = NotificationBoard(storage: storage)
    let notifications = NotificationService(store: storage.notifications, board: board)
    let reflection = try ReflectionService()

    let loops = EventLoopGroup(count: settings.loops)
    let server = try Server(
      configuration: configuration(settings),
      methods: [
        ingest.methods, readings.methods, access.methods, subscriptions.methods, identity.methods, admin.methods,
        notifications.methods, HealthService(registry: health).methods, reflection.allMethods,
      ].flatMap { $0 },
      interceptors: [Failures(), Authorization(operatorToken: settings.operatorToken, access: live)],
      loops: loops,
      logger: { entry in
        logger.error(
          "a call failed", metadata: ["id": "\(entry.id)", "path": "\(entry.path)", "error": "\(entry.error)"])
      })
    // Before the first reading can come.
    try await storage.ended.refresh()
    storage.writer.start()
    let port = try server.start().first ?? 0
    let address = settings.listen.split(separator: ":").dropLast().joined(separator: ":") + ":\(port)"

    return Node(
      services: [
        DatabaseLife(database: database),
        LogLife(storage: storage),
        MailLife(settings, queue: storage.mail, logger: logger),
        Upkeep(
          storage: storage, live: live, hub: hub, watch: watch, orders: subscriptions.orders,
          digests: DigestMaker(pool: storage.pool, writer: storage.writer, clock: wallClock, logger: logger),
          heartbeat: settings.heartbeat, logger: logger),
        ServerLife(
          server: server, loops: loops, health: health, hub: hub, watch: watch, ingest: ingest,
          drainTime: settings.drainTime,
          listening: ["listen": "\(address)", "operator_token": "\(settings.operatorTokenOrigin)"], logger: logger),
        NotificationLife(board: board, heartbeat: settings.heartbeat, logger: logger),
      ])
  }

  private static func configuration(_ settings: Settings) -> ServerConfiguration {
    var configuration = ServerConfiguration(listenAddresses: [settings.listen], tls: settings.tls)
    configuration.maxReceiveMessageBytes = IngestService.maxFrameBytes
    return configuration
  }
}
