import Domain
import Testing

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// Anybody who may push can leave acknowledgements unread: what the server keeps for one stream is bounded. While the log
/// is known to have stalled, a batch that finds no room is told so; otherwise it would wait.
@Suite(.timeLimit(.minutes(5))) struct PendingAcknowledgementsTests {
  private func batch(rejections: Int = 0) -> PendingAcknowledgements.Batch {
    let rejection = Rejection(index: 0, reason: .notANumber, field: "value")
    return .init(sequence: 1, accepted: 1, rejections: Array(repeating: rejection, count: rejections))
  }

  /// How many batches find room, of 20,000.
  private func fill(_ pending: PendingAcknowledgements) async throws -> Int {
    pending.stall()
    for count in 0..<20_000 where try await pending.add(batch()) == .stalled { return count }
    return 20_000
  }

  @Test func aStreamHasSoManyBatchesUnacknowledgedAndNoMore() async throws {
    let pending = PendingAcknowledgements()
    #expect(try await fill(pending) == 8_192)
    // Those that are committed count until the client has been told.
    pending.committed(.init(position: 1, batches: 8_000))
    #expect(try await fill(pending) == 0)
    guard case .committed(let told) = pending.take() else {
      Issue.record("nothing to tell")
      return
    }
    #expect(told.count == 8_000)
    #expect(try await fill(pending) == 8_000)
  }

  @Test func rejectionsThatAreNotReportedAreBoundedAsWell() async throws {
    let pending = PendingAcknowledgements()
    #expect(try await pending.add(batch(rejections: 99_999)) == .added)
    #expect(try await pending.add(batch(rejections: 1)) == .added)
    #expect(try await fill(pending) == 0)
    pending.committed(.init(position: 1, batches: 1))
    _ = pending.take()
    #expect(try await fill(pending) == 8_191)
  }
}
