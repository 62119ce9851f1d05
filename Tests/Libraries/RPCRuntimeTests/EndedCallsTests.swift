import RPCRuntime
import Testing

extension RPCRuntimeTests {
  /// What a server says of the calls that have ended.
  @Suite struct EndedCallsAreCounted {
    private func ended(_ server: Server) -> [String] {
      server.endedCalls.map { "\($0.path ?? "unknown") \($0.code) \($0.count)" }.sorted()
    }

    @Test func byTheirMethodAndTheirStatus() async throws {
      let fails = RPCMethod(path: "/test.Echo/Fails") { call in
        _ = try await call.next()
        throw RPCStatus(.notFound, "no")
      }
      try await withRig([Methods.unary, fails]) { rig in
        for _ in 0..<3 { _ = try await rig.channel.unary(Methods.unary.path, RPCMessage("x")) }
        _ = try await statusThrown { _ = try await rig.channel.unary(fails.path, RPCMessage("x")) }
        // Whatever its client called it.
        for path in ["/test.Echo/Anna", "/anna@example.org"] {
          _ = try await statusThrown { _ = try await rig.channel.unary(path, RPCMessage("x")) }
        }
        try await eventually {
          ended(rig.server) == ["/test.Echo/Fails notFound 1", "/test.Echo/Unary ok 3", "unknown unimplemented 2"]
        }
      }
    }

    @Test func oneThatItsClientLeavesIsCancelled() async throws {
      let (started, outcome) = (Gate(), Box<String>())
      try await withRig([Methods.waiting("/test.Wait/Wait", started: started, outcome: outcome)]) { rig in
        let call = rig.channel.call("/test.Wait/Wait")
        try await call.send(RPCMessage("x"))
        await started.wait()
        #expect(rig.server.endedCalls.isEmpty)
        #expect(rig.server.connections.open == 1)
        call.cancel()
        try await eventually { ended(rig.server) == ["/test.Wait/Wait cancelled 1"] }
      }
    }

    @Test func oneThatIsRefusedHasTheStatusOfItsRefusal() async throws {
      let (started, outcome) = (Gate(), Box<String>())
      var configuration = ServerConfiguration()
      configuration.maxConcurrentCalls = 1
      try await withRig(
        [Methods.waiting("/test.Wait/Wait", started: started, outcome: outcome)], configuration: configuration
      ) { rig in
        let call = rig.channel.call("/test.Wait/Wait")
        try await call.send(RPCMessage("x"))
        await started.wait()
        _ = try await statusThrown { _ = try await rig.channel.unary("/test.Wait/Wait", RPCMessage("x")) }
        try await eventually { ended(rig.server) == ["/test.Wait/Wait resourceExhausted 1"] }
        #expect(rig.server.statistics.refusedCalls == 1)
        call.cancel()
      }
    }

    @Test func connectionsThatWereClosedAreNotCounted() async throws {
      try await withRig([Methods.unary]) { rig in
        let other = rig.channel(options: .init())
        for channel in [rig.channel, other] { _ = try await channel.unary(Methods.unary.path, RPCMessage("x")) }
        let open = rig.server.connections.open
        #expect((1...2).contains(open))
        #expect(rig.server.connections.max == ServerConfiguration().maxConnections)
        await other.close()
        await rig.channel.close()
        try await eventually { rig.server.connections.open == 0 }
      }
    }
  }
}
