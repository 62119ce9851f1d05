import Synchronization
import Testing

@testable import Outbound

@Suite(.serialized)
struct SMTPClientTests {
  private let message = Array("Subject: x\r\n\r\nfirst\r\n.second\r\n".utf8)

  private func send(
    to server: ScriptedServer, _ recipient: String = "a@b.example", security: SMTPServer.Security = .none,
    limits: OutboundLimits = OutboundLimits()
  ) async throws -> SMTPError? {
    let url = try #require(OutboundURL("smtp://127.0.0.1:\(server.port)", schemes: ["smtp", "smtps"]))
    let client = SMTPClient(server: SMTPServer(url: url, security: security), limits: limits)
    do throws(SMTPError) {
      try await client.send(message, from: "trackme@b.example", to: recipient)
      return nil
    } catch {
      return error
    }
  }

  @Test func deliversAMessageAsItIs() async throws {
    let mail = Mutex<[String]?>(nil)
    let server = ScriptedServer { connection in
      let lines = connection.takeMail()
      mail.withLock { $0 = lines }
      connection.send("250 taken\r\n")
      connection.sayGoodbye()
    }
    #expect(try await send(to: server) == nil)
    #expect(mail.withLock { $0 } == ["Subject: x", "", "first", "..second"])
  }

  @Test func acceptanceCountsAlsoWhenTheConnectionBreaksAfterIt() async throws {
    let server = ScriptedServer { connection in
      _ = connection.takeMail()
      connection.send("250-taken\r\n250 really\r\n")
    }
    #expect(try await send(to: server) == nil)
  }

  @Test(arguments: [
    ("MAIL", "451 later", false, 451), ("RCPT", "550 nobody", true, 550), ("RCPT", "452 full", false, 452),
    ("MAIL", "530 log in first", false, 530), ("DATA", "451 later", false, 451),
  ])
  func aRefusalBeforeTheMessageIsKnown(_ command: String, _ reply: String, _ isPermanent: Bool, _ code: Int)
    async throws
  {
    let server = ScriptedServer { connection in _ = connection.takeMail(replies: [command: reply]) }
    guard case .refused(isPermanent, code, _) = try await send(to: server) else {
      Issue.record("\(command) answered with \(reply) must be a refusal")
      return
    }
  }

  @Test(arguments: [("451 later", false, 451), ("554 spam", true, 554)])
  func aRefusalOfTheMessageIsKnown(_ reply: String, _ isPermanent: Bool, _ code: Int) async throws {
    let server = ScriptedServer { connection in
      _ = connection.takeMail()
      connection.send(reply + "\r\n")
      connection.sayGoodbye()
    }
    guard case .refused(isPermanent, code, _) = try await send(to: server) else {
      Issue.record("\(reply) must be a refusal")
      return
    }
  }

  @Test func aServerThatDiesAfterTheMessageMayHaveIt() async throws {
    let server = ScriptedServer { connection in _ = connection.takeMail() }
    guard case .outcomeUnknown = try await send(to: server) else {
      Issue.record("nobody knows whether the message was taken")
      return
    }
  }

  @Test func aServerThatIsSilentAfterTheMessageMayHaveIt() async throws {
    var limits = OutboundLimits()
    limits.whole = .milliseconds(500)
    let server = ScriptedServer { connection in
      _ = connection.takeMail()
      connection.linger()
    }
    guard case .outcomeUnknown = try await send(to: server, limits: limits) else {
      Issue.record("nobody knows whether the message was taken")
      return
    }
  }

  @Test func nothingIsSentWithoutTLSWhereItIsRequired() async throws {
    let mail = Mutex<[String]?>(nil)
    let server = ScriptedServer { connection in
      let lines = connection.takeMail()
      mail.withLock { $0 = lines }
    }
    guard case .refused(false, _, _) = try await send(to: server, security: .required) else {
      Issue.record("a server without STARTTLS must get nothing")
      return
    }
    #expect(mail.withLock { $0 } == nil)
  }

  @Test func aConnectionThatIsRefusedIsKnown() async throws {
    let server = ScriptedServer { _ in }
    server.stop()
    guard case .refused(false, 0, _) = try await send(to: server) else {
      Issue.record("a refused connection delivers nothing")
      return
    }
  }

  @Test func repliesHaveALimit() async throws {
    let server = ScriptedServer { connection in
      for _ in 0..<10_000 { connection.send("220-hello hello hello hello hello\r\n") }
      connection.linger()
    }
    guard case .refused(false, _, _) = try await send(to: server) else {
      Issue.record("endless replies must end the call")
      return
    }
  }

  @Test(arguments: ["", "a", "a@", "@b", "a@b@c", "a b@c", "a@b>\r\nRCPT TO:<x@y", "a@b\r\nDATA", "<a@b>"])
  func anAddressThatIsNoneReachesNobody(_ address: String) async throws {
    let server = ScriptedServer { connection in _ = connection.takeMail() }
    guard case .refused(true, 0, _) = try await send(to: server, address) else {
      Issue.record("\(address) must be refused")
      return
    }
    #expect(server.connectionCount == 0)
  }
}
