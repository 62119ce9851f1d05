import Domain
import Outbound
import Postgres
import Synchronization
import Testing
import TestSupport

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

/// The queue of mails and its senders, on a real PostgreSQL.
struct MailSenderTests {
  /// A server of mail that answers as the test says.
  private final class Post: MailTransport {
    let taken = Mutex<[String]>([])
    let texts = Mutex<[String]>([])
    let attempts = Mutex<[String: Int]>([:])
    private let answer: @Sendable (_ attempt: Int) async throws(SMTPError) -> Void

    init(_ answer: @escaping @Sendable (_ attempt: Int) async throws(SMTPError) -> Void = { _ throws(SMTPError) in }) {
      self.answer = answer
    }

    func send(
      _ message: [UInt8], id: String, from sender: String, to recipient: String
    ) async throws(SMTPError) {
      let attempt = attempts.withLock { attempts in
        attempts[id, default: 0] += 1
        return attempts[id]!
      }
      try await answer(attempt)
      taken.withLock { $0.append(id) }
      texts.withLock { $0.append(String(decoding: message, as: UTF8.self)) }
    }
  }

  private func policy() -> MailPolicy {
    var policy = MailPolicy()
    policy.firstRetrySeconds = 0
    policy.interval = .milliseconds(20)
    return policy
  }

