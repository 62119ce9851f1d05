public import Log

extension StorageSystem {
  public var accounts: AccountStore { AccountStore(pool: pool) }
  public var passwords: PasswordRecords { PasswordRecords(pool: pool) }
  public var sessions: SessionStore { SessionStore(pool: pool) }
  public var devices: DeviceStore { DeviceStore(pool: pool) }
  /// Which bridges may push for which persons.
  public var bridges: BridgeStore {
    store { BridgeStore(pool: $0.pool, permissions: BridgePermissions(pool: $0.pools.urgent)) }
  }
  /// Accounts that end at their owners' word.
  public var erasures: ErasureStore { ErasureStore(self) }
  /// Accounts that administrators take out of use, and back.
  public var disabledAccounts: DisabledAccounts { DisabledAccounts(self) }
}
