import Postgres
import Testing

@Suite struct PipelineTests {
  @Test func resultsComeBackInOrder() throws {
    let connection = try freshConnection()
    try connection.prepare(name: "double", sql: "SELECT 2 * $1", types: [TypeOID.int8])
    let results = try connection.pipeline { pipeline in
      for value in 0..<200 {
        if value % 2 == 0 {
          try pipeline.append("SELECT 2 * $1", [.int8(Int64(value))])
        } else {
          try pipeline.append(prepared: "double", [.int8(Int64(value))])
        }
      }
      #expect(pipeline.count == 200)
    }
    #expect(try results.map { try $0.int64(0, 0) } == (0..<200).map { Int64(2 * $0) })
  }

  @Test func anEmptyPipelineIsHarmless() throws {
    let connection = try freshConnection()
    #expect(try connection.pipeline { _ in }.isEmpty)
    #expect(try connection.query("SELECT 1").int64(0, 0) == 1)
  }

  @Test func oneFailingStatementUndoesAllAndIsTheErrorThrown() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8 CONSTRAINT t_is_keyed PRIMARY KEY)")
    let error = try #require(
      postgresError {
        try connection.pipeline { pipeline in
          for value: Int64 in [1, 2, 2, 3] { try pipeline.append("INSERT INTO t VALUES ($1)", [.int8(value)]) }
        }
      })
    #expect(error.sqlState == "23505" && error.constraint == "t_is_keyed")
    #expect(connection.transactionStatus == .idle)
    #expect(try connection.query("SELECT count(*) FROM t").int64(0, 0) == 0)
  }

  @Test func aConstraintThatFailsAtCommitIsThrown() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    let error = postgresError {
      try connection.pipeline { pipeline in
        for _ in 0..<2 { try pipeline.append("INSERT INTO t VALUES (1)") }
      }
    }
    #expect(error?.sqlState == "23505")
    #expect(try connection.query("SELECT count(*) FROM t").int64(0, 0) == 0)
  }

  @Test func aBuilderThatThrowsUndoesWhatItAppended() throws {
    struct Unwilling: Error {}
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8)")
    #expect(throws: Unwilling.self) {
      try connection.pipeline { pipeline in
        try pipeline.append("INSERT INTO t VALUES (1)")
        throw Unwilling()
      }
    }
    #expect(try connection.query("SELECT count(*) FROM t").int64(0, 0) == 0)
    #expect(connection.transactionStatus == .idle)
  }

  @Test func insideATransactionItIsPartOfIt() throws {
    let connection = try freshConnection()
    try connection.execute("CREATE TABLE t (x int8)")
    try connection.execute("BEGIN")
    try connection.pipeline { try $0.append("INSERT INTO t VALUES (1)") }
    #expect(connection.transactionStatus == .inTransaction)
    try connection.execute("ROLLBACK")
    #expect(try connection.query("SELECT count(*) FROM t").int64(0, 0) == 0)
  }

  @Test func aServerThatGoesAwayInTheMiddleIsALostConnection() throws {
    let connection = try freshConnection()
    let error = try #require(
      postgresError {
        try connection.pipeline { pipeline in
          try pipeline.append("SELECT pg_terminate_backend(pg_backend_pid())")
          try pipeline.append("SELECT 1")
        }
      })
    #expect(error.isConnectionLost && error.isRetriable)
    #expect(!connection.isConnected)
    #expect(postgresError { try connection.query("SELECT 1") }?.isConnectionLost == true)
  }
}
