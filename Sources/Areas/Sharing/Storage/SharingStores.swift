public import Log

extension StorageSystem {
  /// Requests for access.
  public var access: AccessRegistry { AccessRegistry(pool: pool, writer: writer) }
  /// What third parties follow.
  public var subscriptions: SubscriptionRegistry { store { SubscriptionRegistry(pool: $0.pool) } }
  /// Who has received what.
  public var disclosures: DisclosureLedger { store { DisclosureLedger(pool: $0.pool, database: $0.database) } }
}
