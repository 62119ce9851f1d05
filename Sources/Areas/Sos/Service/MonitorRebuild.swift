public import Domain
public import Emergencies
public import Log
internal import SosRules

/// Brings the monitor of vitals to where it was before the server stopped: hold times that run, episodes that are open,
/// last values and positions, out of the log. It counts readings as received when they were taken, so a crossing whose
/// hold time has passed meanwhile calls as soon as the monitor's timers run.
public struct MonitorRebuild: Sendable {
  /// Every reading of so long is gone through again: as long as the longest hold time.
  static let replayed: Microseconds = Limits.maxHold
  private let storage: StorageSystem
  private let monitor: VitalsMonitor
  private let clock: @Sendable () -> Microseconds

  /// - Parameters:
  ///   - monitor: it watches its persons already, and has taken up the emergencies that are known.
  ///   - clock: the server's time.
  public init(storage: StorageSystem, monitor: VitalsMonitor, clock: @escaping @Sendable () -> Microseconds) {
    self.storage = storage
    self.monitor = monitor
    self.clock = clock
  }

  /// Goes through the last hour. To be called before the first readings come.
  ///
  /// - Returns: how many readings were gone through.
  /// - Throws: `PostgresError`.
  @discardableResult public func run() async throws -> Int {
    let persons = monitor.persons
    guard !persons.isEmpty else { return 0 }
    let now = clock()
    let metrics = storage.metrics.catalog.metrics.filter { $0.kind != .waveform }.map(\.id)
    let count = try await RecentReadings(pool: storage.pools.upkeep).read(
      of: persons, metrics: metrics, newestSince: now - PersonMonitor.wordLasts, allSince: now - Self.replayed,
      until: now + ReadingRules.futureTolerance
    ) { monitor.takePast($0, now: now) }
    return count
  }

  /// Finds the last heart rates of those whose silence is an alarm and who have said nothing in that hour: their silence
  /// goes on. It looks through as much as there is, so the server need not wait for it: readings may come meanwhile.
  ///
  /// - Returns: of how many persons one was found.
  /// - Throws: `PostgresError`, `CancellationError`.
  @discardableResult public func findLastHeartRates() async throws -> Int {
    let now = clock()
    return try await LastReadings(pool: storage.pools.upkeep).read(of: monitor.unheard, metric: VitalSign.heartRate) {
      monitor.takePast($0, now: now)
    }
  }
}
