import Postgres
import Testing

@Suite struct RigTests {
  @Test func aTestsDatabaseIsGoneWithIt() async throws {
    var database: ConnectionConfiguration?
    try await withStorage { database = $0.database }
    let gone = try #require(database)
    #expect(throws: PostgresError.self) { try Connection(gone) }
  }
}
