import AreaKit
import HTTPServer
import Log
import Logging
import RPCRuntime
import ServiceKit
import ServiceLifecycle

/// Closes the database when everything that uses it has ended.
struct DatabaseLife: Service {
  let database: Database

  func run() async throws {
    try? await gracefulShutdown()
    await database.close()
  }
}

/// Keeps the database for this server alone. Whoever loses it to another server ends, with a status that says so.
struct LockLife: Service {
  let lock: ServerLock

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await lock.keep()
    } onGracefulShutdown: {
      lock.release()
    }
  }
}

/// Commits what waits before the database ends.
struct LogLife: Service {
  let storage: StorageSystem

  func run() async throws {
    try? await gracefulShutdown()
    await storage.writer.close()
  }
}

/// Answers what the areas have routes for, until the server is told to end.
struct HTTPLife: Service {
  private let servers: [HTTPServer]

  /// How many connections all addresses may have together, and how many of them are reserved.
  /// - Parameter metrics: where metrics are, too, if anywhere.
  static func connections(of routes: [HTTPRoute], and metrics: ListenAddress?) -> (wanted: Int, reserved: Int) {
    let addresses = Dictionary(grouping: routes, by: \.address)
    let alone = metrics.map { addresses[$0] == nil ? HTTPLimits().connections : 0 } ?? 0
    return addresses.values.reduce((alone, 0)) { ($0.0 + limits(of: $1).connections, $0.1 + reserved(by: $1)) }
  }

  private static func limits(of routes: [HTTPRoute]) -> HTTPLimits { routes.compactMap(\.limits).first ?? HTTPLimits() }

  private static func reserved(by routes: [HTTPRoute]) -> Int {
    routes.contains(where: \.reservesConnections) ? limits(of: routes).connections : 0
  }

  /// Listens from now on, so that an address that is taken is an error at the start.
  /// - Parameters:
  ///   - connections: that there are descriptors for; each address gets what it has reserved, or its part of the others.
  ///   - proxies: whose connections are not counted per address.
  ///   - loops: where requests are answered: those that become calls then need no change of thread.
  /// - Throws: `HTTPServerError`.
  init(
    _ routes: [HTTPRoute], connections: Int, proxies: TrustedProxies, loops: EventLoopGroup, logger: Logger
  ) throws {
    let (wanted, reserved) = Self.connections(of: routes, and: nil)
    let parts = (given: max(0, min(connections, wanted) - reserved), wanted: max(1, wanted - reserved))
    servers = try Dictionary(grouping: routes, by: \.address).map { address, routes in
      var limits = Self.limits(of: routes)
      limits.connections = max(
        DescriptorLimit.minConnections,
        Self.reserved(by: routes) > 0
          ? min(limits.connections, connections) : limits.connections * parts.given / parts.wanted)
      let server = try HTTPServer(
        host: address.host, port: address.port, limits: limits,
        isExempt: { proxies.contains(peer: $0) }, executor: { loops.next() }
      ) { request in
        await routes.best(for: request.path)?.answer(request) ?? .plain(404)
      }
      for path in routes.map(\.path).sorted() {
        logger.notice(
          "listening",
          metadata: ["http": "\(address.host):\(server.port)\(path)", "connections": "\(limits.connections)"])
      }
      return server
    }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        for server in servers { group.addTask { await server.run() } }
        // The end of a service is the end of the server.
        group.addTask { while (try? await Task.sleep(for: .seconds(3_600))) != nil {} }
      }
    }
  }
}

/// What a server does by the clock, and its areas with it.
struct UpkeepLife: Service {
  let house: House
  let heartbeat: Duration

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await house.storage.compactor.run() }
        group.addTask {
          await ErasureJob(
            storage: house.storage, clock: house.clock, forget: house.forget, logger: house.logger
          ).run()
        }
        group.addTask { await beat() }
        for task in house.areas.flatMap(\.tasks) { group.addTask { await task() } }
        for upkeep in routines + house.areas.flatMap(\.upkeep) { group.addTask { await repeatedly(upkeep) } }
      }
    }
  }

  /// Of the kernel itself.
  private var routines: [Upkeep] {
    let (storage, access, health) = (house.storage, house.access, house.health)
    return [
      Upkeep("metrics", every: .seconds(1)) { try await storage.metrics.refresh() },
      Upkeep("health", every: .milliseconds(250)) {
        health.commitsChanged(come: !storage.writer.isStalled(for: HealthRegistry.commitPatience))
      },
      Upkeep("expired tokens", every: .milliseconds(500)) { access.endExpired() },
      Upkeep("tokens", every: .milliseconds(500)) { try await access.refresh() },
      Upkeep("changes of tokens", every: .seconds(60)) { try await storage.tokens.sweepChanges() },
    ]
  }

  private func repeatedly(_ upkeep: Upkeep) async {
    repeat {
      do {
        try await upkeep.work()
      } catch {
        house.logger.debug(
          "upkeep has to wait", metadata: ["subject": "\(upkeep.subject)", "error": "\(error)"])
      }
    } while (try? await Task.sleep(for: upkeep.pause)) != nil
  }

  private func beat() async {
    while (try? await Task.sleep(for: heartbeat / 4)) != nil { house.beat(ifWaitingSince: .now - heartbeat) }
  }
}

/// Takes calls until the server is told to end; then ends streams with a status that says so, and waits for calls.
struct ServerLife: Service {
  let server: Server
  let loops: EventLoopGroup
  let house: House
  let drainTime: Duration
  /// Where it listens, and where the operator's token is found.
  let listening: Logger.Metadata
  let logger: Logger

  func run() async throws {
    // Said here and not sooner: from now on a signal ends the server in order.
    house.health.begin()
    logger.notice("serving", metadata: listening)
    try? await gracefulShutdown()
    house.health.setAll(.notServing)
    house.drain()
    house.health.shutDown()
    await server.shutdown(grace: drainTime)
    loops.shutdown()
  }
}
