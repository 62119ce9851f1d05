package import AreaKit
package import ArgumentParser
internal import Domain
package import Log
internal import Logging
package import Metering
internal import Notifications
internal import Payments
internal import RacesRules
package import RPCRuntime
package import ServiceKit
package import ServiceLifecycle
internal import Sos

/// Track4Run: races from planning to result, and live boards.
package struct RacesArea: Area, StreamRegister {
  package struct Settings: Sendable {
    /// A tenth of the time between two frames for a spectator.
    let liveTick: Duration
    /// In front of the server.
    let proxies: TrustedProxies

    package init(liveTick: Duration = .milliseconds(100), proxies: TrustedProxies = TrustedProxies()) {
      self.liveTick = liveTick
      self.proxies = proxies
    }
  }

  package static let tables = AreaTables.races
  package static let counted = MetricFamily.ofRaces
  package static var commands: [any ParsableCommand.Type] { [RoadsCommand.self] }

  /// Asks the payment provider for fees.
  private let fees: PaymentDesk
  let races: RaceService
  /// Races that are followed.
  package let live: LiveRaces
  let results: RaceResults
  private let liveService: LiveService
  private let map: MapTiles
  private let board: NotificationBoard
  private let house: House

  package static func settings(_ start: AreaStart) -> Settings { Settings(proxies: start.proxies) }

  package init(_ house: House, _ settings: Settings) {
    let (storage, hub, clock) = (house.storage, house.hub, house.clock)
    let notifications = house[NotificationsArea.self]
    let board = notifications.board
    let sos = house[SosArea.self]
    notifications.notices.add(Notice.ofRaces)
    self.house = house
    self.board = board
    let payments = house[PaymentsArea.self]
    payments.store.add(.fees)
    fees = payments.desk
    races = RaceService(storage: storage, board: board, fees: fees, clock: clock)
    live = LiveRaces(
      storage: storage, hub: hub, desk: sos.desk, exertionsChanged: { try await sos.parts.roster.refresh() },
      told: { board.nudge() }, tick: settings.liveTick, clock: clock)
    results = RaceResults(storage: storage, hub: hub)
    map = MapTiles(storage: storage, proxies: settings.proxies, logger: house.logger)
    liveService = LiveService(storage: storage, hub: hub, races: live, results: results, clock: clock)
  }

  package var methods: [RPCMethod] { races.limitedMethods + liveService.methods }

  package var resources: [WebResource] { [WebResource(MapTiles.path) { [map] in await map.answer($0) }] }

  package var registers: [any StreamRegister] { [self] }

  package func beat(ifWaitingSince instant: ContinuousClock.Instant) { live.beat(ifWaitingSince: instant) }

  package func drain() {
    live.drain()
    results.forget()
  }

  package var tasks: [@Sendable () async -> Void] { [{ [live] in await live.run() }] }

  package var lives: [any Service] { [WatchedRaces(live: live, logger: house.logger)] }

  package var measures: [Measure] {
    live.measures + results.measures + [
      .queue("race_tracks", limit: races.tracks.maxWaiting) { [races] in races.tracks.waitingCount },
      .queue("map_tiles", limit: map.turns.waitingMax) { [map] in map.turns.waitingCount },
    ]
  }

  package var upkeep: [Upkeep] {
    let (storage, clock) = (house.storage, house.clock)
    return [
      Upkeep("live races", every: .milliseconds(500)) { [live] in try await live.refresh() },
      // Holds that were not paid for in time, and places for those who wait.
      Upkeep("places in races", every: .milliseconds(500)) { [self] in
        while try await storage.enrolments.lookAfterPlaces(at: clock()) > 0 { tell() }
      },
      // What many people of a race are to be told, and payments of cancelled races.
      Upkeep("news of races", every: .milliseconds(250)) { [self] in
        while try await storage.raceNotices.workOff() { tell() }
      },
      Upkeep("old news of races", every: .seconds(600)) { try await storage.raceNotices.sweep() },
      // An hour more than a route is valid.
      Upkeep("routes", every: .seconds(600)) {
        try await storage.courses.removeUnused(before: clock() - Course.routeLasts - 3_600_000_000)
      },
    ]
  }

  private func tell() {
    fees.wake()
    board.nudge()
  }
}

/// Says at the end how much was watched.
private struct WatchedRaces: Service {
  let live: LiveRaces
  let logger: Logger

  func run() async throws {
    try? await gracefulShutdown()
    let watched = live.count
    guard watched.sent > 0 else { return }
    logger.notice(
      "races were watched",
      metadata: [
        "frames_sent": "\(watched.sent)", "frames_due": "\(watched.due)", "frames_encoded": "\(watched.encoded)",
      ])
  }
}
