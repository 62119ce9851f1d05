import CLibPQ
import Glibc

/// How PostgreSQL sends the values of a result.
public enum ResultFormat: Int32, Sendable {
  case text = 0
  case binary = 1
}

/// Where a connection stands in its transaction.
public enum TransactionStatus: Sendable, Equatable {
  case idle
  /// A statement is running.
  case active
  case inTransaction
  /// In a transaction that failed; only ROLLBACK is accepted.
  case failed
  /// The connection is gone.
  case unknown
}

/// One session with PostgreSQL. Every call blocks until the server has answered.
///
/// Used by one thread at a time, and so not Sendable; `cancelHandle` is the one part other threads may use. After an
/// error with `isConnectionLost` the object answers every call with an error and should be dropped.
public final class Connection {
  private var handle: OpaquePointer?
  private var preparedStatements: [String: String] = [:]

  /// Stops the running statement from another thread.
  public let cancelHandle: CancelHandle

  /// Connects and logs in; blocks for at most the configuration's connect timeout per address.
  public init(_ configuration: ConnectionConfiguration) throws(PostgresError) {
    let connecting = configuration.withConnectArrays { PQconnectdbParams($0, $1, 0) }
    guard let connecting else { throw PostgresError(.connection, "no memory for a connection") }
    guard PQstatus(connecting) == CONNECTION_OK else {
      let error = ServerError.make(connection: connecting)
      PQfinish(connecting)
      throw PostgresError(.connection, error.message, isConnectionLost: true)
    }
    // libpq's default prints notices on standard error.
    PQsetNoticeReceiver(connecting, { _, _ in }, nil)
    handle = connecting
    cancelHandle = CancelHandle(connection: connecting)
  }

  deinit { PQfinish(handle) }

  /// Ends the session. Calls after this throw.
  public func close() {
    PQfinish(handle)
    handle = nil
  }

  /// False once the connection is known to be lost. Looks at the socket, and asks the server only if that has something
  /// unexpected to say; a server that vanished without closing the connection goes unnoticed until a statement is sent.
  public var isConnected: Bool {
    guard let handle, PQstatus(handle) == CONNECTION_OK else { return false }
    guard PQtransactionStatus(handle) != PQTRANS_ACTIVE, SocketWait.isReadable(PQsocket(handle)) else { return true }
    // Between statements a server only speaks up to tell of a changed setting or to say goodbye.
    return PQconsumeInput(handle) == 1 && answers(within: .seconds(1))
  }

  public var transactionStatus: TransactionStatus {
    guard let handle else { return .unknown }
    switch PQtransactionStatus(handle) {
    case PQTRANS_IDLE: return .idle
    case PQTRANS_ACTIVE: return .active
    case PQTRANS_INTRANS: return .inTransaction
    case PQTRANS_INERROR: return .failed
    default: return .unknown
    }
  }

  /// Process id of the server's side of this session.
  public var backendProcessID: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

  /// The server's version as a number: 150020 for 15.20.
  public var serverVersion: Int { handle.map { Int(PQserverVersion($0)) } ?? 0 }

  /// Runs one or more statements without parameters, in one implicit transaction unless they say otherwise.
  /// - Returns: the last statement's result, in text format.
  @discardableResult
  public func execute(_ sql: String) throws(PostgresError) -> Result {
    try checkNoNUL(sql)
    return try checked(PQexec(try open(), sql))
  }

  /// Runs one statement with parameters `$1`, `$2`, …; values travel apart from the SQL and are never parsed as SQL.
  @discardableResult
  public func query(
    _ sql: String, _ parameters: [Parameter] = [], resultFormat: ResultFormat = .binary
  ) throws(PostgresError) -> Result {
    let handle = try open()
    try checkNoNUL(sql)
    return try ParameterArrays.with(parameters) { (arrays) throws(PostgresError) in
      try checked(
        PQexecParams(
          handle, sql, arrays.count, arrays.types, arrays.values, arrays.lengths, arrays.formats, resultFormat.rawValue)
      )
    }
  }

  /// Prepares a statement under a name, for the life of this connection. Preparing the same name and text again costs
  /// nothing, so that code which gets its connection from a pool can call this each time.
  public func prepare(name: String, sql: String, types: [UInt32] = []) throws(PostgresError) {
    if preparedStatements[name] == sql { return }
    guard preparedStatements[name] == nil else {
      throw PostgresError(.protocolViolation, "a different statement is already prepared as \(name)")
    }
    try checkNoNUL(sql)
    _ = try checked(PQprepare(try open(), name, sql, Int32(types.count), types))
    preparedStatements[name] = sql
  }

  /// Runs a prepared statement. The parameters must have the types that the statement infers or `prepare` was given.
  @discardableResult
  public func queryPrepared(
    _ name: String, _ parameters: [Parameter] = [], resultFormat: ResultFormat = .binary
  ) throws(PostgresError) -> Result {
    let handle = try open()
    return try ParameterArrays.with(parameters) { (arrays) throws(PostgresError) in
      try checked(
        PQexecPrepared(
          handle, name, arrays.count, arrays.values, arrays.lengths, arrays.formats, resultFormat.rawValue))
    }
  }

  /// Runs `body` between BEGIN and COMMIT; rolls back when it throws. Does not nest.
  public func inTransaction<T>(_ body: (Connection) throws -> T) throws -> T {
    try execute("BEGIN")
    do {
      let value = try body(self)
      try execute("COMMIT")
      return value
    } catch {
      if transactionStatus != .idle { _ = try? execute("ROLLBACK") }
      throw error
    }
  }

  // MARK: Shared with the files that add pipeline, COPY and streaming

  func open() throws(PostgresError) -> OpaquePointer {
    guard let handle else { throw PostgresError(.connection, "the connection is closed", isConnectionLost: true) }
    return handle
  }

  /// libpq takes the SQL as a C string: a NUL would cut it silently.
  func checkNoNUL(_ sql: String) throws(PostgresError) {
    if sql.utf8.contains(0) { throw PostgresError(.invalidParameter, "a NUL character in the SQL text") }
  }

  /// Wraps a successful result; turns a failed one into its error.
  func checked(_ result: OpaquePointer?) throws(PostgresError) -> Result {
    let handle = try open()
    guard let result else { throw ServerError.make(connection: handle) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY:
      return Result(owning: result)
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      PQclear(result)
      // The session is in the middle of a COPY nobody will finish.
      close()
      throw PostgresError(.protocolViolation, "COPY needs copyIn; the connection was closed", isConnectionLost: true)
    default:
      defer { PQclear(result) }
      throw ServerError.make(result: result, connection: handle)
    }
  }
}
