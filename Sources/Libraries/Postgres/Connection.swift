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
///
/// A call that returns has been confirmed by PostgreSQL as its `synchronous_commit` says. One whose commit was sent and
/// not confirmed throws `PostgresError.Kind.unknownOutcome`.
public final class Connection {
  private var handle: OpaquePointer?
  private var preparedStatements: [String: String] = [:]
  /// Of `repeatedQuery`: by text, the name and the types of the parameters.
  private var repeated: [String: (name: String, types: [UInt32])] = [:]
  private let notices = CommitNotices()
  /// Statements that `repeatedQuery` keeps: a plan takes tens of kilobytes of PostgreSQL's memory.
  private static let repeatedMax = 64

  /// Whether a commit of this session had an unknown outcome: what others see may not be on a standby.
  private(set) var hasUnknownOutcome = false

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
    notices.listen(to: connecting)
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

  /// Where the session is as far as this side has heard: nothing is sent to find out. `unknown` once it is closed or
  /// lost.
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
    let handle = try begin()
    return try outcome { () throws(PostgresError) in try checked(PQexec(handle, sql)) }
  }

  /// Runs one statement with parameters `$1`, `$2`, …; values travel apart from the SQL and are never parsed as SQL.
  @discardableResult
  public func query(
    _ sql: String, _ parameters: [Parameter] = [], resultFormat: ResultFormat = .binary
  ) throws(PostgresError) -> Result {
    let handle = try begin()
    try checkNoNUL(sql)
    return try ParameterArrays.with(parameters) { (arrays) throws(PostgresError) in
      try outcome { () throws(PostgresError) in
        try checked(
          PQexecParams(
            handle, sql, arrays.count, arrays.types, arrays.values, arrays.lengths, arrays.formats,
            resultFormat.rawValue))
      }
    }
  }

  /// `query`, for what a server asks again and again in the same words: parsed and planned once for each connection, which is
  /// most of what a short statement costs. PostgreSQL plans it anew when one of its tables was analyzed or has changed, but
  /// not for each value of its parameters: not for statements whose best plan depends on those.
  ///
  /// A connection keeps `repeatedMax` of them; more are asked as `query` does.
  @discardableResult
  public func repeatedQuery(
    _ sql: String, _ parameters: [Parameter] = [], resultFormat: ResultFormat = .binary
  ) throws(PostgresError) -> Result {
    guard let name = try repeatedName(sql, parameters.map(\.oid)) else {
      return try query(sql, parameters, resultFormat: resultFormat)
    }
    return try queryPrepared(name, parameters, resultFormat: resultFormat)
  }

  /// - Returns: nil where the statement can't be kept.
  private func repeatedName(_ sql: String, _ types: [UInt32]) throws(PostgresError) -> String? {
    if let known = repeated[sql] { return known.types == types ? known.name : nil }
    guard repeated.count < Self.repeatedMax else { return nil }
    let name = "repeated-\(repeated.count)"
    try prepare(name: name, sql: sql, types: types)
    repeated[sql] = (name, types)
    return name
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
    let handle = try begin()
    return try ParameterArrays.with(parameters) { (arrays) throws(PostgresError) in
      try outcome { () throws(PostgresError) in
        try checked(
          PQexecPrepared(
            handle, name, arrays.count, arrays.values, arrays.lengths, arrays.formats, resultFormat.rawValue))
      }
    }
  }

  /// Runs `body` between BEGIN and COMMIT; rolls back when it throws. Does not nest.
  ///
  /// `Pool` can cancel what runs in `body` at once, and never cancels the COMMIT.
  /// - Throws: what `body` throws; `PostgresError.Kind.unknownOutcome` if the COMMIT was not confirmed.
  public func inTransaction<T>(_ body: (Connection) throws -> T) throws -> T {
    try execute("BEGIN")
    do {
      cancelHandle.setCancellable(true)
      defer { cancelHandle.setCancellable(false) }
      let value = try body(self)
      cancelHandle.setCancellable(false)
      try commit()
      return value
    } catch {
      if transactionStatus != .idle { _ = try? execute("ROLLBACK") }
      throw error
    }
  }

  private func commit() throws(PostgresError) {
    if cancelHandle.isInterrupted { throw PostgresError(.cancelled, "cancelled before the commit") }
    // A timer of the session that went off just now would break off the commit's wait for a standby. It does not outlive
    // the first of the two statements, where it undoes the transaction.
    let handle = try open()
    try outcome(commits: true) { () throws(PostgresError) in
      _ = try checked(PQexec(handle, "SET LOCAL statement_timeout = 0; COMMIT"))
    }
  }

  /// To be called between the steps of long work on results: a cancelled task and a deadline stop statements, and here what
  /// is done between them.
  /// - Throws: `PostgresError.Kind.cancelled` if the session was asked to stop.
  public func throwIfInterrupted() throws(PostgresError) {
    if cancelHandle.isInterrupted { throw PostgresError(.cancelled, "cancelled between two statements") }
  }

  // MARK: Shared with the files that add pipeline, COPY and streaming

  /// For a call that sends something: outside a transaction nothing begins that was asked to stop.
  func begin() throws(PostgresError) -> OpaquePointer {
    let handle = try open()
    if PQtransactionStatus(handle) == PQTRANS_IDLE, cancelHandle.isInterrupted {
      throw PostgresError(.cancelled, "cancelled before the statement began")
    }
    return handle
  }

  /// Runs a call that may commit. A success without the standbys' word, and a connection that was lost when the commit may
  /// have begun, are an unknown outcome.
  ///
  /// - Parameter commits: whether the call commits; nil: if no transaction is open when it begins.
  func outcome<T>(commits: Bool? = nil, _ call: () throws(PostgresError) -> T) throws(PostgresError) -> T {
    let commits = commits ?? (transactionStatus == .idle)
    do throws(PostgresError) {
      let value = try call()
      if let error = notices.take(isConnectionLost: false) { throw error }
      return value
    } catch {
      let unconfirmed = notices.take(isConnectionLost: error.isConnectionLost)
      guard unconfirmed != nil || error.kind == .unknownOutcome || (commits && error.isConnectionLost) else {
        throw error
      }
      hasUnknownOutcome = true
      throw unconfirmed
        ?? PostgresError(
          .unknownOutcome, error.message, sqlState: error.sqlState, isConnectionLost: error.isConnectionLost)
    }
  }

  /// Returns when the standbys that PostgreSQL's `synchronous_standby_names` asks for have everything that this session
  /// can see, as far as its `synchronous_commit` makes commits wait for them. After an unknown outcome, what is there may
  /// be believed only then. Blocks for as long as a standby is away.
  /// - Throws: `PostgresError`; of kind `unknownOutcome` if the wait was broken off.
  public func awaitStandbys() throws(PostgresError) {
    do throws(PostgresError) {
      // A commit waits only if its transaction has written something: this writes a record that stands for nothing.
      try execute(
        """
        BEGIN; SET LOCAL statement_timeout = 0; \(Self.recordForStandbys); COMMIT
        """)
    } catch {
      if transactionStatus != .idle { _ = try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Makes the commit of the transaction that it runs in wait for the standbys, if there are to be any.
  public static let recordForStandbys = """
    SELECT pg_logical_emit_message(true, 'trackme', '') WHERE current_setting('synchronous_standby_names') <> ''
    """

  /// For a session that holds a lock: PostgreSQL learns within a minute that the machine at this end is gone, and ends it, not
  /// after the two hours that are usual. Said in the session, because poolers take no such settings with the connection
  /// request.
  public func endSoonWithoutPeer() throws(PostgresError) {
    try execute("SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3")
  }

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
