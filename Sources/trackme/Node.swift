import AreaKit
import Log
import Logging
import Metering
import Postgres
import PrometheusText
import Readings
import RPCRuntime
import ServiceAPI
import ServiceKit
import ServiceLifecycle

/// One server process: everything is put together here and nowhere else.
struct Node {
  /// In the order in which they start; they end in the opposite order.
  let services: [any Service]

  /// - Parameter metrics: where is counted; nil: nowhere.
  /// - Throws: what keeps the server from starting. Nothing that it has started goes on then.
  static func start(_ settings: Settings, metrics: PrometheusMetrics?, logger: Logger) async throws -> Node {
    let descriptors = DescriptorLimit.raise(logger)
    // Before there is a database: alarms wait for none.
    var start = AreaStart(
      dataDirectory: settings.dataDirectory, isInsecure: settings.isInsecure, proxies: settings.trustedProxies,
      logger: logger)
    let openings = try areas.map { try opening($0, &start) }
    let health = HealthRegistry(services: ServiceDescriptors.serviceNames)
    // PostgreSQL is a child process: it is started before gRPC has threads.
    let database = try Database.open(settings, health: health)
    do {
      return try await Self.start(settings, metrics, on: database, health, openings, descriptors: descriptors, logger)
    } catch {
      await database.close()
      throw error
    }
  }

  /// - Parameters:
  ///   - openings: put the areas together, in their order.
  ///   - descriptors: how many the process may have.
  private static func start(
    _ settings: Settings, _ metrics: PrometheusMetrics?, on database: Database, _ health: HealthRegistry,
    _ openings: [@Sendable (House) async throws -> Void], descriptors: Int, _ logger: Logger
  ) async throws -> Node {
    // Before anything is changed there, and before the writer that another server may have is ended.
    let lock = ServerLock(database: database.configuration)
    try lock.take()
    var compaction = Compactor.Policy()
    compaction.age = settings.compactionAge
    let storage = try await StorageSystem.open(
      areas: .all, database: database.configuration, pools: database.pools, lock: lock, compaction: compaction,
      logger: logger)
    let house = House(
      storage: storage, health: health,
      databaseDirectory: settings.databaseURL == nil ? settings.dataDirectory : nil, clock: wallClock, logger: logger)
    for open in openings { try await open(house) }

    let loops = EventLoopGroup(count: settings.loops)
    let areaRoutes = house.areas.flatMap(\.routes)
    let ofHTTP = HTTPLife.connections(of: areaRoutes, and: settings.metrics)
    let connections = DescriptorLimit.shares(
      of: descriptors, grpc: ServerConfiguration().maxConnections, http: ofHTTP.wanted, reserved: ofHTTP.reserved)
    let server = try Server(
      configuration: configuration(settings, maxConnections: connections.grpc),
      methods: house.methods(),
      interceptors: house.interceptors(operatorToken: settings.operatorToken),
      loops: loops,
      listening: { log($0, to: logger) },
      logger: { entry in
        logger.error(
          "a call failed", metadata: ["id": "\(entry.id)", "path": "\(entry.path)", "error": "\(entry.error)"])
      })
    house.calls.begin(on: server)
    let http = try HTTPLife(
      areaRoutes + routes(settings, metrics, house: house, server: server), connections: connections.http,
      proxies: settings.trustedProxies, loops: loops, logger: logger)
    try await house.begin()
    storage.writer.start()
    let port = try server.start().first ?? 0
    let address = settings.listen.split(separator: ":").dropLast().joined(separator: ":") + ":\(port)"

    return Node(
      services: [DatabaseLife(database: database), LockLife(lock: lock), LogLife(storage: storage)]
        + house.areas.flatMap(\.lives) + [
          http,
          UpkeepLife(house: house, heartbeat: settings.heartbeat),
          ServerLife(
            server: server, loops: loops, house: house, drainTime: settings.drainTime,
            listening: ["listen": "\(address)", "operator_token": "\(settings.operatorTokenOrigin)"], logger: logger),
        ])
  }

  /// What the server itself answers over HTTP.
  private static func routes(
    _ settings: Settings, _ metrics: PrometheusMetrics?, house: House, server: Server
  ) -> [HTTPRoute] {
    guard let address = settings.metrics, let metrics else { return [] }
    let page = MetricsPage([.process, .calls(of: server)] + house.measures) { metrics.text($0, $1) }
    return [.metrics(address, page)]
  }

  /// Reads the settings of an area; what is returned puts it together.
  private static func opening<A: Area>(
    _ area: A.Type, _ start: inout AreaStart
  ) throws -> @Sendable (House) async throws -> Void {
    let settings = try start.settings(of: area)
    return { house in _ = try await house.open(A.self, settings) }
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

  private static func configuration(_ settings: Settings, maxConnections: Int) -> ServerConfiguration {
    var configuration = ServerConfiguration(listenAddresses: [settings.listen], tls: settings.tls)
    configuration.trustedProxies = settings.trustedProxies
    configuration.maxConnections = maxConnections
    configuration.maxReceiveMessageBytes = IngestService.maxFrameBytes
    return configuration
  }
}
