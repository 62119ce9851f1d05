public import Domain
public import Emergencies
public import Storage

/// Brings the monitor of vitals to where it was before the server stopped: hold times that run, episodes that are open,
/// last values and positions, out of the log. It counts readings as received when they were taken, so a crossing whose
/// hold time has passed meanwhile calls as soon as the monitor's timers run.
public struct MonitorRebuild: Sendable {
  /// Every reading of so long is gone through again: as long as the longest hold time.
  static let replayed: Microseconds = Limits.maxHold
  /// The most persons for whom the last heart rate is looked for further back, one by one.
  static let maxSilent = 1_000

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

  /// To be called before the first readings come.
  ///
  /// - Returns: how many readings were gone through.
  /// - Throws: `PostgresError`.
  @discardableResult public func run() async throws -> Int {
    let persons = monitor.persons
    guard !persons.isEmpty else { return 0 }
    let now = clock()
    let metrics = storage.metrics.catalog.metrics.filter { $0.kind != .waveform }.map(\.id)
    let count = try await RecentReadings(pool: storage.pool).read(
      of: persons, metrics: metrics, newestSince: now - PersonMonitor.wordLasts, allSince: now - Self.replayed,
      until: now + ReadingRules.futureTolerance
    ) { monitor.takePast($0, now: now) }
    try await findLastHeartRates(now)
    return count
  }

  /// Silence may be older than the readings that are gone through.
  private func findLastHeartRates(_ now: Microseconds) async throws {
    for person in monitor.unheard.prefix(Self.maxSilent) {
      let newest = try await storage.store.currentStatus(of: person, metrics: [VitalSign.heartRate])
      monitor.takePast(newest, now: now)
    }
  }
}
