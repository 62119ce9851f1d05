import Domain
import Postgres
import ServiceAPI
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

/// Kinds of notices, as areas add them.
@Suite struct NoticeTests {
  @Test func whetherANoticeIsMailedStandsWithTheNotice() async throws {
    try await withServer { rig in
      let notifications = rig.house[NotificationsArea.self]
      notifications.notices.add([
        Notice(901, isMailed: true) { _ in
          Notice.Words(english: ("Mailed", "By mail."), italian: ("Inviata", "Per e-mail."))
        },
        Notice(902, isMailed: false) { _ in
          Notice.Words(english: ("Not mailed", "In the inbox."), italian: ("Non inviata", "Tra le notifiche."))
        },
      ])
      try await notifications.begin()
      let person = try rig.makeAccount(email: "ada@b.example")
      for kind: Int16 in [901, 902] { try rig.tell(person, kind) }
      let mailed = try rig.connection().query(
        "SELECT kind::integer FROM email_queue WHERE account = $1", [.int8(person)])
      #expect(try (0..<mailed.rowCount).map { try mailed.int32($0, 0) } == [901])
      // Another server may say otherwise later.
      _ = try rig.connection().query("UPDATE notice_kind SET is_mailed = NOT is_mailed WHERE kind IN (901, 902)", [])
      try await notifications.begin()
      try rig.tell(person, 902)
      let later = try rig.connection().query("SELECT count(*) FROM email_queue WHERE account = $1", [.int8(person)])
      #expect(try later.int64(0, 0) == 1)
    }
  }

  @Test func aKindThatNoAreaHasIsStillShown() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount()
      try rig.tell(person, 903)
      let inbox = try await rig.notifications.listNotifications(.init(), metadata: try await rig.token(for: person))
      #expect(inbox.notifications.map(\.subject) == ["News from TrackMe"])
      #expect(inbox.notifications.map(\.subjectItalian) == ["Novità da TrackMe"])
    }
  }

  @Test func theKindsOfTheMigrationAreThoseOfTheNotices() async throws {
    try await withServer { rig in
      let rows = try rig.connection().query(
        "SELECT kind::integer FROM notice_kind WHERE is_mailed ORDER BY kind", [])
      let stored = try (0..<rows.rowCount).map { Int16(try rows.int32($0, 0)) }
      let notices = rig.house[NotificationsArea.self].notices.kinds
      #expect(stored == notices.filter(\.isMailed).map(\.kind).sorted())
    }
  }
}
