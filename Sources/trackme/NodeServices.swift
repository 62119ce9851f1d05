import Logging
import RPCRuntime
import ServiceLifecycle
import Services
import Storage

/// Ends the pool and, if it is ours, PostgreSQL, when everything that uses them has ended.
struct DatabaseLife: Service {
  let database: Database

  func run() async throws {
    try? await gracefulShutdown()
    await database.pool.shutdown()
    database.cluster?.stop()
  }
}

/// Commits what waits before the database ends, and writes down what was delivered.
struct LogLife: Service {
  let storage: StorageSystem

  func run() async throws {
    try? await gracefulShutdown()
    await storage.writer.close()
    await storage.disclosures.close()
  }
}

/// What a server does by the clock: compaction, digests, new metrics, heartbeats.
struct Upkeep: Service {
  let storage: StorageSystem
  let live: LiveAccess
  let hub: DeliveryHub
  let watch: EntryWatch
  let orders: SubscriptionWatch
  let digests: DigestMaker
  let heartbeat: Duration
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await storage.compactor.run() }
        group.addTask { await digests.run() }
        group.addTask { await refreshOrders() }
        group.addTask { await storage.disclosures.run(logger: logger) }
        group.addTask { await ErasureJob(storage: storage, logger: logger).run() }
        group.addTask { await refreshMetrics() }
        group.addTask { await beat() }
        group.addTask { await repeatedly(every: .milliseconds(500), "tokens") { try await live.recheck() } }
        group.addTask {
          await repeatedly(every: .seconds(1), "bridges") { try await storage.bridges.permissions.refresh() }
        }
        group.addTask { await repeatedly(every: .seconds(60), "sessions") { try await storage.sessions.sweep() } }
        group.addTask { await endExpiredGrants() }
      }
    }
  }

  private func repeatedly(every pause: Duration, _ subject: String, _ work: () async throws -> Void) async {
    while (try? await Task.sleep(for: pause)) != nil {
      do {
        try await work()
      } catch {
        logger.debug("upkeep has to wait", metadata: ["subject": "\(subject)", "error": "\(error)"])
      }
    }
  }

  private func refreshMetrics() async {
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      do {
        try await storage.metrics.refresh()
      } catch {
        logger.debug("the metric registry can't be read", metadata: ["error": "\(error)"])
      }
    }
  }

  private func endExpiredGrants() async {
    repeat {
      do {
        while try await storage.access.endExpiredGrants(at: wallClock()) > 0 {}
      } catch {
        logger.warning("expired grants can't be ended and are tried again", metadata: ["error": "\(error)"])
      }
    } while (try? await Task.sleep(for: .seconds(30))) != nil
  }

  private func refreshOrders() async {
    while (try? await Task.sleep(for: .milliseconds(500))) != nil {
      do {
        try await orders.refresh(from: storage.subscriptions)
      } catch {
        logger.debug("subscriptions can't be read", metadata: ["error": "\(error)"])
      }
    }
  }

  private func beat() async {
    while (try? await Task.sleep(for: heartbeat / 4)) != nil {
      hub.beat(ifWaitingSince: .now - heartbeat)
      watch.beat(ifWaitingSince: .now - heartbeat)
    }
  }
}

/// Takes calls until the server is told to end; then ends streams with a status that says so, and waits for calls.
struct ServerLife: Service {
  let server: Server
  let loops: EventLoopGroup
  let health: HealthRegistry
  let hub: DeliveryHub
  let watch: EntryWatch
  let ingest: IngestService
  let drainTime: Duration
  /// Where it listens, and where the operator's token is found.
  let listening: Logger.Metadata
  let logger: Logger

  func run() async throws {
    // Said here and not sooner: from now on a signal ends the server in order.
    health.setAll(.serving)
    logger.notice("serving", metadata: listening)
    try? await gracefulShutdown()
    health.setAll(.notServing)
    ingest.drain()
    hub.drain()
    watch.drain()
    health.shutDown()
    await server.shutdown(grace: drainTime)
    loops.shutdown()
  }
}
