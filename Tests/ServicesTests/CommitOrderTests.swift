import Domain
import Synchronization
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

/// Who hears of a commit before whom.
struct CommitOrderTests {
  @Test func observersOfAServerHaveTheirStages() async throws {
    try await withServer { rig in
      let observers = rig.storage.tail.observers
      #expect(observers.map { "\(type(of: $0))" } == ["DeliveryHub", "EntryWatch", "NotificationBoard"])
      #expect(observers.map(\.stage) == CommitStage.allCases)
    }
  }

  @Test func aStreamIsWokenForWhatTheHeadOfTheHubCovers() {
    let tail = LogTail(head: 0, compacted: 0)
    let streams = Board<LogTopic>()
    let heads = Mutex<[LogPosition]>([])
    let hub = Mutex<DeliveryHub?>(nil)
    // Added before the hub, and called after it all the same.
    _ = tail.observe(
      Probe { position in heads.withLock { $0.append(hub.withLock { $0?.head } ?? 0) } })
    hub.withLock { $0 = DeliveryHub(tail: tail, streams: streams) }
    for position in 1...3 as ClosedRange<LogPosition> {
      tail.append([CommittedRow(position: position, columns: ReadingColumns())])
    }
    #expect(heads.withLock { $0 } == [1, 2, 3])
  }
}

/// Looks where the streams of entries are woken.
private struct Probe: CommitObserver {
  let stage = CommitStage.entries
  let look: @Sendable (LogPosition) -> Void
  func committed(_ rows: [CommittedRow]) { for row in rows { look(row.position) } }
}
