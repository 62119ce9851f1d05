import Domain
import Postgres
import RPCRuntime
import ServiceAPI
import Testing
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

/// The inbox over the wire.
struct NotificationTests {
  @Test func listsNewestFirstInPagesAndCountsWhatIsUnread() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      let caller = try await rig.token(for: person)
      for kind: Int16 in [1, 2, 10] { try rig.tell(person, kind) }
      let first = try await rig.notifications.listNotifications(.init(pageSize: 2), metadata: caller)
      #expect(first.notifications.map(\.kind) == [.passwordChanged, .deviceAdded])
      #expect(first.unreadCount == 3)
      let second = try await rig.notifications.listNotifications(
        .init(pageSize: 2, pageToken: first.nextPageToken), metadata: caller)
      #expect(second.notifications.map(\.kind) == [.registered])
      #expect(second.nextPageToken.isEmpty)
      #expect(second.notifications.allSatisfy { !$0.subject.isEmpty && !$0.text.isEmpty && !$0.isRead })
      #expect(second.notifications.map(\.subjectItalian) == ["Ti diamo il benvenuto su TrackMe"])
      #expect(second.notifications.map { $0.textItalian.contains("account TrackMe è pronto") } == [true])
      #expect(
        await fields {
          _ = try await rig.notifications.listNotifications(
            .init(unreadOnly: true, pageToken: first.nextPageToken), metadata: caller)
        } == ["page_token"])
    }
  }

  @Test func marksItsOwnAsReadAndNobodyElses() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      let other = try rig.makeAccount()
      for account in [person, person, other] { try rig.tell(account, 1) }
      let caller = try await rig.token(for: person)
      let otherCaller = try await rig.token(for: other)
      let mine = try await rig.notifications.listNotifications(.init(), metadata: caller).notifications
      let theirs = try await rig.notifications.listNotifications(.init(), metadata: otherCaller).notifications
      let ids = [mine[0].notificationID, mine[0].notificationID, theirs[0].notificationID, .max]
      #expect(try await rig.notifications.markRead(.init(notificationIDs: ids), metadata: caller).markedCount == 1)
      #expect(try await rig.notifications.markRead(.init(notificationIDs: ids), metadata: caller).markedCount == 0)
      let unread = try await rig.notifications.listNotifications(.init(unreadOnly: true), metadata: caller)
      #expect(unread.notifications.map(\.notificationID) == [mine[1].notificationID])
      #expect(unread.unreadCount == 1)
      #expect(try await rig.notifications.listNotifications(.init(), metadata: otherCaller).unreadCount == 1)
      #expect(
        await fields {
          _ = try await rig.notifications.markRead(.init(notificationIDs: [1, 0, -1]), metadata: caller)
        } == ["notification_ids[1]", "notification_ids[2]"])
      #expect(
        await fields {
          _ = try await rig.notifications.markRead(
            .init(notificationIDs: Array(repeating: 1, count: 1_001)), metadata: caller)
        } == ["notification_ids"])
    }
  }

  @Test func theOperatorAndNobodyHaveNoInbox() async throws {
    try await withServer { rig in
      for (metadata, code) in [(ServiceRig.asOperator, RPCCode.permissionDenied), ([:], .unauthenticated)] {
        #expect(
          await status { _ = try await rig.notifications.listNotifications(.init(), metadata: metadata) }?.code == code)
        #expect(await status { _ = try await rig.notifications.markRead(.init(), metadata: metadata) }?.code == code)
        #expect(
          await status {
            for try await _ in try await rig.notifications.watchNotifications(.init(), metadata: metadata) {}
          }?.code == code)
      }
    }
  }

  @Test func anInboxKeepsTheNewestThousand() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      let other = try rig.makeAccount()
      try rig.tell(other, 1)
      _ = try rig.connection().query(
        "SELECT add_notification($1, 2::smallint, NULL, i) FROM generate_series(1, 1200) i", [.int8(person)])
      _ = try await rig.storage.notifications.head()
      let rows = try rig.connection().query(
        "SELECT count(*), min(device), max(device) FROM notification WHERE account = $1", [.int8(person)])
      #expect(try [rows.int64(0, 0), rows.int64(0, 1), rows.int64(0, 2)] == [1_000, 201, 1_200])
      let left = try await rig.storage.notifications.list(of: other, unreadOnly: false, before: .max, limit: 10)
      #expect(left.entries.count == 1)
    }
  }

  @Test func namesTheThirdPartyAsItCallsItselfNow() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount(name: "Anna Bianchi")
      let doctor = try rig.makeAccount(kind: "third_party", name: "Old name")
      let request = try rig.makeRequest(by: doctor, to: person)
      try rig.tell(person, 3, request: request)
      try rig.tell(doctor, 4, request: request)
      _ = try rig.connection().query(
        "UPDATE account SET display_name = E'Dr. Rossi\\r\\nBcc: x@y' WHERE id = $1", [.int8(doctor)])
      let asked = try await rig.notifications.listNotifications(
        .init(), metadata: try await rig.token(for: person)
      ).notifications[0]
      #expect(asked.subject == "Dr. Rossi Bcc: x@y asks for access to your readings")
      #expect(asked.accessRequestID == request)
      let told = try await rig.storage.notifications.list(of: doctor, unreadOnly: false, before: .max, limit: 1)
      let text = words(of: told.entries[0].announcement).english
      #expect(text.subject == "Access request \(request) was accepted")
      #expect(!text.text.contains("Bianchi"))
    }
  }

  @Test(arguments: 0...14) func everyKindHasWords(_ kind: Int16) {
    for facts in [[:], ["name": "\u{202e}\n\u{0}", "message": "Line\nline\u{7}", "begins": "soon"]] {
      let words = words(of: .init(kind: kind, facts: facts))
      for text in [words.english, words.italian, words.mail] {
        #expect(!text.subject.isEmpty && !text.subject.contains("\n"))
        #expect(!text.text.isEmpty && !text.text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
      }
    }
  }
}
