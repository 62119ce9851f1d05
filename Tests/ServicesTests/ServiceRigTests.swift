import Postgres
import Testing

@Suite struct ServiceRigTests {
  @Test func aTestsDatabaseIsGoneWithIt() async throws {
    var database: ConnectionConfiguration?
    try await withServer { database = $0.database }
    let gone = try #require(database)
    #expect(throws: PostgresError.self) { try Connection(gone) }
  }
}
