import CLibPQ

/// Asks PostgreSQL to stop what a connection is doing; usable from any thread, also while the connection waits.
///
/// The request travels on a connection of its own and is not tied to a statement: one that arrives after its statement
/// ended may hit the next one. `Pool` guards against that.
// @unchecked: PGcancel is an immutable copy of address and key, and libpq documents PQcancel as safe from any thread.
public final class CancelHandle: @unchecked Sendable {
  private let handle: OpaquePointer?

  init(connection: OpaquePointer) { handle = PQgetCancel(connection) }

  deinit { PQfreeCancel(handle) }

  /// Sends the request and waits until the server has taken it. Blocks for the time of a connect.
  /// - Returns: whether the server took it; a statement that was running then ends with `PostgresError.Kind.cancelled`.
  @discardableResult
  public func cancel() -> Bool {
    guard let handle else { return false }
    var message = [CChar](repeating: 0, count: 256)
    return PQcancel(handle, &message, Int32(message.count)) == 1
  }
}
