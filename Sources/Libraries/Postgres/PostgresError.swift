/// Anything that can go wrong between this process and PostgreSQL.
///
/// The message is meant for logs and operators. It never holds parameter values, passwords or row contents:
/// PostgreSQL's DETAIL, CONTEXT and statement texts are dropped, and values quoted by data errors (SQLSTATE class 22)
/// are blanked.
public struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What a caller can tell failures apart by.
  public enum Kind: Sendable, Equatable {
    /// No connection could be made, or the one in use was lost in a transaction that had not begun to commit: nothing was
    /// done.
    case connection
    /// PostgreSQL refused the statement; `sqlState` says why. The transaction, if any, is rolled back or failed.
    case server
    /// The two sides disagree about the state of the connection: a bug here, or not a PostgreSQL server there.
    case protocolViolation
    /// The work may be done and may not be, or it is done and may yet be lost: the connection broke before the answer to
    /// a commit, or the commit's wait for a synchronous standby was broken off. Never to be taken for success; ask
    /// again over a connection that has called `Connection.awaitStandbys`.
    case unknownOutcome
    /// The statement was cancelled on request.
    case cancelled
    /// A deadline passed, in the queue or in the server.
    case timeout
    /// The pool's waiting queue is full, or the pool was shut down.
    case poolExhausted
    case poolClosed
    /// A parameter cannot be sent (NUL in a text, too many parameters).
    case invalidParameter
    /// A result was read as a type it does not have, is NULL, or a row or column does not exist.
    case decoding
    /// The connection string or other settings are wrong.
    case configuration
    /// The embedded cluster could not be created, started or stopped.
    case cluster
    /// The schema in the database and the program's migrations do not fit.
    case migration
  }

  public let kind: Kind
  /// Five-character SQLSTATE when PostgreSQL sent one.
  public let sqlState: String?
  public let message: String
  /// Name of the violated constraint (SQLSTATE class 23), else nil.
  public let constraint: String?
  /// The connection this came from can no longer be used.
  public let isConnectionLost: Bool

  /// - Parameter message: for logs: it must quote no value of a parameter or row.
  public init(
    _ kind: Kind, _ message: String, sqlState: String? = nil, constraint: String? = nil, isConnectionLost: Bool = false
  ) {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
    self.constraint = constraint
    self.isConnectionLost = isConnectionLost
  }

  /// Trying the same work again, after a pause, may succeed. The caller must know that the work is idempotent: after an
  /// unknown outcome it may have been committed already.
  public var isRetriable: Bool {
    if isConnectionLost || kind == .connection || kind == .unknownOutcome || kind == .poolExhausted { return true }
    guard let sqlState else { return false }
    switch sqlState {
    case "40001", "40P01", "55P03", "57P03": return true  // serialization, deadlock, lock timeout, starting up
    default: return sqlState.hasPrefix("53")  // too many connections, out of memory, disk full
    }
  }

  /// One text of all that is known, as fit for logs as `message`.
  public var description: String {
    var text = "postgres \(kind)"
    if let sqlState { text += " [\(sqlState)]" }
    text += ": \(message)"
    if let constraint { text += " (constraint \(constraint))" }
    return text
  }
}
