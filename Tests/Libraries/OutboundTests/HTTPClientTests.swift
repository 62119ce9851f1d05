import Synchronization
import Testing

@testable import Outbound

@Suite(.serialized)
struct HTTPClientTests {
  private func url(_ server: ScriptedServer, _ path: String = "/") throws -> OutboundURL {
    try #require(OutboundURL("http://127.0.0.1:\(server.port)\(path)", schemes: ["http", "https"]))
  }

  private static func answer(_ text: String) -> @Sendable (ScriptedConnection) -> Void {
    { connection in
      while let line = connection.line(), !line.isEmpty {}
      connection.send(text)
    }
  }

  private func error(_ body: () async throws -> Void) async -> OutboundError? {
    do { try await body() } catch { return error as? OutboundError }
    return nil
  }

  @Test func returnsStatusAndBody() async throws {
    let server = ScriptedServer(Self.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello"))
    let response = try await HTTPClient().get(try url(server))
    #expect(response.status == 404)
    #expect(response.body == Array("hello".utf8))
  }

  @Test func saysWhoIsAskingAndUsesAConnectionAgain() async throws {
    let seen = Mutex<[String]>([])
    let server = ScriptedServer { connection in
      while let first = connection.line(), !first.isEmpty {
        var lines = [first]
        while let line = connection.line(), !line.isEmpty { lines.append(line) }
        seen.withLock { $0 += lines.filter { $0.hasPrefix("GET") || $0.hasPrefix("Authorization") } }
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      }
    }
    let (client, url) = (HTTPClient(), try url(server, "/calls/CA1.json"))
    for credentials in [HTTPCredentials.basic(user: "AC1", password: "secret:1"), .bearer("a-token")] {
      let result = await withCheckedContinuation { continuation in
        client.get(url, credentials: credentials) { continuation.resume(returning: $0) }
      }
      #expect(try result.get().body == Array("ok".utf8))
    }
    #expect(
      seen.withLock { $0 } == [
        "GET /calls/CA1.json HTTP/1.1", "Authorization: Basic QUMxOnNlY3JldDox",
        "GET /calls/CA1.json HTTP/1.1", "Authorization: Bearer a-token",
      ])
    #expect(server.connectionCount == 1)
    let malformed = await withCheckedContinuation { continuation in
      client.get(url, credentials: .bearer("a\r\nb: c")) { continuation.resume(returning: $0) }
    }
    #expect(throws: OutboundError.malformed) { try malformed.get() }
  }

  @Test func returnsARedirectAndDoesNotFollowIt() async throws {
    let server = ScriptedServer(
      Self.answer("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"))
    let response = try await HTTPClient().get(try url(server))
    #expect(response.status == 302)
    #expect(response.body.isEmpty)
    #expect(server.connectionCount == 1)
  }

  @Test func refusesAnAnswerThatIsTooLarge() async throws {
    var limits = OutboundLimits()
    limits.bodyBytes = 100
    let declared = ScriptedServer(Self.answer("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n"))
    #expect(await error { _ = try await HTTPClient(limits: limits).get(try url(declared)) } == .answerTooLarge)
    let body = String(repeating: "x", count: 101)
    let undeclared = ScriptedServer(Self.answer("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(body)"))
    #expect(await error { _ = try await HTTPClient(limits: limits).get(try url(undeclared)) } == .answerTooLarge)
    limits.headerBytes = 200
    let header = ScriptedServer(
      Self.answer("HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 200))\r\nContent-Length: 0\r\n\r\n"))
    #expect(await error { _ = try await HTTPClient(limits: limits).get(try url(header)) } == .answerTooLarge)
  }

  @Test func endsWhenTheServerIsSilentOrGone() async throws {
    var limits = OutboundLimits()
    limits.whole = .milliseconds(300)
    let silent = ScriptedServer { $0.linger() }
    #expect(await error { _ = try await HTTPClient(limits: limits).get(try url(silent)) } == .timedOut)
    let gone = ScriptedServer { _ in }
    let address = try url(gone)
    gone.stop()
    guard case .unreachable = await error({ _ = try await HTTPClient().get(address) }) else {
      Issue.record("a server that is gone must be unreachable")
      return
    }
  }

  @Test func cancellationEndsACall() async throws {
    let silent = ScriptedServer { $0.linger() }
    let address = try url(silent)
    let call = Task { await error { _ = try await HTTPClient().get(address) } }
    while silent.connectionCount == 0 { await Task.yield() }
    call.cancel()
    #expect(await call.value == .cancelled)
  }

  @Test func refusesWhatDoesNotFitIntoTheQueue() async throws {
    let silent = ScriptedServer { $0.linger() }
    let address = try url(silent)
    let client = HTTPClient(threads: OutboundThreads(threadsMax: 1, waitingMax: 0))
    let first = Task { await error { _ = try await client.get(address) } }
    while silent.connectionCount == 0 { await Task.yield() }
    #expect(await error { _ = try await client.get(address) } == .queueFull)
    first.cancel()
    _ = await first.value
  }

  @Test(arguments: [
    "", "issuer", "ftp://host/", "http://", "http://user:word@host/", "http://ho st/", "http://host/\r\nX: y",
    "file:///etc/passwd",
  ])
  func refusesWhatIsNoAddressOfAServer(_ text: String) {
    #expect(OutboundURL(text, schemes: ["http", "https"]) == nil)
  }

  @Test func knowsWhatStaysOnThisMachine() throws {
    for text in ["http://localhost:1/", "http://127.0.0.1", "http://127.8.0.1:80/x", "http://[::1]:9/"] {
      #expect(try #require(OutboundURL(text, schemes: ["http"])).isLoopback, "\(text)")
    }
    for text in ["http://localhost.example.org/", "http://127.0.0.1.example.org/", "http://128.0.0.1/"] {
      #expect(try !#require(OutboundURL(text, schemes: ["http"])).isLoopback, "\(text)")
    }
  }
}
