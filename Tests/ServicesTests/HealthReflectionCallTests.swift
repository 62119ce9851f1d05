import RPCRuntime
import ServiceAPI
import Testing
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

/// Health and reflection over a connection, through the generated tables and clients.
@Suite struct HealthReflectionCallTests {
  /// Serves both for the length of `body`.
  private func serving(
    _ registry: HealthRegistry = HealthRegistry(services: ["a"]), _ body: (Channel) async throws -> Void
  ) async throws {
    let loops = EventLoopGroup(count: 1)
    let server = try Server(
      configuration: ServerConfiguration(),
      methods: ReflectionService().allMethods + HealthService(registry: registry).methods, loops: loops)
    let port = try server.start()[0]
    let channel = Channel(target: "127.0.0.1:\(port)", security: .plaintext, options: ChannelOptions(), loops: loops)
    let result: Result<Void, any Error>
    do { result = .success(try await body(channel)) } catch { result = .failure(error) }
    await channel.close()
    await server.shutdown(grace: .zero)
    loops.shutdown()
    try result.get()
  }

  @Test func checkAnswersAndRefusesUnknownServices() async throws {
    let registry = HealthRegistry(services: ["a"])
    registry.set(.serving, for: "")
    try await serving(registry) { channel in
      let health = Grpc_Health_V1_HealthClient(channel: channel)
      let overall = try await health.check(.init())
      #expect(overall.status == .serving)
      let one = try await health.check(.init(service: "a"))
      #expect(one.status == .notServing)
      let refusal = await #expect(throws: RPCStatus.self) { try await health.check(.init(service: "b")) }
      #expect(refusal?.code == .notFound)
      #expect(refusal?.errorInfo?.reason == "UNKNOWN_SERVICE")
      #expect(refusal?.errorInfo?.domain == "trackme")
      #expect(refusal?.errorInfo?.metadata == [.init(key: "service", value: "b")])
    }
  }

  @Test func watchFollowsAServiceUntilShutdown() async throws {
    let registry = HealthRegistry(services: [])
    try await serving(registry) { channel in
      let stream = try await Grpc_Health_V1_HealthClient(channel: channel).watch(.init(service: "new"))
      #expect(try await stream.next()?.status == .serviceUnknown)
      registry.set(.serving, for: "new")
      #expect(try await stream.next()?.status == .serving)
      registry.shutDown()
      #expect(try await stream.next()?.status == .notServing)
      let end = await #expect(throws: RPCStatus.self) { try await stream.next() }
      #expect(end?.code == .unavailable)
      #expect(end?.errorInfo?.reason == "SHUTTING_DOWN")
    }
  }

  @Test func aWatchThatIsCancelledIsForgotten() async throws {
    let registry = HealthRegistry(services: ["a"])
    try await serving(registry) { channel in
      let stream = try await Grpc_Health_V1_HealthClient(channel: channel).watch(.init(service: "a"))
      #expect(try await stream.next()?.status == .notServing)
      while registry.watcherCount != 1 { await Task.yield() }
      stream.cancel()
      while registry.watcherCount != 0 { await Task.yield() }
    }
  }

  @Test func bothVersionsOfReflectionAnswer() async throws {
    try await serving { channel in
      let stream = Grpc_Reflection_V1_ServerReflectionClient(channel: channel).serverReflectionInfo()
      try await stream.send(.init(messageRequest: .listServices("")))
      let services = try await stream.next()?.messageResponse
      try await stream.send(.init(messageRequest: .fileContainingSymbol("nothing.Here")))
      let failure = try await stream.next()?.messageResponse
      try await stream.finishSending()
      #expect(try await stream.next() == nil)
      guard case .listServicesResponse(let list) = services, case .errorResponse(let error) = failure else {
        Issue.record("\(String(describing: services)) \(String(describing: failure))")
        return
      }
      #expect(list.service.map(\.name) == ServiceDescriptors.serviceNames)
      #expect(error.errorCode == RPCCode.notFound.rawValue)

      let alpha = Grpc_Reflection_V1alpha_ServerReflectionClient(channel: channel).serverReflectionInfo()
      try await alpha.send(.init(messageRequest: .fileContainingSymbol("trackme.ingest.v1.IngestService.PushReadings")))
      try await alpha.finishSending()
      guard case .fileDescriptorResponse(let files) = try await alpha.next()?.messageResponse else {
        Issue.record("no files")
        return
      }
      #expect(files.fileDescriptorProto.count == 4)
      #expect(try await alpha.next() == nil)
    }
  }

  @Test func bytesThatAreNoMessageNameTheField() async throws {
    try await serving { channel in
      // HealthCheckRequest.service with a byte that is not UTF-8.
      let refusal = await #expect(throws: RPCStatus.self) {
        try await channel.unary(Grpc_Health_V1_HealthMethod.check.rawValue, RPCMessage([10, 1, 0xFF]))
      }
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.fieldViolations == [.init(field: "service", problem: "is not valid UTF-8")])
      #expect(refusal?.errorInfo?.reason == "INVALID_MESSAGE")
    }
  }
}
