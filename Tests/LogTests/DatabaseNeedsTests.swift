import Postgres
import Testing

@testable import Log

@Suite("What a server needs of its database", .timeLimit(.minutes(5)))
struct DatabaseNeedsTests {
  @Test("It asks for the connections that it has")
  func count() {
    let pools = [
      StoragePools.urgentConnections, StoragePools.generalConnections, StoragePools.heavyConnections,
      StoragePools.briefConnections, StoragePools.upkeepConnections,
    ]
    #expect(DatabaseNeeds.connections == pools.reduce(0, +) + 4)
  }

  @Test("PostgreSQL itself gives all of it")
  func whole() async throws {
    try await withStorage { rig in try DatabaseNeeds(of: rig.database).check() }
  }

  @Test("A database with too few connections is named with how many it gave")
  func few() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      let role = "narrow_\(UInt32.random(in: 0 ... .max))"
      try connection.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 5")
      defer { _ = try? connection.execute("DROP ROLE \(role)") }
      let narrow = ConnectionConfiguration(
        socketDirectory: try #require(rig.database.host), port: try #require(Int(rig.database.port ?? "")), user: role,
        database: try #require(rig.database.database))
      let missing = #expect(throws: DatabaseNeeds.Missing.self) {
        try DatabaseNeeds(of: narrow, patience: .milliseconds(300)).check()
      }
      #expect(missing?.description.contains("it uses 20 connections, and got 5 ") == true)
    }
  }
}
