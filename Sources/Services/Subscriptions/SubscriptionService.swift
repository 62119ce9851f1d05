internal import Domain
public import Postgres
public import Storage

/// Delivers readings as they are produced: each RPC has its own file.
public final class SubscriptionService: Sendable {
  static let maxPersons = 10_000
  static let maxOutstanding = 1_000_000

  let hub: DeliveryHub
  let pool: Pool
  let metrics: MetricRegistry
  let sources: SourceRegistry

  public init(hub: DeliveryHub, pool: Pool, metrics: MetricRegistry, sources: SourceRegistry) {
    self.hub = hub
    self.pool = pool
    self.metrics = metrics
    self.sources = sources
  }
}
