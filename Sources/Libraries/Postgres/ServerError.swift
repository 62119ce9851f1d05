import CLibPQ

/// Turns what libpq reports into a `PostgresError`.
enum ServerError {
  /// The error held by a failed result. Does not free the result.
  static func make(result: OpaquePointer, connection: OpaquePointer?) -> PostgresError {
    let sqlState = field(result, "C")
    let isLost = connection.map { PQstatus($0) != CONNECTION_OK } ?? false
    guard let sqlState else {
      // libpq made this result itself: the socket closed, or a misuse of the protocol.
      let text = String(cString: PQresultErrorMessage(result))
      return PostgresError(isLost ? .connection : .protocolViolation, singleLine(text), isConnectionLost: isLost)
    }
    let primary = field(result, "M") ?? "no message"
    let endsSession = isLost || sqlState.hasPrefix("57P") || sqlState.hasPrefix("08")
    return PostgresError(
      kind(sqlState: sqlState, primary: primary, endsSession: endsSession),
      withoutValues(primary, sqlState: sqlState), sqlState: sqlState, constraint: field(result, "n"),
      isConnectionLost: endsSession)
  }

  /// The error of the connection itself (a failed connect or send).
  static func make(connection: OpaquePointer) -> PostgresError {
    let isLost = PQstatus(connection) != CONNECTION_OK
    return PostgresError(
      isLost ? .connection : .protocolViolation, singleLine(String(cString: PQerrorMessage(connection))),
      isConnectionLost: isLost)
  }

  private static func kind(sqlState: String, primary: String, endsSession: Bool) -> PostgresError.Kind {
    if sqlState == "57014" { return primary.contains("timeout") ? .timeout : .cancelled }
    return endsSession ? .connection : .server
  }

  /// Data errors quote the offending value ("invalid input syntax for type integer: "secret""). A value may hold quotes
  /// itself, so everything from the first quote to the last one goes.
  static func withoutValues(_ message: String, sqlState: String) -> String {
    guard sqlState.hasPrefix("22"), let first = message.firstIndex(of: "\""), let last = message.lastIndex(of: "\"")
    else { return message }
    return message[..<first] + "\"...\"" + message[message.index(after: last)...]
  }

  private static func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
    PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
  }

  private static func singleLine(_ text: String) -> String {
    let joined = text.split(whereSeparator: \.isNewline).map { String($0) }.joined(separator: "; ")
    return joined.isEmpty ? "the connection failed" : joined
  }
}
