import CLibPQ

extension Connection {
  /// Runs a query and hands out its rows one by one as they arrive, so that memory does not grow with the result.
  ///
  /// When `body` throws, the query is cancelled, the rest is discarded, and the error is thrown on; the connection
  /// stays usable. Do not use the connection inside `body`. For queries that change nothing.
  public func streamRows(
    _ sql: String, _ parameters: [Parameter] = [], _ body: (Row) throws -> Void
  ) throws {
    let handle = try begin()
    try checkNoNUL(sql)
    try ParameterArrays.with(parameters) { (arrays) throws(PostgresError) in
      guard
        PQsendQueryParams(
          handle, sql, arrays.count, arrays.types, arrays.values, arrays.lengths, arrays.formats,
          ResultFormat.binary.rawValue) == 1, PQsetSingleRowMode(handle) == 1
      else { throw ServerError.make(connection: handle) }
    }
    var failure: (any Error)?
    while let next = PQgetResult(handle) {
      if failure != nil {
        PQclear(next)
        continue
      }
      do {
        let result = try checked(next)
        try throwIfInterrupted()
        for index in 0..<result.rowCount { try body(Row(result: result, index: index)) }
      } catch {
        failure = error
        // `checked` closes the connection when the statement was a COPY.
        guard (try? open()) != nil else { throw error }
        cancelHandle.cancel()
      }
    }
    if let failure { throw failure }
  }
}
