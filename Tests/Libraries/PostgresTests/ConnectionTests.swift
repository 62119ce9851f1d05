import Glibc
import Testing
import Threads

@testable import Postgres

@Suite struct ConnectionTests {
  @Test func severalStatementsRunInOneCall() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8); INSERT INTO t VALUES (1), (2)")
    #expect(try connection.query("UPDATE t SET x = x + 1").affectedRows == 2)
    #expect(try connection.execute("SELECT sum(x) FROM t").string(0, 0) == "5")
  }

  @Test func aTransactionThatThrowsIsUndone() throws {
    struct Unwilling: Error {}
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8)")
    #expect(throws: Unwilling.self) {
      try connection.inTransaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
        #expect(connection.transactionStatus == .inTransaction)
        throw Unwilling()
      }
    }
    #expect(try connection.query("SELECT count(*) FROM t").int64(0, 0) == 0)
    #expect(try connection.inTransaction { try $0.query("INSERT INTO t VALUES (1)").affectedRows } == 1)
    #expect(connection.transactionStatus == .idle)
  }

  @Test func preparingTheSameStatementAgainIsFreeAndAnotherIsRefused() throws {
    let connection = try freshConnection()
    try connection.prepare(name: "s", sql: "SELECT $1::int8")
    try connection.prepare(name: "s", sql: "SELECT $1::int8")
    #expect(try connection.queryPrepared("s", [.int8(7)]).int64(0, 0) == 7)
    #expect(throws: PostgresError.self) { try connection.prepare(name: "s", sql: "SELECT 2") }
  }

  @Test func aRepeatedStatementIsPlannedOnceAndGivesWhatItsParametersAskFor() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8 PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 100)")
    for x in Int64(1)...20 {
      #expect(try connection.repeatedQuery("SELECT x + 1 FROM t WHERE x = $1", [.int8(x)]).int64(0, 0) == x + 1)
    }
    let kept = try connection.query("SELECT generic_plans, custom_plans FROM pg_prepared_statements")
    #expect(try kept.rowCount == 1 && kept.int64(0, 0) > 0 && kept.int64(0, 0) + kept.int64(0, 1) == 20)
    // A column more is no column that is read.
    try connection.execute("ALTER TABLE t ADD y int8; ANALYZE t")
    #expect(try connection.repeatedQuery("SELECT x + 1 FROM t WHERE x = $1", [.int8(7)]).int64(0, 0) == 8)
  }

  @Test func whatCanNotBeKeptIsAskedAllTheSame() throws {
    let connection = try freshConnection()
    for number in Int64(0)..<70 {
      #expect(try connection.repeatedQuery("SELECT \(number) + $1", [.int8(1)]).int64(0, 0) == number + 1)
      #expect(try connection.repeatedQuery("SELECT \(number) + $1", [.int8(2)]).int64(0, 0) == number + 2)
    }
    #expect(try connection.query("SELECT count(*) FROM pg_prepared_statements").int64(0, 0) == 64)
    #expect(try connection.repeatedQuery("SELECT 0 + $1", [.float8(0.5)]).double(0, 0) == 0.5)
    #expect(throws: PostgresError.self) { try connection.repeatedQuery("SELECT 1 +") }
    #expect(try connection.repeatedQuery("SELECT 0 + $1", [.int8(5)]).int64(0, 0) == 5)
  }

  @Test func errorsNameTheCauseAndNeverTheValues() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (name text PRIMARY KEY)")
    try connection.query("INSERT INTO t VALUES ($1)", [.text("secret")])
    let statements: [(String, state: String)] = [
      ("INSERT INTO t VALUES ($1)", "23505"), ("SELECT $1::text::int8", "22P02"),
      ("SELECT $1::text::timestamptz", "22007"), ("SELECT $1::text::json", "22P02"),
    ]
    for (sql, state) in statements {
      let error = try #require(postgresError { try connection.query(sql, [.text("secret")]) })
      #expect(error.sqlState == state && error.kind == .server)
      #expect(!error.description.contains("secret"))
    }
    let log = try String(
      cString: [UInt8](readFile(TemporaryCluster.shared().directory + "/postgres.log")) + [0])
    #expect(!log.contains("secret"))
  }

  @Test func passwordsStayOutOfErrorsAndDescriptions() throws {
    let url = "postgresql://ann:hush%40@127.0.0.1:1/x?connect_timeout=2"
    let configuration = try ConnectionConfiguration(url: url)
    #expect(!"\(configuration)".contains("hush") && !String(reflecting: configuration).contains("hush"))
    var dumped = ""
    dump(configuration, to: &dumped)
    #expect(!dumped.contains("hush"))
    let refused = try #require(postgresError { _ = try Connection(configuration) })
    #expect(refused.kind == .connection && refused.isRetriable && !refused.message.contains("hush"))
    for bad in ["postgresql://ann:hush@@host/x", "postgresql://ann:hush%zz@host/x", "postgres//ann:hush@host"] {
      let error = try #require(postgresError { _ = try ConnectionConfiguration(url: bad) })
      #expect(error.kind == .configuration && !error.message.contains("hush"))
    }
  }

  @Test func sessionSettingsAreSentWithTheConnection() throws {
    var configuration = try TemporaryCluster.shared().configuration
    configuration.options = ["search_path": "\"a b\", public", "statement_timeout": "1234ms"]
    configuration.applicationName = "settings test"
    let connection = try Connection(configuration)
    #expect(try connection.execute("SHOW search_path").string(0, 0) == "\"a b\", public")
    #expect(try connection.execute("SHOW statement_timeout").string(0, 0) == "1234ms")
    #expect(try connection.execute("SHOW application_name").string(0, 0) == "settings test")
  }

  @Test func cancelStopsTheRunningStatement() throws {
    let connection = try freshConnection()
    let (handle, backend) = (connection.cancelHandle, connection.backendProcessID)
    let configuration = try TemporaryCluster.shared().configuration
    let canceller = DedicatedThread("canceller") {
      let isBusy = try? eventually {
        try Connection(configuration).query(
          "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND query LIKE '%pg_sleep%'",
          [.int4(backend)]
        ).rowCount == 1
      }
      #expect(isBusy == true && handle.cancel())
    }
    let error = try #require(postgresError { try connection.query("SELECT pg_sleep(60)") })
    canceller.join()
    #expect(error.kind == .cancelled && error.sqlState == "57014" && !error.isConnectionLost)
    #expect(try connection.query("SELECT 1").int64(0, 0) == 1)
  }

  @Test func theServersStatementTimeoutIsATimeout() throws {
    let connection = try freshConnection()
    try connection.execute("SET statement_timeout = 20")
    #expect(postgresError { try connection.query("SELECT pg_sleep(60)") }?.kind == .timeout)
  }

  @Test func aStreamCanBeLeftEarly() throws {
    struct Enough: Error {}
    let connection = try freshConnection()
    var seen = 0
    #expect(throws: Enough.self) {
      try connection.streamRows("SELECT generate_series(1, 100000000)") { _ in
        seen += 1
        if seen == 10 { throw Enough() }
      }
    }
    #expect(seen == 10)
    #expect(try connection.query("SELECT 1").int64(0, 0) == 1)
    #expect(postgresError { try connection.streamRows("SELECT 1/0") { _ in } }?.sqlState == "22012")
  }

  @Test func aTerminatedSessionIsNoticedWithoutAsking() throws {
    let connection = try freshConnection()
    #expect(connection.isConnected)
    let other = try Connection(TemporaryCluster.shared().configuration)
    try other.query("SELECT pg_terminate_backend($1)", [.int4(connection.backendProcessID)])
    #expect(eventually { !connection.isConnected })
    let error = try #require(postgresError { try connection.query("SELECT 1") })
    #expect(error.isConnectionLost)
  }

  @Test func aClosedConnectionAnswersWithAnError() throws {
    let connection = try freshConnection()
    connection.close()
    connection.close()
    #expect(!connection.isConnected && connection.transactionStatus == .unknown)
    #expect(postgresError { try connection.execute("SELECT 1") }?.isConnectionLost == true)
  }
}

/// The whole of a small file.
func readFile(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = read(descriptor, &bytes, bytes.count)
  return Array(bytes.prefix(max(0, count)))
}
