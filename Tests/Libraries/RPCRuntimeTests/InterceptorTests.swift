import RPCRuntime
import Synchronization
import Testing

extension RPCRuntimeTests {
  @Suite struct Interceptors {
    enum NameKey: CallValueKey { typealias Value = String }

    struct Authenticates: ServerInterceptor {
      func intercept(_ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void) async throws {
        guard let name = call.metadata.first("authorization") else { throw RPCStatus(.unauthenticated, "who are you?") }
        call.values[NameKey.self] = name
        try await next(call)
      }
    }

    final class Records: ServerInterceptor {
      let name: String
      let log: Log
      init(_ name: String, _ log: Log) { (self.name, self.log) = (name, log) }

      func intercept(_ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void) async throws {
        log.add("\(name) in")
        defer { log.add("\(name) out") }
        try await next(call)
      }
    }

    final class Log: Sendable {
      private let lines = Mutex<[String]>([])
      func add(_ line: String) { lines.withLock { $0.append(line) } }
      var all: [String] { lines.withLock { $0 } }
    }

    static let name = RPCMethod(path: "/test.Intercept/Name") { call in
      call.sendLast(RPCMessage(call.values[NameKey.self] ?? "?"))
    }

    @Test(arguments: Transport.allCases) func oneRefusesAndOneAttaches(over transport: Transport) async throws {
      try await withRig(over: transport, [Self.name], interceptors: [Authenticates()]) { rig in
        let refused = try await statusThrown { _ = try await rig.unary("/test.Intercept/Name", RPCMessage("")) }
        #expect(refused == RPCStatus(.unauthenticated, "who are you?"))
        let answer = try await rig.unary(
          "/test.Intercept/Name", RPCMessage(""), metadata: ["authorization": "ada"])
        #expect(answer.text == "ada")
      }
    }

    @Test(arguments: Transport.allCases) func theFirstIsTheOutermost(over transport: Transport) async throws {
      let log = Log()
      try await withRig(over: transport, [Self.name], interceptors: [Records("a", log), Records("b", log)]) { rig in
        _ = try await rig.unary("/test.Intercept/Name", RPCMessage(""))
        #expect(log.all == ["a in", "b in", "b out", "a out"])
      }
    }
  }
}
