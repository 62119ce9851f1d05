public import Domain

/// On whose behalf something is asked of the database: what takes turns takes them between askers.
public enum Asker: Hashable, Sendable {
  case account(AccountID)
  /// Nobody in particular: what the server does for all who follow something.
  case topic(LogTopic)
  /// Somebody who need not have an account, by the key of an address or a network.
  case client(String)
  /// The operator, or the server itself.
  case server

  /// The asker of the task that runs.
  @TaskLocal public static var current = Asker.server
}
