import Domain
import Emergencies
import Logging
import Postgres
import RPCRuntime
import ServiceAPI
import ServiceKit
import ServiceLifecycle
import Services
import RacesStorage
import Storage

/// One server process: everything is put together here and nowhere else.
struct Node {
  /// In the order in which they start; they end in the opposite order.
  let services: [any Service]

  static func start(_ settings: Settings, logger: Logger) async throws -> Node {
    let descriptors = DescriptorLimit.raise(logger)
    // Before everything else: it goes on with calls that a crash has interrupted, also while there is no database.
    let metrics = RememberedMetrics(directory: settings.dataDirectory + "/emergencies")
    let deskConfiguration = settings.dispatch.desk(dataDirectory: settings.dataDirectory) { metrics.catalog }
    let desk = try EmergencyDesk(configuration: deskConfiguration, logger: logger)
    let health = HealthRegistry(services: ServiceDescriptors.serviceNames)
    // PostgreSQL is a child process: it is started before gRPC has threads.
    let database = try Database.open(settings, health: health)
    // Before anything is changed there, and before the writer that another server may have is ended.
    let lock = ServerLock(database: database.configuration)
    try lock.take()
    let storage = try await StorageSystem.open(
      areas: .all, database: database.configuration, pools: database.pools, lock: lock, logger: logger)
    metrics.take { storage.metrics.catalog }
    try await desk.attach(archive: storage.emergencies)
    let sos = SosLife(desk: desk, storage: storage, logger: logger)
    let services = try ServiceSet(
      storage: storage, health: health,
      quotas: ReadingQuotas(space: StorageQuota(limit: settings.personStorageMiB << 20)),
      openID: settings.openID.provider, monitor: sos.monitor, emergencies: desk,
      calls: desk, payments: settings.payment.provider, feeEvent: { PaymentLife.log($0, to: logger) },
      dispatcherConnected: { account, system in
        logger.notice("a dispatcher has connected", metadata: ["dispatcher": "\(account)", "system": "\(system)"])
      }, clock: wallClock)

    let mail = MailLife(settings, queue: storage.mail, logger: logger)

    let loops = EventLoopGroup(count: settings.loops)
    let server = try Server(
      configuration: configuration(settings, descriptors: descriptors),
      methods: services.methods,
      interceptors: services.interceptors(operatorToken: settings.operatorToken),
      loops: loops,
      listening: { log($0, to: logger) },
      logger: { entry in
        logger.error(
          "a call failed", metadata: ["id": "\(entry.id)", "path": "\(entry.path)", "error": "\(entry.error)"])
      })
    // Before the first reading can come.
    try await storage.ended.refresh()
    try await services.live.refresh()
    try await services.sos.begin()
    sos.begin()
    try await sos.rebuild.run()
    storage.writer.start()
    let port = try server.start().first ?? 0
    let address = settings.listen.split(separator: ":").dropLast().joined(separator: ":") + ":\(port)"

    return Node(
      services: [
        DatabaseLife(database: database),
        LockLife(lock: lock),
        LogLife(storage: storage),
        sos,
        try PaymentLife(settings.payment, desk: services.fees, logger: logger),
        mail,
        Upkeep(
          storage: storage, services: services, mail: mail.sender,
          contacts: ContactQuestions(store: storage.contacts, gateway: deskConfiguration.gateways?.contacts),
          health: health,
          disk: settings.databaseURL == nil
            ? DiskWatch(directory: settings.dataDirectory, reserveMiB: settings.diskReserveMiB, logger: logger) : nil,
          heartbeat: settings.heartbeat, logger: logger),
        ServerLife(
          server: server, loops: loops, health: health, services: services, drainTime: settings.drainTime,
          listening: ["listen": "\(address)", "operator_token": "\(settings.operatorTokenOrigin)"], logger: logger),
      ])
  }

  private static func log(_ event: ListenerEvent, to logger: Logger) {
    switch event {
    case .full(let closed, let refused):
      logger.warning(
        "as many connections as may be; those without a call make room",
        metadata: ["closed": "\(closed)", "refused": "\(refused)"])
    case .noDescriptor: logger.error("the system has no file descriptor for a connection")
    case .lostSocket(let listensAgain):
      logger.error("the listening socket was lost", metadata: ["listens_again": "\(listensAgain)"])
    }
  }

  private static func configuration(_ settings: Settings, descriptors: Int) -> ServerConfiguration {
    var configuration = ServerConfiguration(listenAddresses: [settings.listen], tls: settings.tls)
    configuration.trustedProxies = settings.trustedProxies
    configuration.maxConnections = min(configuration.maxConnections, DescriptorLimit.connections(of: descriptors))
    configuration.maxReceiveMessageBytes = IngestService.maxFrameBytes
    return configuration
  }
}
