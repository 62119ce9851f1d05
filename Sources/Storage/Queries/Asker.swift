public import Domain

/// On whose behalf something is asked of the database: what takes turns takes them between askers.
public enum Asker: Hashable, Sendable {
  case account(AccountID)
  case race(RaceID)
  /// The operator, or the server itself.
  case server

  /// The asker of the task that runs.
  @TaskLocal public static var current = Asker.server
}