  /// Runs senders for the length of `body`.
  private func sending(
    _ rig: ServiceRig, _ posts: [Post], policy: MailPolicy, isAlone: Bool = false,
    _ body: () async throws -> Void
  ) async throws {
    let log = Events()
    let senders = posts.map {
      MailSender(
        queue: rig.storage.mail, notices: rig.house[NotificationsArea.self].notices, transport: $0,
        sender: "trackme@b.example", policy: policy, isAlone: isAlone,
        report: log.add)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in senders { group.addTask { await sender.run() } }
      defer { for sender in senders { sender.stop() } }
      try await body()
    }
    for event in log.all { #expect(!"\(event)".contains("@")) }
  }

  private final class Events: Sendable {
    private let events = Mutex<[MailEvent]>([])
    var all: [MailEvent] { events.withLock { $0 } }
    @Sendable func add(_ event: MailEvent) { events.withLock { $0.append(event) } }
  }

  private func states(_ rig: ServiceRig) throws -> [String] {
    let rows = try rig.connection().query("SELECT state FROM email_queue ORDER BY id", [])
    return try (0..<rows.rowCount).map { try rows.string($0, 0) }
  }

  @Test func mailIsForAccountsWithAnAddressAndKindsThatNeedIt() async throws {
    try await withServer { rig in
      let account = try rig.makeAccount(email: "a@b.example")
      let silent = try rig.makeAccount()
      for kind in Int16(0)...27 {
        try rig.tell(account, kind)
        try rig.tell(silent, kind)
      }
      let rows = try rig.connection().query(
        "SELECT account, kind::integer FROM email_queue WHERE address = 'a@b.example' ORDER BY kind", [])
      #expect(try (0..<rows.rowCount).map { try rows.int32($0, 1) } == Array(1...7) + Array(9...26))
      #expect(try (0..<rows.rowCount).allSatisfy { try rows.int64($0, 0) == account })
      #expect(try states(rig).count == 25)
    }
  }

  @Test func aMailNamesTheThirdPartyAsItCallsItselfNow() async throws {
    try await withServer { rig in
      let person = try rig.makeAccount(email: "a@b.example")
      let doctor = try rig.makeAccount(kind: "third_party", name: "Old name")
      try rig.tell(person, 3, request: try rig.makeRequest(by: doctor, to: person))
      _ = try rig.connection().query("UPDATE account SET display_name = 'Dr. Rossi' WHERE id = $1", [.int8(doctor)])
      let post = Post()
      try await sending(rig, [post], policy: policy()) {
        try await eventually { post.texts.withLock { !$0.isEmpty } }
      }
      let texts = post.texts.withLock { $0 }
      #expect(texts.count == 1 && texts[0].contains("\r\nDr. Rossi asks for access to some of your readings: request "))
    }
  }

  @Test func manySendersSendEachMailOnce() async throws {
    try await withServer { rig in
      let account = try rig.makeAccount(email: "a@b.example")
      _ = try rig.connection().query(
        "SELECT add_notification($1, 2::smallint, NULL, i) FROM generate_series(1, 200) i", [.int8(account)])
      let posts = [Post(), Post(), Post()]
      try await sending(rig, posts, policy: policy()) {
        try await eventually { try states(rig).allSatisfy { $0 == "sent" } }
      }
      let taken = posts.flatMap { $0.taken.withLock { $0 } }
      #expect(taken.count == 200 && Set(taken).count == 200)
    }
  }

  @Test func whatWasNotTakenIsTriedAgainUnderTheSameID() async throws {
    try await withServer { rig in
      try rig.tell(try rig.makeAccount(email: "a@b.example"), 1)
      let post = Post { attempt throws(SMTPError) in
        if attempt < 3 { throw .refused(isPermanent: false, reply: 451, problem: "later") }
      }
      try await sending(rig, [post], policy: policy()) { try await eventually { try states(rig) == ["sent"] } }
      #expect(post.attempts.withLock { $0.values.sorted() } == [3])
    }
  }

  @Test func aRetryWaitsLongerEachTime() async throws {
    try await withServer { rig in
      try rig.tell(try rig.makeAccount(email: "a@b.example"), 1)
      _ = try rig.connection().query("UPDATE email_queue SET attempts = 3", [])
      var policy = policy()
      policy.firstRetrySeconds = 10
      let post = Post { _ throws(SMTPError) in throw .refused(isPermanent: false, reply: 0, problem: "gone") }
      try await sending(rig, [post], policy: policy) {
        try await eventually { try states(rig) == ["queued"] && post.attempts.withLock { !$0.isEmpty } }
      }
      let wait = try rig.connection().query(
        "SELECT round(extract(epoch FROM next_attempt_at - changed_at))::bigint FROM email_queue", [])
      #expect(try wait.int64(0, 0) == 80)
    }
  }

  @Test func anUnknownOutcomeAndALastingRefusalAreNotTriedAgain() async throws {
    try await withServer { rig in
      let account = try rig.makeAccount(email: "a@b.example")
      try rig.tell(account, 1)
      let unknown = Post { _ throws(SMTPError) in throw .outcomeUnknown(problem: "gone") }
      try await sending(rig, [unknown], policy: policy()) {
        try await eventually { try states(rig) == ["uncertain"] }
      }
      try rig.tell(account, 1)
      let refusal = Post { _ throws(SMTPError) in throw .refused(isPermanent: true, reply: 550, problem: "no") }
      try await sending(rig, [refusal], policy: policy()) {
        try await eventually { try states(rig) == ["uncertain", "failed"] }
      }
      let post = Post()
      try rig.tell(account, 2)
      try await sending(rig, [post], policy: policy(), isAlone: true) {
        try await eventually { try states(rig) == ["uncertain", "failed", "sent"] }
      }
      #expect(post.taken.withLock(\.count) == 1)
    }
  }

  @Test func aMailWhoseTakerIsLostIsUncertain() async throws {
    try await withServer { rig in
      try rig.tell(try rig.makeAccount(email: "a@b.example"), 1)
      #expect(try await rig.storage.mail.take() != nil)
      #expect(try await rig.storage.mail.take() == nil)
      #expect(try await rig.storage.mail.giveUp(after: 300) == 0)
      #expect(try states(rig) == ["sending"])
      let post = Post()
      try await sending(rig, [post], policy: policy(), isAlone: true) {
        try await eventually { try states(rig) == ["uncertain"] }
      }
      #expect(post.taken.withLock(\.count) == 0)
    }
  }

  @Test func whoIsErasedHasNoMailLeftOnceNoneIsUnderWay() async throws {
    try await withServer { rig in
      let account = try rig.makeAccount(email: "a@b.example")
      for _ in 0..<2 { try rig.tell(account, 1) }
      try rig.tell(try rig.makeAccount(email: "c@d.example"), 1)
      let mail = try #require(try await rig.storage.mail.take())
      #expect(mail.account == account)
      #expect(try await !rig.storage.mail.drop(account))
      #expect(try states(rig) == ["sending", "queued"])
      try await rig.storage.mail.finish(mail.id, .sent)
      #expect(try await rig.storage.mail.drop(account))
      #expect(try states(rig) == ["queued"])
    }
  }

  @Test func anEndedMailIsForgottenAfterAWeek() async throws {
    try await withServer { rig in
      let account = try rig.makeAccount(email: "a@b.example")
      for _ in 0..<3 { try rig.tell(account, 9, facts: #"{"message": "x"}"#) }
      _ = try rig.connection().execute(
        """
        UPDATE email_queue SET state = 'sent', changed_at = now() - interval '8 days' WHERE id = 1;
        UPDATE email_queue SET state = 'sent', changed_at = now() - interval '6 days' WHERE id = 2;
        UPDATE email_queue SET state = 'sent', changed_at = now() - interval '91 days' WHERE id = 3;
        """)
      try await rig.storage.mail.forget()
      let rows = try rig.connection().query(
        "SELECT id, address IS NULL, facts = '{}' FROM email_queue ORDER BY id", [])
      #expect(try (0..<rows.rowCount).map { try rows.int64($0, 0) } == [1, 2])
      #expect(try rows.bool(0, 1) && rows.bool(0, 2))
      #expect(try !rows.bool(1, 1) && !rows.bool(1, 2))
    }
  }
}
