import Domain
import RacesRules
import Logging
import RPCRuntime
import ServiceKit
import ServiceLifecycle
import Services
import RacesStorage
import Storage

/// Ends the pool and, if it is ours, PostgreSQL, when everything that uses them has ended.
struct DatabaseLife: Service {
  let database: Database

  func run() async throws {
    try? await gracefulShutdown()
    await database.pools.shutdown()
    database.cluster?.stop()
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

/// Commits what waits before the database ends, and writes down what was delivered.
struct LogLife: Service {
  let storage: StorageSystem

  func run() async throws {
    try? await gracefulShutdown()
    await storage.writer.close()
    await storage.disclosures.close()
  }
}

/// What a server does by the clock.
struct Upkeep: Service {
  let storage: StorageSystem
  let services: ServiceSet
  let mail: MailSender
  let contacts: ContactQuestions
  let health: HealthRegistry
  /// Nil where the disk is not ours.
  let disk: DiskWatch?
  let heartbeat: Duration
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await storage.compactor.run() }
        group.addTask {
          await DigestMaker(pool: storage.pools.upkeep, writer: storage.writer, clock: wallClock, logger: logger).run()
        }
        group.addTask { await storage.disclosures.run(logger: logger) }
        group.addTask { await ErasureJob(storage: storage, forget: forget, logger: logger).run() }
        group.addTask {
          await services.board.run { logger.debug("inboxes can't be read", metadata: ["error": "\($0)"]) }
        }
        group.addTask { await services.liveRaces.run() }
        group.addTask { await beat() }
        for (subject, pause, work) in routines {
          group.addTask { await repeatedly(every: pause, subject, work) }
        }
      }
    }
  }

  /// Takes an account out of what is kept outside of the database.
  private func forget(_ account: AccountID) async throws {
    try await services.sos.forget(account)
    try await mail.forget(account)
  }

  /// Small work that is done again and again.
  private var routines: [(subject: String, pause: Duration, work: @Sendable () async throws -> Void)] {
    [
      ("disk", .seconds(1), { lookAtDisk() }),
      ("ingest", .milliseconds(200), { services.ingest.lookAfterStalls() }),
      ("sources", .milliseconds(500), { await services.ingest.lookAfterNames() }),
      ("space", .seconds(1), { try await services.ingest.lookAfterSpace() }),
      ("metrics", .seconds(1), { try await storage.metrics.refresh() }),
      (
        "subscriptions", .milliseconds(500),
        { try await services.subscriptions.orders.refresh(from: storage.subscriptions) }
      ),
      ("live races", .milliseconds(500), { try await services.liveRaces.refresh() }),
      ("SOS", .milliseconds(500), { try await services.sos.roster.refresh() }),
      ("contacts", .milliseconds(500), { try await contacts.round() }),
      ("answers of contacts", .seconds(60), { try await storage.contacts.sweep() }),
      ("expired tokens", .milliseconds(500), { services.live.endExpired() }),
      ("tokens", .milliseconds(500), { try await services.live.refresh() }),
      ("changes of tokens", .seconds(60), { try await storage.tokens.sweepChanges() }),
      ("bridges", .seconds(1), { try await storage.bridges.permissions.refresh() }),
      ("places in races", .milliseconds(500), { try await lookAfterPlaces() }),
      ("news of races", .milliseconds(250), { try await tellOfRaces() }),
      ("old news of races", .seconds(600), { try await storage.raceNotices.sweep() }),
      ("sessions", .seconds(60), { try await storage.sessions.sweep() }),
      // An hour more than a route is valid.
      (
        "routes", .seconds(600),
        { try await storage.courses.removeUnused(before: wallClock() - Course.routeLasts - 3_600_000_000) }
      ),
      ("expired grants", .seconds(30), { while try await storage.access.endExpiredGrants(at: wallClock()) > 0 {} }),
    ]
  }

  private func lookAtDisk() {
    guard let hasRoom = disk?.look() else { return }
    services.ingest.diskChanged(hasRoom: hasRoom)
    health.diskChanged(hasRoom: hasRoom, for: "trackme.ingest.v1.IngestService")
  }

  /// Holds that were not paid for in time, and places for those who wait.
  private func lookAfterPlaces() async throws {
    while try await storage.enrolments.lookAfterPlaces(at: wallClock()) > 0 {
      services.fees.wake()
      services.board.nudge()
    }
  }

  /// What many people of a race are to be told, and payments of cancelled races.
  private func tellOfRaces() async throws {
    while try await storage.raceNotices.workOff() {
      services.fees.wake()
      services.board.nudge()
    }
  }

  private func repeatedly(every pause: Duration, _ subject: String, _ work: () async throws -> Void) async {
    repeat {
      do {
        try await work()
      } catch {
        logger.debug("upkeep has to wait", metadata: ["subject": "\(subject)", "error": "\(error)"])
      }
    } while (try? await Task.sleep(for: pause)) != nil
  }

  private func beat() async {
    while (try? await Task.sleep(for: heartbeat / 4)) != nil { services.beat(ifWaitingSince: .now - heartbeat) }
  }
}

/// Takes calls until the server is told to end; then ends streams with a status that says so, and waits for calls.
struct ServerLife: Service {
  let server: Server
  let loops: EventLoopGroup
  let health: HealthRegistry
  let services: ServiceSet
  let drainTime: Duration
  /// Where it listens, and where the operator's token is found.
  let listening: Logger.Metadata
  let logger: Logger

  func run() async throws {
    // Said here and not sooner: from now on a signal ends the server in order.
    health.begin()
    logger.notice("serving", metadata: listening)
    try? await gracefulShutdown()
    health.setAll(.notServing)
    services.drain()
    health.shutDown()
    await server.shutdown(grace: drainTime)
    let watched = services.liveRaces.count
    if watched.sent > 0 {
      logger.notice(
        "races were watched",
        metadata: [
          "frames_sent": "\(watched.sent)", "frames_due": "\(watched.due)", "frames_encoded": "\(watched.encoded)",
        ])
    }
    loops.shutdown()
  }
}
