import Postgres
import Synchronization
import Testing

@Suite struct MigrationTests {
  private let steps = [
    Migration(number: 2, name: "fill", sql: "INSERT INTO a VALUES (1); INSERT INTO a VALUES (2)"),
    Migration(number: 1, name: "create", sql: "CREATE TABLE a (x int)"),
  ]

  @Test func stepsRunOnceInTheOrderOfTheirNumbers() throws {
    let connection = try freshConnection()
    #expect(try Migrations(steps).apply(connection) == [1, 2])
    #expect(try Migrations(steps).apply(connection) == [])
    #expect(try connection.query("SELECT count(*) FROM a").int64(0, 0) == 2)
    let more = steps + [Migration(number: 3, name: "more", sql: "INSERT INTO a VALUES (3)")]
    #expect(try Migrations(more).apply(connection) == [3])
  }

  @Test func functionsAreWrittenAnewEachTimeAndAfterTheSteps() throws {
    let connection = try freshConnection()
    for answer in [1, 2] {
      let function = "CREATE OR REPLACE FUNCTION f(r a) RETURNS integer LANGUAGE sql AS $$ SELECT \(answer) $$"
      try Migrations(steps, functions: [function]).apply(connection)
      #expect(try connection.query("SELECT f(a) FROM a LIMIT 1").int32(0, 0) == Int32(answer))
    }
  }

  @Test func racingMigratorsApplyEachStepOnce() async throws {
    let database = try TemporaryCluster.shared().freshDatabase()
    let steps = (1...20).map { Migration(number: $0, name: "s\($0)", sql: "CREATE TABLE t\($0) (x int)") }
    let applied = try await withThrowingTaskGroup(of: Int.self) { group in
      let functions = ["CREATE OR REPLACE FUNCTION f() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$"]
      for _ in 0..<4 {
        group.addTask { try Migrations(steps, functions: functions).apply(Connection(database)).count }
      }
      return try await group.reduce(0, +)
    }
    #expect(applied == 20)
  }

  @Test func aStepChangedAfterItRanIsRefused() throws {
    let connection = try freshConnection()
    try Migrations(steps).apply(connection)
    let changed = [steps[0], Migration(number: 1, name: "create", sql: "CREATE TABLE a (x bigint)")]
    let error = try #require(postgresError { try Migrations(changed).apply(connection) })
    #expect(error.kind == .migration && error.message.contains("changed"))
  }

  @Test func aDatabaseOfANewerProgramIsRefused() throws {
    let connection = try freshConnection()
    try Migrations(steps).apply(connection)
    let error = try #require(postgresError { try Migrations([steps[1]]).apply(connection) })
    #expect(error.kind == .migration && error.message.contains("newer"))
  }

  @Test func aStepAddedBeforeAnAppliedOneIsRefused() throws {
    let connection = try freshConnection()
    try Migrations([steps[0], Migration(number: 0, name: "x", sql: "CREATE TABLE a (x int)")]).apply(connection)
    let late = [steps[0], steps[1], Migration(number: 0, name: "x", sql: "CREATE TABLE a (x int)")]
    #expect(postgresError { try Migrations(late).apply(connection) }?.kind == .migration)
  }

  @Test func aFailingStepIsUndoneAndLeavesTheEarlierOnes() throws {
    let connection = try freshConnection()
    let bad = Migration(number: 3, name: "bad", sql: "CREATE TABLE b (x int); SELECT no_such_function()")
    let error = try #require(postgresError { try Migrations(steps + [bad]).apply(connection) })
    #expect(error.message.contains("migration 3 (bad)") && error.sqlState == "42883")
    #expect(try connection.query("SELECT to_regclass('a') IS NOT NULL, to_regclass('b') IS NULL").bool(0, 1))
    #expect(try connection.query("SELECT max(number) FROM schema_migration").int64(0, 0) == 2)
    #expect(connection.transactionStatus == .idle)
  }

  @Test func aStepThatCommitsByItselfIsRefused() throws {
    let connection = try freshConnection()
    let bad = Migration(number: 1, name: "bad", sql: "CREATE TABLE b (x int); COMMIT")
    #expect(postgresError { try Migrations([bad]).apply(connection) }?.kind == .migration)
  }

  @Test func twoStepsWithOneNumberAreRefused() {
    #expect(throws: PostgresError.self) { try Migrations([steps[0], steps[0]]) }
  }
}
