internal import BenchKit
internal import Console
internal import Postgres

/// Readings in messages of one size.
struct IngestCase {
  let readingsPerMessage: Int
  let window: Int
  let readings: Int

  /// One statement a row costs so much that fewer rows tell as much.
  private var copiedReadings: Int { readingsPerMessage == 1 ? max(1, readings / 10) : readings }

  /// Pushes the readings through the server.
  func push(
    to server: MeasuredServer, _ store: MeasuredStore, start: Int64, skip: Int, connections: Int
  ) throws -> IngestMeasurement {
    let load = try load(server.address, token: server.token, start: start, skip: skip, connections: connections)
    try store.checkpoint()
    let before = server.processorTime
    let answer = try load.go()
    let after = server.processorTime
    let messages = try answer["messages"]
    try check(messages == Double((readings + readingsPerMessage - 1) / readingsPerMessage), "messages are missing")
    return IngestMeasurement(
      readings: Double(readings), messages: messages, seconds: try answer["seconds"],
      serverTime: after.server - before.server, postgresTime: after.postgres - before.postgres,
      clientTime: try answer["client_cpu_us"], ackP50: try answer["ack_ms_p50"], ackP99: try answer["ack_ms_p99"])
  }

  /// Pushes as many readings to a server that only acknowledges.
  /// - Returns: its processor time, in microseconds a message.
  func push(to program: String, _ mode: EchoServer.Mode, connections: Int) throws -> Double {
    let echo = try EchoServer(program: program, mode)
    let load = try load(echo.address, token: "", start: 0, skip: 0, connections: connections)
    let before = echo.processorTime
    let messages = try load.go()["messages"]
    return (echo.processorTime - before) / messages
  }

  /// A process that is ready to push the readings.
  private func load(
    _ target: String, token: String, start: Int64, skip: Int, connections: Int
  ) throws -> LoadProcess {
    try LoadProcess(
      [
        "load-readings", "--target", target, "--start", "\(start)", "--skip", "\(skip)",
        "--readings", "\(readings)", "--readings-per-message", "\(readingsPerMessage)", "--window", "\(window)",
        "--connections", "\(connections)",
      ], token: token)
  }

  /// Copies the same kind of rows into a table of PostgreSQL.
  /// - Returns: rows a second.
  func copy(
    into table: ComparisonTable, _ server: MeasuredServer, _ store: MeasuredStore, start: Int64
  ) throws -> Double {
    try store.create(table)
    defer { store.drop(table) }
    let load = try LoadProcess([
      "load-copy", "--socket-directory", server.database.host ?? "", "--user", server.database.user ?? "",
      "--database", server.database.database ?? "", "--table", table.name, "--start", "\(start)",
      "--readings", "\(copiedReadings)", "--rows-per-statement", "\(readingsPerMessage)",
    ])
    try store.checkpoint()
    let seconds = try load.go()["seconds"]
    try check(store.rows(of: table) == copiedReadings, "\(table.name) does not hold every row")
    return Double(copiedReadings) / seconds
  }

  /// The medians of the rounds.
  func report(_ rounds: [IngestMeasurement]) -> JSONValue {
    func median(_ value: (IngestMeasurement) -> Double) -> JSONValue { .measured(rounds.map(value).median) }
    return .object([
      "readings_per_message": .count(readingsPerMessage),
      "readings_per_second": median(\.rate),
      "ratio_to_bare_copy": median { $0.rate / $0.bareCopy },
      "ratio_to_keyed_copy": median { $0.rate / $0.keyedCopy },
      "server_cpu_us_per_reading": median { $0.serverTime / $0.readings },
      "server_cpu_us_per_message": median { $0.serverTime / $0.messages },
      "postgres_cpu_us_per_reading": median { $0.postgresTime / $0.readings },
      "compaction_server_cpu_us_per_reading": median { $0.compaction.server / $0.readings },
      "compaction_postgres_cpu_us_per_reading": median { $0.compaction.postgres / $0.readings },
      "client_cpu_us_per_message": median { $0.clientTime / $0.messages },
      "ack_ms_p50": median(\.ackP50),
      "ack_ms_p99": median(\.ackP99),
      "bare_copy_rows_per_second": median(\.bareCopy),
      "keyed_copy_rows_per_second": median(\.keyedCopy),
      "readings": .count(readings),
      "window_messages": .count(window),
    ])
  }
}

/// What one round of a case has shown. Processor times are microseconds.
struct IngestMeasurement {
  let readings: Double
  let messages: Double
  let seconds: Double
  let serverTime: Double
  let postgresTime: Double
  let clientTime: Double
  let ackP50: Double
  let ackP99: Double
  /// Processor time from the last acknowledgement until everything was in merged chunks.
  var compaction = (server: Double.nan, postgres: Double.nan)
  var bareCopy = Double.nan
  var keyedCopy = Double.nan
  var rate: Double { readings / seconds }

  var progress: String {
    let numbers = [rate, rate / bareCopy, serverTime / messages, postgresTime / readings]
      .map { JSONValue.measured($0).text }
    return "\(numbers[0]) readings/s, \(numbers[1]) x bare COPY, server \(numbers[2]) us a message, "
      + "PostgreSQL \(numbers[3]) us a reading"
  }
}
