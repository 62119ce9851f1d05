import Domain
import Emergencies
import Outbound
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

/// Somebody whom a person names is asked, and answers without an account.
@Suite(.timeLimit(.minutes(5))) struct ContactTests {
  /// A gateway that keeps what it is sent.
  private final class Inbox: Gateway {
    private let state = Mutex<(outcome: DeliveryOutcome, sent: [GatewayMessage])>((.taken, []))

    func answer(_ outcome: DeliveryOutcome) { state.withLock { $0.outcome = outcome } }
    var sent: [GatewayMessage] { state.withLock(\.sent) }
    /// The code in the newest message.
    var code: String? { sent.last?.text.split(separator: "Your code: ").last.map { String($0.prefix(39)) } }

    func send(_ message: GatewayMessage, completion: @escaping @Sendable (DeliveryOutcome) -> Void) {
      completion(
        state.withLock { state in
          state.sent.append(message)
          return state.outcome
        })
    }
    func look(
      for sid: String, _ medium: GatewayMedium, completion: @escaping @Sendable (DeliveryOutcome) -> Void
    ) { completion(.taken) }
  }

  /// Mails as they are sent.
  private final class Post: MailTransport {
    private let taken = Mutex<[String]>([])
    var first: String? { taken.withLock(\.first) }

    func send(
      _ message: [UInt8], id: String, from sender: String, to recipient: String
    ) async throws(SMTPError) { taken.withLock { $0.append(String(decoding: message, as: UTF8.self)) } }
  }

  private let bea = Trackme_Sos_V1_EmergencyContact(name: "Bea", phoneNumber: "+393331234568", email: "bea@example.org")

  @Test("with the code of the SMS a contact agrees, and refuses for good")
  func answers() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let inbox = Inbox()
      let questions = ContactQuestions(store: rig.storage.contacts, gateway: inbox)
      _ = try await rig.update(caller) {
        $0.enabled = true; $0.contacts = [bea]
      }
      try await questions.round()
      try await questions.round()
      #expect(inbox.sent.map(\.to) == ["+393331234568"])
      #expect(inbox.sent[0].text.hasPrefix("TrackMe: Name has named this number"))
      let code = try #require(inbox.code)
      func listed() async throws -> Trackme_Sos_V1_ContactState? {
        try await rig.sosClient.getSosSettings(.init(), metadata: caller).settings?.contacts.first?.phoneState
      }
      #expect(try await listed() == .asked && rig.monitor[person]?.settings.contacts == [])
      let guess = String(repeating: "0", count: 32)
      for call in [
        { _ = try await rig.sosClient.confirmContact(.init(code: guess)) },
        { _ = try await rig.sosClient.refuseContact(.init(code: guess)) },
      ] as [() async throws -> Void] {
        let status = await status(call)
        #expect(status?.code == .notFound && status?.errorInfo?.reason == "NO_CONTACT_CODE")
      }
      #expect(await fields { _ = try await rig.sosClient.confirmContact(.init(code: "guess")) } == ["code"])
      // As somebody types it.
      let typed = code.uppercased().replacing("-", with: " ")
      #expect(try await rig.sosClient.confirmContact(.init(code: typed)).personName == "Name")
      #expect(try await listed() == .confirmed)
      #expect(rig.monitor[person]?.settings.contacts.map(\.email) == [""])
      _ = try await rig.sosClient.refuseContact(.init(code: code))
      #expect(try await listed() == .refused && rig.monitor[person]?.settings.contacts == [])
      let late = await status { _ = try await rig.sosClient.confirmContact(.init(code: code)) }
      #expect(late?.code == .failedPrecondition && late?.errorInfo?.reason == "CONTACT_REFUSED")
    }
  }

  @Test("a mail asks with a code of its own, which nothing but the mail holds")
  func mail() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      _ = try await rig.update(caller) {
        $0.enabled = true; $0.contacts = [bea]
      }
      let inbox = Inbox()
      try await ContactQuestions(store: rig.storage.contacts, gateway: inbox).round()
      let post = Post()
      let sender = MailSender(
        queue: rig.storage.mail, notices: rig.house[NotificationsArea.self].notices, transport: post,
        sender: "trackme@b.example"
      ) { _ in }
      async let ended: Void = sender.run()
      try await eventually { post.first != nil }
      sender.stop()
      await ended
      let text = try #require(post.first)
      #expect(text.contains("To: <bea@example.org>") && text.contains("has named this address to be told"))
      #expect(text.contains("ha indicato questo indirizzo"))
      let lines = text.split(separator: "\r\n")
      let code = try #require(lines.first { $0.count == 39 && $0.contains("-") && !$0.contains(" ") })
      #expect(String(code) != inbox.code)
      let kept = try rig.connection().query(
        "SELECT string_agg(e::text, '') || (SELECT string_agg(c::text, '') FROM sos_contact_address c) FROM email_queue e"
      )
      #expect(try !kept.string(0, 0).contains(code) && !kept.string(0, 0).contains(code.filter { $0 != "-" }))
      #expect(try await rig.sosClient.confirmContact(.init(code: String(code))).personName == "Name")
      #expect(rig.monitor[person]?.settings.contacts.map(\.email) == ["bea@example.org"])
      #expect(rig.monitor[person]?.settings.contacts.first?.phone == nil)
    }
  }

  @Test("a gateway that can't be reached has asked nobody")
  func unreachable() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      let inbox = Inbox()
      inbox.answer(.failed("away"))
      let questions = ContactQuestions(store: rig.storage.contacts, gateway: inbox)
      _ = try await rig.update(caller) { $0.contacts = [bea] }
      try await questions.round()
      let contact = try await rig.sosClient.getSosSettings(.init(), metadata: caller).settings?.contacts.first
      #expect(contact?.phoneState == .waiting && contact?.emailState == .asked)
      let lost = await status { _ = try await rig.sosClient.confirmContact(.init(code: inbox.code ?? "")) }
      #expect(lost?.code == .notFound)
    }
  }

  @Test("strangers' answers are limited by their address")
  func limit() throws {
    let limit = ContactLimit()
    func address(_ last: Int) -> ClientAddress {
      ClientAddress(peer: "ipv4:192.0.2.\(last):1", forwarded: [], proxies: TrustedProxies())
    }
    let now = ContinuousClock.now
    for _ in 0..<ContactLimit.answersPerMinute { try limit.count(address(1), at: now) }
    #expect(throws: RPCStatus.self) { try limit.count(address(1), at: now) }
    try limit.count(address(2), at: now)
    try limit.count(address(1), at: now + .seconds(60))
    for _ in 0..<100 { try limit.count(.thisMachine, at: now) }
  }

  @Test("so many addresses that they can't be told apart all begin again")
  func crowd() throws {
    let limit = ContactLimit()
    func address(_ number: Int) -> ClientAddress {
      ClientAddress(
        peer: "ipv4:198.18.\(number / 256).\(number % 256):1", forwarded: [], proxies: TrustedProxies())
    }
    let now = ContinuousClock.now
    for _ in 0..<ContactLimit.answersPerMinute { try limit.count(address(0), at: now) }
    for number in 1..<10_000 { try limit.count(address(number), at: now) }
    #expect(throws: RPCStatus.self) { try limit.count(address(0), at: now) }
    try limit.count(address(10_000), at: now)
    try limit.count(address(0), at: now)
  }
}
