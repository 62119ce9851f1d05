public import Domain
internal import Postgres

extension AccessRegistry {
  private static let expiryRound = 1_000

  /// Ends the grants whose time is over, each at a position of the log.
  ///
  /// - Parameter now: the time of day.
  /// - Returns: how many were ended; call again while there are some.
  /// - Throws: `PostgresError`.
  public func endExpiredGrants(at now: Microseconds) async throws -> Int {
    let expired = try await expiredGrants(at: now, limit: Self.expiryRound)
    for record in expired { _ = try await change(record, to: .expired, at: now) }
    return expired.count
  }
}
