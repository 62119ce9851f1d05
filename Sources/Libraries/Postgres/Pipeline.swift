import CLibPQ

/// Statements on their way to the server, of which nobody has read the answers yet. See `Connection.pipeline`.
public struct Pipeline: ~Copyable {
  private let connection: Connection
  private let handle: OpaquePointer
  private var unflushedBytes = 0
  /// Statements appended so far.
  public private(set) var count = 0

  /// libpq keeps small statements back and sends them together; from this size on we push them out ourselves, so that a
  /// long pipeline does not pile up in this process.
  private static let flushThresholdBytes = 64 * 1024

  fileprivate init(_ connection: Connection) throws(PostgresError) {
    self.connection = connection
    handle = try connection.open()
  }

  /// Sends a statement without waiting for its answer.
  public mutating func append(
    _ sql: String, _ parameters: [Parameter] = [], resultFormat: ResultFormat = .binary
  ) throws(PostgresError) {
    try connection.checkNoNUL(sql)
    let handle = handle
    let bytes = try ParameterArrays.with(parameters) { (arrays) throws(PostgresError) in
      guard
        PQsendQueryParams(
          handle, sql, arrays.count, arrays.types, arrays.values, arrays.lengths, arrays.formats, resultFormat.rawValue)
          == 1
      else { throw ServerError.make(connection: handle) }
      return arrays.byteCount
    }
    try appended(bytes + sql.utf8.count)
  }

  /// Sends a prepared statement without waiting for its answer.
  public mutating func append(
    prepared name: String, _ parameters: [Parameter] = [], resultFormat: ResultFormat = .binary
  ) throws(PostgresError) {
    let handle = handle
    let bytes = try ParameterArrays.with(parameters) { (arrays) throws(PostgresError) in
      guard
        PQsendQueryPrepared(
          handle, name, arrays.count, arrays.values, arrays.lengths, arrays.formats, resultFormat.rawValue) == 1
      else { throw ServerError.make(connection: handle) }
      return arrays.byteCount
    }
    try appended(bytes + name.utf8.count)
  }

  private mutating func appended(_ bytes: Int) throws(PostgresError) {
    count += 1
    unflushedBytes += bytes
    if unflushedBytes >= Self.flushThresholdBytes {
      try Self.flush(handle)
      unflushedBytes = 0
    }
  }

  /// Sends everything libpq holds. Reads meanwhile: a server blocked on sending its answers would never take our data.
  fileprivate static func flush(_ handle: OpaquePointer) throws(PostgresError) {
    while true {
      let pending = PQflush(handle)
      if pending == 0 { return }
      guard pending > 0 else { throw ServerError.make(connection: handle) }
      SocketWait.wait(PQsocket(handle), orWritable: true)
      if SocketWait.isReadable(PQsocket(handle)), PQconsumeInput(handle) == 0 {
        throw ServerError.make(connection: handle)
      }
    }
  }
}

extension Connection {
  /// Runs many statements with one wait: they are sent as they are appended, and all answers are read at the end.
  ///
  /// The statements are one implicit transaction: all of them take effect, or none. (Inside an open transaction they
  /// are part of that one.) When one fails, the following are skipped and its error is thrown. When `build` throws,
  /// everything it appended is undone and its error is thrown. Answers stay in memory until all have arrived.
  /// - Returns: one result for each appended statement, in order.
  @discardableResult
  public func pipeline(_ build: (inout Pipeline) throws -> Void) throws -> [Result] {
    let handle = try begin()
    let commits = transactionStatus == .idle
    guard PQenterPipelineMode(handle) == 1, PQsetnonblocking(handle, 1) == 0 else {
      throw ServerError.make(connection: handle)
    }
    do {
      var pipeline = try Pipeline(self)
      var abandoned: (any Error)?
      do {
        try build(&pipeline)
      } catch {
        abandoned = error
        // A sync now would commit what was sent; an error before it undoes that.
        if PQstatus(handle) == CONNECTION_OK { try? pipeline.append(Self.abandonSQL) }
      }
      let count = pipeline.count
      guard PQpipelineSync(handle) == 1 else { throw abandoned ?? ServerError.make(connection: handle) }
      try Pipeline.flush(handle)
      let outcome = try collect(handle, expecting: count, commits: commits)
      guard PQexitPipelineMode(handle) == 1, PQsetnonblocking(handle, 0) == 0 else {
        throw ServerError.make(connection: handle)
      }
      if let abandoned { throw abandoned }
      if let error = outcome.error { throw error }
      return outcome.results
    } catch {
      // Still in pipeline mode: answers were left unread, and no later statement could be told apart from them.
      if PQpipelineStatus(handle) != PQ_PIPELINE_OFF { close() }
      throw error
    }
  }

  private static let abandonSQL = "DO $$BEGIN RAISE EXCEPTION 'pipeline abandoned before its end'; END$$"

  /// Reads all answers up to the sync, where the commit is.
  private func collect(
    _ handle: OpaquePointer, expecting count: Int, commits: Bool
  ) throws(PostgresError) -> (results: [Result], error: PostgresError?) {
    try outcome(commits: commits) { () throws(PostgresError) in try collect(handle, expecting: count) }
  }

  private func collect(
    _ handle: OpaquePointer, expecting count: Int
  ) throws(PostgresError) -> (results: [Result], error: PostgresError?) {
    var results: [Result] = []
    results.reserveCapacity(count)
    var firstError: PostgresError?
    var endsInARow = 0
    while true {
      guard let result = PQgetResult(handle) else {
        // nil ends the answers to one statement; two in a row mean that nothing more will come.
        endsInARow += 1
        if PQstatus(handle) != CONNECTION_OK { throw firstError ?? ServerError.make(connection: handle) }
        if endsInARow > 2 { throw PostgresError(.protocolViolation, "the answers to a pipeline ended early") }
        continue
      }
      endsInARow = 0
      switch PQresultStatus(result) {
      case PGRES_PIPELINE_SYNC:
        PQclear(result)
        if firstError == nil, results.count != count {
          throw PostgresError(.protocolViolation, "\(count) statements in a pipeline got \(results.count) answers")
        }
        return (results, firstError)
      case PGRES_PIPELINE_ABORTED:
        PQclear(result)
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
        results.append(Result(owning: result))
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        PQclear(result)
        throw PostgresError(.protocolViolation, "COPY cannot be part of a pipeline")
      default:
        // Also errors at the sync itself: a deferred constraint that fails at commit arrives there.
        if firstError == nil { firstError = ServerError.make(result: result, connection: handle) }
        PQclear(result)
      }
    }
  }
}
