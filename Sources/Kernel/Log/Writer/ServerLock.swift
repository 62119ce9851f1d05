public import Postgres
internal import Synchronization
internal import Threads

/// Sees to it that a database has one server: what a server publishes and keeps in memory follows from its own commits alone.
///
/// It is an advisory lock of PostgreSQL, held by a session that does nothing else. The session ends with the process, however
/// that ends, and with it the lock. Programs beside the server, which do not publish, do not take it.
public final class ServerLock: Sendable {
  /// Another server has the database.
  public struct Taken: Error, CustomStringConvertible {
    public let description: String
  }

  /// How long a server that was killed may keep the lock: PostgreSQL notices that its process is gone, and ends its session.
  public static let patience: Duration = .seconds(1)

  // Beside the locks of commits (…01), compaction (…02), watermarks (…03) and imports of roads (…10).
  private static let key: Int64 = 0x7472_6163_6b6d_6511

  private struct State {
    var connection: Connection?
    var isReleased = false
  }

  private let database: ConnectionConfiguration
  private let fence = SessionFence(.server)
  private let monitor = Monitored(State())

  /// Nothing happens until `take`.
  public init(database: ConnectionConfiguration) { self.database = database }

  /// Takes the lock, before anything else is done with the database. Blocks.
  /// - Throws: `Taken` if another server still has it after `patience`; `PostgresError`.
  public func take() throws {
    let connection = try hold()
    monitor.withLock { $0.connection = connection }
  }

  /// Takes the lock again whenever PostgreSQL has lost it, as by a restart; returns when it is released.
  /// - Throws: `Taken` if another server has it by then.
  public func keep() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      DedicatedThread.detached("server-lock") { [self] in continuation.resume(with: Swift.Result { try watch() }) }
    }
  }

  /// Gives the lock up, when nothing is written any more.
  public func release() {
    monitor.change { $0.isReleased = true }
  }

  /// Waits until the lock is given up, or for so long.
  private func isReleased(within time: Duration) -> Bool {
    monitor.wait(until: .now + time) { $0.isReleased ? () : nil } != nil
  }

  private func watch() throws {
    defer { monitor.withLock { $0.connection = nil } }
    while !isReleased(within: .milliseconds(200)) {
      // Looks at the socket only: a connection that is there has the lock.
      if monitor.withLock({ $0.connection?.isConnected ?? false }) { continue }
      do {
        try take()
      } catch let error as Taken {
        throw error
      } catch {
        // PostgreSQL is away; nobody else gets the lock there either.
      }
    }
  }

  private func hold() throws -> Connection {
    let connection = try Connection(database)
    try connection.endSoonWithoutPeer()
    // A session of ours that was lost may not have ended yet.
    try fence.enter(connection)
    let deadline = ContinuousClock.now + Self.patience
    while try !connection.query("SELECT pg_try_advisory_lock($1)", [.int8(Self.key)]).bool(0, 0) {
      if ContinuousClock.now >= deadline { throw try taken(connection) }
      _ = isReleased(within: .milliseconds(10))
    }
    return connection
  }

  private func taken(_ connection: Connection) throws -> Taken {
    let holder = try connection.query(
      """
      SELECT a.pid, coalesce(host(a.client_addr), 'this machine or a socket'), to_char(a.backend_start, 'YYYY-MM-DD HH24:MI:SS')
      FROM \(Self.holders) LIMIT 1
      """, [.int8(Self.key >> 32), .int8(Self.key & 0xffff_ffff)])
    var words = "another TrackMe server is running on this database; there can be one"
    if holder.rowCount == 1, !holder.isNull(0, 2) {
      words +=
        " (PostgreSQL session \(try holder.int32(0, 0)), from \(try holder.string(0, 1)), since \(try holder.string(0, 2)))"
    }
    return Taken(description: words)
  }

  /// Refuses a session of a server that has lost the lock to another. What the other has ended stays ended: it ends all
  /// writers when it has the lock, and whoever connects after that comes by here.
  /// - Throws: `PostgresError.Kind.configuration`.
  func checkNobodyElse(_ connection: Connection) throws(PostgresError) {
    let others = try connection.query(
      "SELECT count(*) FROM \(Self.holders) WHERE a.application_name <> $3",
      [.int8(Self.key >> 32), .int8(Self.key & 0xffff_ffff), .text(fence.name)])
    guard try others.int64(0, 0) == 0 else {
      throw PostgresError(.configuration, "another server has taken the database over")
    }
  }

  /// The sessions that hold the lock with the halves $1 and $2.
  private static let holders = """
    (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND classid::bigint = $1 AND objid::bigint = $2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) l
    JOIN pg_stat_activity a ON a.pid = l.pid
    """
}
