import AreaKit
import HTTPServer
import ProtoJSON
import RPCRuntime
import Synchronization
import TestSupport
import Testing
import WebRules

@testable import Web

@Suite("The memory of bodies that have not come as a whole")
struct BodyRoomTests {
  @Test("Where it is full the longest body ends, and those of a few bytes stay")
  func longest() async throws {
    let room = BodyRoom(bytesMax: 1_000)
    let ended = Mutex<[String]>([])
    func body(_ name: String, _ run: (@Sendable (Int) -> Void) async -> Void) async {
      await room.with(end: { ended.withLock { $0.append(name) } }) { await run($0) }
    }
    await body("small") { small in
      small(10)
      await body("long") { long in
        long(600)
        await body("other") { other in
          other(390)
          #expect(ended.withLock { $0 } == [] && room.bytes == 1_000)
          small(11)
          #expect(ended.withLock { $0 } == ["long"] && room.bytes == 401)
          long(900)
          #expect(room.bytes == 401, "it has no place any more")
          other(990)
          #expect(ended.withLock { $0 } == ["long", "other"] && room.bytes == 11)
        }
      }
    }
    #expect(room.bytes == 0)
  }

  @Test("What a body has taken it gives back, whole or not")
  func back() async throws {
    let room = BodyRoom(bytesMax: 1_000)
    for _ in 0..<10 {
      await room.with(end: { Issue.record("there is room") }) { $0(700) }
      #expect(room.bytes == 0)
      try? await room.with(end: { Issue.record("there is room") }) {
        $0(700)
        throw CancellationError()
      }
      #expect(room.bytes == 0)
    }
  }

  @Test("A call whose body finds no room ends by name")
  func call() async throws {
    let (schema, path) = (ProtoSchema.embedded, "/trackme.identity.v1.IdentityService/LogIn")
    let loops = EventLoopGroup(count: 1)
    let method = RPCMethod(path: path) { call in
      while let message = try await call.next() { call.sendLast(message) }
    }
    let server = try Server(configuration: ServerConfiguration(), methods: [method], loops: loops)
    _ = try server.start()
    let calls = LocalCalls()
    calls.begin(on: server)
    for (bytesMax, status) in [(1_000, 200), (999, 429)] {
      let gateway = ConnectGateway(schema: schema, calls: calls, bodies: BodyRoom(bytesMax: bytesMax))
      let response = await gateway.answer(
        ConnectCall(
          method: try #require(schema.method(path)),
          request: HTTPRequest(method: "POST", path: path, body: [UInt8](repeating: 0, count: 1_000)),
          content: ConnectContent(codec: .proto, isStreaming: false), authorization: nil, timeout: .seconds(20)))
      #expect(response.status == status)
      #expect(String(decoding: try #require(response.bytes), as: UTF8.self).contains("TOO_BUSY") == (status == 429))
      #expect(gateway.bodies.bytes == 0)
    }
    await server.shutdown(grace: .zero)
    loops.shutdown()
  }
}
