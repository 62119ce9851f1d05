import Domain
import Postgres
import RPCRuntime
import ServiceAPI
import Synchronization
import Testing
import TestSupport
import WireCodec

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

/// The stream of an inbox.
struct WatchNotificationsTests {
  /// What one stream received, and where it would resume.
  private struct Seen {
    var devices: [Int64] = []
    var subjects: [String] = []
    var cursor = ""
  }

  /// Follows until as many notifications have come as wanted.
  private func watch(
    _ rig: ServiceRig, _ caller: Metadata, from cursor: String, count: Int, began: () async throws -> Void = {}
  ) async throws -> Seen {
    var seen = Seen(cursor: cursor)
    let stream = try await rig.notifications.watchNotifications(
      .init(cursor: cursor), metadata: caller, deadline: .seconds(60))
    var isFirst = true
    for try await frame in stream {
      seen.cursor = frame.cursor
      if let notification = frame.notification {
        seen.devices.append(notification.deviceID)
        seen.subjects.append(notification.subject)
      }
      if isFirst { try await began() }
      isFirst = false
      if seen.devices.count == count { break }
    }
    return seen
  }

  private func tell(_ connection: Connection, _ account: AccountID, device: Int64) throws {
    _ = try connection.query("SELECT add_notification($1, 2::smallint, NULL, $2)", [.int8(account), .int8(device)])
  }

  @Test func beginsNowAndHearsOfWhatIsToldAfterwards() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      let caller = try await rig.token(for: person)
      let connection = try rig.connection()
      try tell(connection, person, device: 1)
      let seen = try await watch(rig, caller, from: "", count: 2) {
        try tell(connection, person, device: 2)
        try tell(connection, try rig.makeAccount(), device: 99)
        try tell(connection, person, device: 3)
      }
      #expect(seen.devices == [2, 3])
    }
  }

  @Test func namesTheThirdPartyAsItCallsItselfNow() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      let request = try rig.makeRequest(by: try rig.makeAccount(kind: "third_party", name: "Dr. Rossi"), to: person)
      let seen = try await watch(rig, try await rig.token(for: person), from: "", count: 1) {
        try rig.tell(person, 3, request: request)
      }
      #expect(seen.subjects == ["Dr. Rossi asks for access to your readings"])
    }
  }

  @Test func aCommitThatComesLateIsNotLostAndComesOnce() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      let caller = try await rig.token(for: person)
      let slow = try rig.connection()
      let fast = try rig.connection()
      let start = try await watch(rig, caller, from: "", count: 0)
      _ = try slow.execute("BEGIN")
      try tell(slow, person, device: 1)
      try tell(fast, person, device: 2)
      let first = try await watch(rig, caller, from: start.cursor, count: 1)
      #expect(first.devices == [2])
      _ = try slow.execute("COMMIT")
      let second = try await watch(rig, caller, from: first.cursor, count: 1)
      #expect(second.devices == [1])
      try tell(fast, person, device: 3)
      #expect(try await watch(rig, caller, from: second.cursor, count: 1).devices == [3])
      #expect(try await watch(rig, caller, from: start.cursor, count: 3).devices == [2, 1, 3])
    }
  }

  @Test func resumesWithNoGapAndNoDuplicateWhileManyCommitInAnyOrder() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      let caller = try await rig.token(for: person)
      let start = try await watch(rig, caller, from: "", count: 0)
      let (writers, each) = (6, 40)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<writers {
          group.addTask {
            let connection = try rig.connection()
            for turn in 0..<each {
              _ = try connection.execute("BEGIN")
              try tell(connection, person, device: Int64(writer * each + turn + 1))
              try await Task.sleep(for: .microseconds(Int.random(in: 0...3_000)))
              _ = try connection.execute(turn % 10 == 9 ? "ROLLBACK" : "COMMIT")
            }
          }
        }
        group.addTask {
          let wanted = writers * each * 9 / 10
          var seen = start
          var all: [Int64] = []
          while all.count < wanted {
            seen = try await watch(rig, caller, from: seen.cursor, count: min(7, wanted - all.count))
            all += seen.devices
          }
          #expect(Set(all).count == wanted)
          #expect(all.allSatisfy { ($0 - 1) % Int64(each) % 10 != 9 })
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func aSilentStreamBeatsAndADrainingServerEndsIt() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      let stream = try await rig.notifications.watchNotifications(
        .init(), metadata: try await rig.token(for: person), deadline: .seconds(60))
      var frames = 0
      var beating: Task<Void, Never>?
      let end = await status {
        for try await frame in stream {
          #expect(frame.notification == nil)
          frames += 1
          if frames == 1 {
            // The stream waits after its first frame; then the beat finds it.
            try await eventually { rig.house.streams.count == 1 }
            beating = Task {
              while (try? await Task.sleep(for: .milliseconds(5))) != nil { rig.house.beat(ifWaitingSince: .now) }
            }
          } else {
            beating?.cancel()
            rig.house.drain()
          }
        }
      }
      #expect(end?.code == .unavailable)
      #expect(end?.errorInfo?.reason == "SHUTTING_DOWN")
    }
  }

  @Test func aHeartbeatNeedsNoDatabase() async throws {
    let cluster = try TemporaryCluster()
    defer { cluster.stop() }
    try await withServer(cluster: cluster) { rig in
      let person = try rig.makeAccount()
      let stream = try await rig.notifications.watchNotifications(
        .init(), metadata: try await rig.token(for: person), deadline: .seconds(60))
      let first = try await stream.next()
      // What the first look of the board wakes the stream for is looked for while the database is there.
      try await Task.sleep(for: .milliseconds(300))
      cluster.cluster.stop(timeout: .seconds(5))
      let beating = Task {
        while (try? await Task.sleep(for: .milliseconds(5))) != nil { rig.house.beat(ifWaitingSince: .now) }
      }
      #expect(try await stream.next() == first)
      beating.cancel()
      stream.cancel()
      _ = try cluster.cluster.start()
    }
  }

  @Test(arguments: ["x", "1.", "1.-1", "2.0", "1.zzzzzzzzzzz"]) func refusesACursorThatItDidNotGive(_ cursor: String)
    async throws
  {
    try await withServer("cursor_\(cursor.utf8.count)_\(cursor.utf8.last ?? 0)") { rig in
      let caller = try await rig.token(for: try rig.makeAccount())
      #expect(await fields { _ = try await watch(rig, caller, from: cursor, count: 1) } == ["cursor"])
    }
  }
}
