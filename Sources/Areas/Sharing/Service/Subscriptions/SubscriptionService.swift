public import Domain
public import Log
internal import Postgres
internal import RPCRuntime
public import ServiceKit
internal import Synchronization

/// Delivers readings as they are produced, and answers about groups: each RPC has its own file.
public final class SubscriptionService: Sendable {
  static let maxPersons = 10_000
  static let maxOutstanding = 1_000_000

  let hub: DeliveryHub
  let watch: EntryWatch
  let seal: Seal
  /// For streams that are behind.
  let pool: Pool
  let metrics: MetricRegistry
  let sources: SourceRegistry
  let access: AccessRegistry
  let subscriptions: SubscriptionRegistry
  let disclosures: DisclosureLedger
  let clock: @Sendable () -> Microseconds
  /// Ends the streams of subscriptions that are cancelled or changed.
  public let orders = SubscriptionWatch()
  private let addedGroups = Mutex<(any GroupOrders)?>(nil)

  /// - Parameter clock: the time of day.
  public init(
    hub: DeliveryHub, watch: EntryWatch, storage: StorageSystem, clock: @escaping @Sendable () -> Microseconds
  ) {
    self.hub = hub
    self.watch = watch
    seal = storage.seal
    pool = storage.pools.heavy
    metrics = storage.metrics
    sources = storage.sources
    access = storage.access
    subscriptions = storage.subscriptions
    disclosures = storage.disclosures
    self.clock = clock
  }

  /// Adds subscriptions on groups, before the first call.
  package func add(_ groups: any GroupOrders) {
    addedGroups.withLock { added in
      precondition(added == nil, "two areas answer about groups")
      added = groups
    }
  }

  /// Subscriptions on groups; nil in a server without them.
  var groups: (any GroupOrders)? { addedGroups.withLock { $0 } }

  /// Ends the streams of what was cancelled or changed through other servers. To be called every second.
  /// - Throws: `PostgresError`.
  func refreshOrders() async throws {
    try await orders.refresh { [self] ids in
      var versions = try await subscriptions.versions(of: ids)
      // Releases say themselves what they are of: whatever changes, their streams go on.
      for id in try await groups?.active(of: ids.filter { versions[$0] == nil }) ?? [] { versions[id] = 0 }
      return versions
    }
  }
}
