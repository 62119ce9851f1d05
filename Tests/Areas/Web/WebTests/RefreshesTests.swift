import AreaKit
import Dispatch
import RPCRuntime
import ServiceAPI
import TestSupport
import Testing
import WireCodec

@testable import HTTPServer
@testable import Web

@Suite("Refresh tokens are exchanged once")
struct RefreshesTests {
  /// A server that takes every token but those that begin with "invented", and answers a token with itself and a stroke.
  /// - Parameter body: gets how often the server was asked.
  private func withRefreshes(
    remembering memory: Duration = Refreshes.memory, _ body: (Refreshes, LocalCalls, Counter) async throws -> Void
  ) async throws {
    let asked = Counter()
    let loops = EventLoopGroup(count: 1)
    let method = RPCMethod(path: IdentityServiceMethod.refreshSession.rawValue) { call in
      let message = try #require(try await call.next())
      let token = try message.withUnsafeBytes { try Trackme_Identity_V1_RefreshSessionRequest.decode($0) }.refreshToken
      asked.add(1)
      if token.hasPrefix("invented") { throw RPCStatus(.unauthenticated, "the token is none") }
      let session = Trackme_Identity_V1_Session(token: "token", refreshToken: token + "'")
      call.sendLast(Trackme_Identity_V1_RefreshSessionResponse(session: session).encodedMessage())
    }
    let server = try Server(configuration: ServerConfiguration(), methods: [method], loops: loops)
    _ = try server.start()
    let calls = LocalCalls()
    calls.begin(on: server)
    try await body(Refreshes(LocalIdentity(calls: calls), memory: memory), calls, asked)
    await server.shutdown(grace: .zero)
    loops.shutdown()
  }

  /// The token that comes of another one; nil of one that is none.
  private func next(_ token: String, _ refreshes: Refreshes) async throws -> String? {
    switch try await refreshes.tokens(for: token, of: HTTPRequest(method: "POST", path: "/")) {
    case .session(let session): session.refreshToken
    case .ended: nil
    }
  }

  @Test(
    "Who comes again while the exchange is remembered gets what came of it; later the server hears of it",
    arguments: [(Refreshes.memory, 1), (.zero, 3)])
  func memory(_ memory: Duration, _ count: Int) async throws {
    try await withRefreshes(remembering: memory) { (refreshes, _, asked) async throws in
      for _ in 0..<3 { #expect(try await next("refresh", refreshes) == "refresh'") }
      #expect(asked.value == count)
    }
  }

  @Test("The body of a request can be read after its token was exchanged, however late the exchange is heard of")
  func bodyIsLeft() async throws {
    let body = UnreadBody()
    try await withRefreshes { (_, calls, _) async throws in
      let request = HTTPRequest(method: "POST", path: "/", from: body)
      let exchange = Task(executorPreference: LateExecutor()) {
        try await LocalIdentity(calls: calls).refresh("refresh", request)
      }
      #expect(try await exchange.value.refreshToken == "refresh'")
    }
    #expect(body.stops.value == 0)
  }

  @Test("Tokens that are none push nobody's exchange out: a browser that lost its answer is not signed out")
  func invented() async throws {
    try await withRefreshes { (refreshes, _, asked) async throws in
      #expect(try await next("refresh", refreshes) == "refresh'")
      for number in 0...Refreshes.countMax {
        #expect(try await next("invented \(number)", refreshes) == nil)
      }
      #expect(refreshes.count == 1)
      let before = asked.value
      #expect(try await next("refresh", refreshes) == "refresh'")
      #expect(asked.value == before)
    }
  }

  @Test("Of a session the last exchange is remembered, however often somebody exchanges")
  func oneOfASession() async throws {
    try await withRefreshes { (refreshes, _, asked) async throws in
      #expect(try await next("refresh", refreshes) == "refresh'")
      var token = "other"
      for _ in 0..<20 { token = try #require(try await next(token, refreshes)) }
      #expect(refreshes.count == 2)
      let before = asked.value
      #expect(try await next("refresh", refreshes) == "refresh'")
      #expect(try await next(String(token.dropLast()), refreshes) == token)
      #expect(asked.value == before)
    }
  }
}

/// A body that has not come yet.
private final class UnreadBody: HTTPBodySource {
  /// How often its reading was ended.
  let stops = Counter()
  let announcedBytes: Int? = 2
  func nextPart() throws(HTTPBodyError) -> [UInt8]? { nil }
  func stopReading() { stops.add(1) }
}

/// Runs each step of its tasks a little after what it waits for, so that others are quicker.
private final class LateExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
