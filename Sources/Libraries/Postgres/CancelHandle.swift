import CLibPQ
import Glibc
import Synchronization

/// Stops what a connection is doing; usable from any thread, also while the connection waits.
///
/// A request to cancel travels on a connection of its own and is not tied to a statement: one that arrives after its
/// statement ended may hit the next one. `Pool` guards against that.
// @unchecked: PGcancel is an immutable copy of address and key, and libpq documents PQcancel as safe from any thread; the
// socket is a descriptor of our own; the rest is behind a lock.
public final class CancelHandle: @unchecked Sendable {
  private struct State {
    /// Whether the session is in a transaction block, of which nothing is being committed.
    var isCancellable = false
    /// Since when it is asked to stop.
    var interruptedAt: ContinuousClock.Instant?
  }

  /// How long a commit, or a statement that commits by itself, may go on after it was asked to stop. It takes
  /// milliseconds, unless it waits for a lock or a standby.
  static let patience: Duration = .seconds(1)

  private let handle: OpaquePointer?
  /// libpq may close its descriptor at any moment, and the number may then be another file's: this one stays ours.
  private let socket: Int32
  private let state = Mutex(State())

  init(connection: OpaquePointer) {
    handle = PQgetCancel(connection)
    socket = fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
  }

  deinit {
    PQfreeCancel(handle)
    if socket >= 0 { close(socket) }
  }

  /// Sends the request and waits until the server has taken it. Blocks for the time of a connect. It also breaks off a
  /// commit's wait for a standby, which is then an unknown outcome: see `interrupt`.
  /// - Returns: whether the server took it; a statement that was running then ends with `PostgresError.Kind.cancelled`.
  @discardableResult
  public func cancel() -> Bool {
    guard let handle else { return false }
    var message = [CChar](repeating: 0, count: 256)
    return PQcancel(handle, &message, Int32(message.count)) == 1
  }

  /// Ends the connection under the session, which goes on with its commit on its own; blocks for no time. Whoever waits for
  /// an answer over it gets an error with `isConnectionLost`.
  public func cut() { if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) } }

  // MARK: Stopping without breaking off a commit

  /// Stops the session's work, if called again and again, without making anything visible that a standby may lack: in a
  /// transaction block by a request to cancel; elsewhere by letting nothing new begin, and after `patience` by ending the
  /// connection, whereupon PostgreSQL goes on waiting by itself.
  func interrupt() {
    state.withLock { state in
      let since = state.interruptedAt ?? .now
      state.interruptedAt = since
      if state.isCancellable { cancel() } else if .now - since >= Self.patience { cut() }
    }
  }

  /// The session has entered a transaction block, or is about to leave it. A request that is on its way has arrived when
  /// this returns, and PostgreSQL ignores one that finds it between two statements.
  func setCancellable(_ isCancellable: Bool) { state.withLock { $0.isCancellable = isCancellable } }

  /// Whether the session was asked to stop.
  var isInterrupted: Bool { state.withLock { $0.interruptedAt != nil } }

  /// The session has stopped, and may begin something else.
  func rearm() { state.withLock { $0 = State() } }
}
