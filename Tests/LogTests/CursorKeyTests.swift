import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

@Suite("The key of cursors") struct CursorKeyTests {
  @Test("is made once, so that cursors survive restarts and are read by every server of a database")
  func isMadeOnce() async throws {
    let database = try TemporaryCluster.shared().preparedDatabase(#function, StorageSystem.migrate)
    var keys: [[UInt8]] = []
    for _ in 0..<2 { try await withStorage(on: database) { keys.append($0.storage.cursorKey) } }
    #expect(keys[0] == keys[1])
    #expect(keys[0].count == 32)
  }

  @Test("is another one in each database")
  func isRandom() async throws {
    try await withStorage { rig in
      let connection = try rig.connection()
      try connection.execute("DROP TABLE cursor_key")
      try connection.execute(CursorKeySQL.schema)
      let key = try connection.query("SELECT key FROM cursor_key", []).bytes(0, 0)
      #expect(key.count == 32)
      #expect(key != rig.storage.cursorKey)
    }
  }
}
