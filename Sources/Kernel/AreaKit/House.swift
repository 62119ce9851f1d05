package import Domain
package import Log
package import Logging
package import Metering
package import RPCRuntime
internal import ServiceAPI
package import ServiceKit
internal import Synchronization

/// What the areas of one server share, and the areas themselves.
package final class House: Sendable {
  package let storage: StorageSystem
  /// Every stream that waits for a signal.
  package let streams: Board<LogTopic>
  /// Takes what is committed to streams of readings.
  package let hub: DeliveryHub
  /// Wakes streams that follow entries of the log.
  package let watch: EntryWatch
  /// Who may call now.
  package let access: LiveAccess
  /// Calls without a network, once there is a server.
  package let calls = LocalCalls()
  /// What the health service says.
  package let health: HealthRegistry
  /// The directory of the database, where its disk is ours to watch; nil otherwise.
  package let databaseDirectory: String?
  /// The time of day.
  package let clock: @Sendable () -> Microseconds
  package let logger: Logger
  private let opened = Mutex<[any Area]>([])

  /// - Parameters:
  ///   - storage: its writer need not have started.
  ///   - databaseDirectory: where the disk of the database is ours to watch.
  ///   - clock: the time of day.
  package init(
    storage: StorageSystem, health: HealthRegistry, databaseDirectory: String? = nil,
    clock: @escaping @Sendable () -> Microseconds, logger: Logger
  ) {
    self.storage = storage
    self.health = health
    self.databaseDirectory = databaseDirectory
    self.clock = clock
    self.logger = logger
    streams = Board()
    hub = DeliveryHub(tail: storage.tail, streams: streams)
    watch = EntryWatch(tail: storage.tail, streams: streams)
    access = LiveAccess(tokens: storage.tokens)
  }

  /// Puts an area together, after those that it stands on.
  @discardableResult
  package func open<A: Area>(_ type: A.Type, _ settings: A.Settings) async throws -> A {
    let area = try await A(self, settings)
    opened.withLock { $0.append(area) }
    return area
  }

  /// The areas, each after those that it stands on.
  package var areas: [any Area] { opened.withLock { $0 } }

  /// An area that another one stands on, or nil if this server is without.
  package func find<A: Area>(_ type: A.Type) -> A? { areas.lazy.compactMap { $0 as? A }.first }

  /// An area that another one stands on.
  package subscript<A: Area>(_ type: A.Type) -> A {
    guard let area = find(type) else { preconditionFailure("\(type) has to be opened before whoever stands on it") }
    return area
  }

  /// Every RPC, reflection and health included.
  /// - Throws: if the descriptors that are built in can't be read.
  package func methods() throws -> [RPCMethod] {
    areas.flatMap(\.methods) + HealthService(registry: health).methods + (try ReflectionService().allMethods)
  }

  /// What is looked at of the kernel and of the areas when somebody asks for metrics.
  package var measures: [Measure] {
    let serving = Measure(.serving) { [health] in health.status(of: "") == .serving ? 1 : 0 }
    return [serving] + storage.measures + hub.measures + areas.flatMap(\.measures)
  }

  /// What every call goes through.
  /// - Parameter operatorToken: the token of the configuration.
  package func interceptors(operatorToken: String) -> [any ServerInterceptor] {
    [Failures(), Authorization(operatorToken: operatorToken, access: access), OnBehalf()]
  }

  /// To be called before the first call and the first reading come.
  package func begin() async throws {
    try await storage.ended.refresh()
    try await access.refresh()
    for area in areas { try await area.begin() }
  }

  /// Takes an account out of what is kept outside of the database.
  /// - Throws: if that did not succeed; then it may be called again.
  package func forget(_ account: AccountID) async throws {
    for area in areas.reversed() { try await area.forget(account) }
  }

  /// All streams of the server. Those who push come first: they end when what they have pushed is acknowledged.
  private var registers: [any StreamRegister] { areas.flatMap(\.registers) + [streams] }

  /// Sends a heartbeat on every stream that has been silent since the instant.
  package func beat(ifWaitingSince instant: ContinuousClock.Instant) {
    for register in registers { register.beat(ifWaitingSince: instant) }
  }

  /// Ends every stream, and those that will come, with a status that says that the server is ending.
  package func drain() {
    for register in registers { register.drain() }
  }
}

extension MetricFamily {
  fileprivate static let serving = MetricFamily(
    .gauge, "trackme_serving", "1 while the health service says SERVING of the server as a whole; otherwise 0.")
}
