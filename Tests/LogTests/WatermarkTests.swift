import Domain
import Postgres
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// Minutes and hours that were shown are shown the same way for ever: whoever removes readings that were replaced knows
/// each watermark that could still show one of them.
@Suite(.timeLimit(.minutes(5))) struct WatermarkTests {
  private static let now: Microseconds = 1_700_000_000_000_000

  @Test func compactionWaitsForAWatermarkThatIsOnItsWay() async throws {
    try await withStorage { rig in
      try await rig.commit([.scalars([(1, 1)])])
      let reader = try rig.connection()
      _ = try reader.execute("BEGIN")
      let made = try WatermarkRows.advance(reader, at: Self.now, covering: 1)
      let head = rig.tail.head
      async let settled = rig.pool.withConnection { connection in
        try connection.inTransaction { try WatermarkRows.settled($0, between: 0, and: head + 1) }
      }
      let beside = try rig.connection()
      try await eventually {
        try beside.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").rowCount > 0
      }
      _ = try reader.execute("COMMIT")
      #expect(try await settled == Watermarks([made]))
    }
  }
}
