internal import Emergencies
internal import Log
internal import Logging
internal import ServiceLifecycle
internal import SosRules
internal import Threads

/// AutomatedSOS of a server: the desk runs before the database is open and until everything that uses it has ended; the
/// monitor joins it when the database has said whom to watch.
struct SosLife: Service {
  let desk: EmergencyDesk
  let monitor: VitalsMonitor
  let silences: SilenceRecords
  let rebuild: MonitorRebuild
  private let logger: Logger

  /// Readings to the monitor, what it sees to the desk, and back what is over.
  init(desk: EmergencyDesk, storage: StorageSystem, logger: Logger) {
    let silences = SilenceRecords(store: storage.emergencies, desk: desk, logger: logger)
    let monitor = VitalsMonitor(clock: wallClock) { event in
      desk.handle(event)
      if case .silence(let notice) = event { silences.add(notice) }
    }
    desk.observe { emergency in
      if emergency.state.isFinal { monitor.emergencyEnded(emergency.person, emergency.id) }
    }
    self.desk = desk
    self.monitor = monitor
    self.silences = silences
    self.logger = logger
    rebuild = MonitorRebuild(storage: storage, monitor: monitor, clock: wallClock)
  }

  /// Takes up what was open before this server began; the persons are watched already, and readings come later.
  func begin() {
    for emergency in desk.active() { monitor.restore(emergency) }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await monitor.run() }
        group.addTask { await silences.run() }
        group.addTask { await desk.run() }
        group.addTask { await findLastHeartRates() }
      }
    }
  }

  /// Tries until it is done or the task is cancelled.
  private func findLastHeartRates() async {
    var backOff = BackOff(initial: .milliseconds(200), max: .seconds(10), jitter: 0)
    while !Task.isCancelled {
      do {
        try await rebuild.findLastHeartRates()
        return
      } catch {
        logger.debug("the last heart rates can't be read yet", metadata: ["error": "\(error)"])
      }
      if (try? await Task.sleep(for: backOff.next())) == nil { return }
    }
  }
}

/// Brings notices of silence into the inboxes of their persons, when the database can take them.
struct SilenceRecords: Sendable {
  private static let waitingMax = 10_000

  private let store: EmergencyStore
  private let desk: EmergencyDesk
  private let logger: Logger
  private let notices: AsyncStream<SilenceNotice>
  private let queue: AsyncStream<SilenceNotice>.Continuation

  init(store: EmergencyStore, desk: EmergencyDesk, logger: Logger) {
    self.store = store
    self.desk = desk
    self.logger = logger
    (notices, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingMax))
  }

  /// Never blocks; beyond 10,000 that wait a notice is dropped, and that is logged. Contacts are told by the desk.
  func add(_ notice: SilenceNotice) {
    if case .dropped = queue.yield(notice) {
      logger.error("a notice of silence can't be recorded", metadata: ["person": "\(notice.person)"])
    }
  }

  /// Records until the task is cancelled.
  func run() async {
    for await notice in notices {
      var backOff = BackOff(initial: .milliseconds(200), max: .seconds(10), jitter: 0)
      while true {
        do {
          try await store.record(notice, status: desk.status)
          break
        } catch {
          logger.debug("a notice of silence has to wait", metadata: ["error": "\(error)"])
          if (try? await Task.sleep(for: backOff.next())) == nil { return }
        }
      }
    }
  }
}
