import AreaKit
import HTTPServer
import RPCRuntime
import ServiceAPI
import TestSupport
import Testing
import WireCodec

@testable import Web

@Suite("Refresh tokens are exchanged once")
struct RefreshesTests {
  /// Exchanges one token several times, one after the other.
  /// - Returns: how often the server was asked.
  private func exchanges(remembering memory: Duration) async throws -> Int {
    let asked = Counter()
    let loops = EventLoopGroup(count: 1)
    let method = RPCMethod(path: IdentityServiceMethod.refreshSession.rawValue) { call in
      _ = try await call.next()
      asked.add(1)
      let session = Trackme_Identity_V1_Session(token: "token", refreshToken: "next")
      call.sendLast(Trackme_Identity_V1_RefreshSessionResponse(session: session).encodedMessage())
    }
    let server = try Server(configuration: ServerConfiguration(), methods: [method], loops: loops)
    _ = try server.start()
    let calls = LocalCalls()
    calls.begin(on: server)
    let refreshes = Refreshes(LocalIdentity(calls: calls), memory: memory)
    for _ in 0..<3 {
      _ = try await refreshes.tokens(for: "refresh", of: HTTPRequest(method: "POST", path: "/"))
    }
    await server.shutdown(grace: .zero)
    loops.shutdown()
    return asked.value
  }

  @Test("Who comes again while the exchange is remembered gets what came of it; later the server hears of it")
  func memory() async throws {
    #expect(try await exchanges(remembering: Refreshes.memory) == 1)
    #expect(try await exchanges(remembering: .zero) == 3)
  }
}
