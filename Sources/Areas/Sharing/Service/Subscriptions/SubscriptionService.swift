public import Domain
public import Log
internal import Postgres
public import ServiceKit

/// Delivers readings as they are produced: each RPC has its own file.
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
}
