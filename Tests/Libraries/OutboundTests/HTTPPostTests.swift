import Synchronization
import Testing

@testable import Outbound

@Suite(.serialized)
struct HTTPPostTests {
  private func post(
    to server: ScriptedServer, _ content: String = "hello", credentials: HTTPCredentials? = nil, key: String? = nil,
    headers: [(name: String, value: String)] = []
  ) throws -> HTTPPost {
    let url = try #require(OutboundURL("http://127.0.0.1:\(server.port)/calls", schemes: ["http", "https"]))
    return HTTPPost(
      url: url, contentType: "text/plain", content: Array(content.utf8), credentials: credentials, idempotencyKey: key,
      headers: headers)
  }

  private func error(_ body: () async throws -> Void) async -> OutboundError? {
    do { try await body() } catch { return error as? OutboundError }
    return nil
  }

  @Test func sendsContentCredentialsAndKey() async throws {
    let seen = Mutex<HTTPQuestion?>(nil)
    let server = ScriptedServer { connection in
      let question = connection.takePost()
      seen.withLock { $0 = question }
      connection.send("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok")
    }
    let response = try await HTTPClient().post(
      try post(
        to: server, credentials: .bearer("a-token"), key: "4f/sms", headers: [(name: "X-Kind", value: "first")]))
    #expect(response.status == 201 && response.body == Array("ok".utf8))
    let question = try #require(seen.withLock { $0 })
    #expect(question.request == "POST /calls HTTP/1.1")
    #expect(question.content == "hello")
    #expect(question.header["content-type"] == "text/plain")
    #expect(question.header["authorization"] == "Bearer a-token")
    #expect(question.header["idempotency-key"] == "4f/sms")
    #expect(question.header["x-kind"] == "first")
    #expect(question.header["expect"] == nil)
  }

  @Test func sendsBasicCredentials() async throws {
    let seen = Mutex<String?>(nil)
    let server = ScriptedServer { connection in
      let header = connection.takePost()?.header["authorization"]
      seen.withLock { $0 = header }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    _ = try await HTTPClient().post(try post(to: server, credentials: .basic(user: "AC1", password: "secret:1")))
    #expect(seen.withLock { $0 } == "Basic QUMxOnNlY3JldDox")
  }

  @Test func usesAConnectionAgain() async throws {
    let server = ScriptedServer { connection in
      while connection.takePost() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
    }
    let client = HTTPClient()
    for _ in 0..<5 { #expect(try await client.post(try post(to: server)).status == 200) }
    #expect(server.connectionCount == 1)
  }

  @Test func aConnectionThatTheServerHasClosedIsReplaced() async throws {
    let server = ScriptedServer { connection in
      if connection.takePost() != nil { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
    }
    let client = HTTPClient()
    for _ in 0..<3 { #expect(try await client.post(try post(to: server)).status == 200) }
    #expect(server.connectionCount == 3)
  }

  @Test func nobodyKnowsWhetherAServerThatDiesAfterTheRequestHasTakenIt() async throws {
    let server = ScriptedServer { connection in _ = connection.takePost() }
    guard case .outcomeUnknown = await error({ _ = try await HTTPClient().post(try post(to: server)) }) else {
      Issue.record("the server had the whole request")
      return
    }
  }

  @Test func nobodyKnowsWhetherASilentServerHasTakenIt() async throws {
    var limits = OutboundLimits()
    limits.whole = .milliseconds(300)
    let server = ScriptedServer { $0.linger() }
    guard case .outcomeUnknown = await error({ _ = try await HTTPClient(limits: limits).post(try post(to: server)) })
    else {
      Issue.record("the server had the whole request")
      return
    }
  }

  @Test func aServerThatIsNotThereHasSurelyNotTakenIt() async throws {
    let server = ScriptedServer { _ in }
    let request = try post(to: server)
    server.stop()
    guard case .unreachable = await error({ _ = try await HTTPClient().post(request) }) else {
      Issue.record("nobody was there to take it")
      return
    }
  }

  @Test func aStatusCountsWhenItsBodyIsCutOffOrTooLarge() async throws {
    let cut = ScriptedServer { connection in
      _ = connection.takePost()
      connection.send("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nok")
    }
    #expect(try await HTTPClient().post(try post(to: cut)).status == 201)
    var limits = OutboundLimits()
    limits.bodyBytes = 10
    let large = ScriptedServer { connection in
      _ = connection.takePost()
      connection.send("HTTP/1.1 201 Created\r\nContent-Length: 20\r\n\r\n01234567890123456789")
    }
    #expect(try await HTTPClient(limits: limits).post(try post(to: large)).status == 201)
  }

  @Test func aHeaderThatIsNotOneLineIsNotSent() async throws {
    let server = ScriptedServer { _ in }
    let request = try post(to: server, key: "x\r\nX-Admin: yes")
    #expect(await error { _ = try await HTTPClient().post(request) } == .malformed)
    #expect(server.connectionCount == 0)
  }

  @Test func encodesForms() {
    let form = HTTPPost.form([(name: "To", value: "+39 06"), (name: "Body", value: "a=b&c ü\n")])
    #expect(String(decoding: form, as: UTF8.self) == "To=%2B39+06&Body=a%3Db%26c+%C3%BC%0A")
  }

  @Test func tellsACallerWithoutATask() async throws {
    let server = ScriptedServer { connection in
      _ = connection.takePost()
      connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let request = try post(to: server)
    let result = await withCheckedContinuation { continuation in
      HTTPClient().post(request) { continuation.resume(returning: $0) }
    }
    #expect(try result.get().status == 204)
  }
}

/// A request as a scripted server saw it.
struct HTTPQuestion: Sendable {
  var request = ""
  /// By names in small letters.
  var header: [String: String] = [:]
  var content = ""
}

extension ScriptedConnection {
  /// Reads one request with its content; nil when the client has closed.
  func takePost() -> HTTPQuestion? {
    guard let request = line() else { return nil }
    var question = HTTPQuestion(request: request)
    while let line = line(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      question.header[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    question.content = bytes(Int(question.header["content-length"] ?? "") ?? 0)
    return question
  }
}
