import RPCRuntime
import Testing

extension RPCRuntimeTests {
  @Suite struct Shutdown {
    @Test(arguments: Transport.allCases) func aRunningCallEndsWithinTheGrace(over transport: Transport) async throws {
      let (started, finish) = (Gate(), Gate())
      let method = RPCMethod(path: "/test.Shutdown/Slow") { call in
        started.open()
        await finish.wait()
        call.sendLast(RPCMessage("in time"))
      }
      try await withRig(over: transport, [method]) { rig in
        async let answer = rig.unary("/test.Shutdown/Slow", RPCMessage(""))
        await started.wait()
        async let shutdown: Void = rig.server.shutdown(grace: .seconds(60))
        finish.open()
        let text = try await answer.text
        #expect(text == "in time")
        await shutdown
      }
    }

    @Test(arguments: Transport.allCases) func callsThatOutlastTheGraceAreCancelled(over transport: Transport)
      async throws
    {
      let (started, outcome) = (Gate(), Box<String>())
      let method = Methods.waiting("/test.Shutdown/Wait", started: started, outcome: outcome)
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Shutdown/Wait")
        try await call.send(RPCMessage(""))
        await started.wait()
        await rig.server.shutdown(grace: .milliseconds(20))
        #expect(await outcome.get() == "cancelled cancelled=true true")
        #expect(await call.status.code != .ok)
        #expect(rig.server.statistics.liveCalls == 0)
      }
    }

    @Test(arguments: Transport.allCases) func shutdownWaitsForHandlersThatCleanUp(over transport: Transport)
      async throws
    {
      let (started, cleaned) = (Gate(), Box<Bool>())
      let method = RPCMethod(path: "/test.Shutdown/CleansUp") { call in
        started.open()
        _ = try? await call.next()
        for _ in 0..<100 { await Task.yield() }
        cleaned.set(true)
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.begunCall("/test.Shutdown/CleansUp")
        await started.wait()
        await rig.server.shutdown(grace: .zero)
        #expect(rig.server.statistics.liveCalls == 0)
        #expect(await cleaned.get())
        withExtendedLifetime(call) {}
      }
    }

    @Test func newCallsAreRefusedDuringTheGrace() async throws {
      let (started, finish) = (Gate(), Gate())
      let method = RPCMethod(path: "/test.Shutdown/Slow") { call in
        started.open()
        await finish.wait()
        call.sendLast(RPCMessage(""))
      }
      try await withRig([method]) { rig in
        async let first = rig.channel.unary("/test.Shutdown/Slow", RPCMessage(""))
        await started.wait()
        async let shutdown: Void = rig.server.shutdown(grace: .seconds(60))
        let late = rig.channel(options: ownConnection)
        while true {
          do { try await late.connect(within: .milliseconds(200)) } catch { break }
        }
        let status = try await statusThrown { _ = try await late.unary("/test.Shutdown/Slow", RPCMessage("")) }
        #expect(status.code == .unavailable)
        finish.open()
        _ = try await first
        await shutdown
        await late.close()
      }
    }

    @Test(arguments: Transport.allCases) func aServerWithoutCallsShutsDownAtOnceAndMoreThanOnce(
      over transport: Transport
    ) async throws {
      try await withRig(over: transport, [Methods.unary]) { rig in
        _ = try await rig.unary("/test.Echo/Unary", RPCMessage(""))
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<3 { group.addTask { await rig.server.shutdown(grace: .seconds(60)) } }
        }
        await rig.server.shutdown(grace: .zero)
      }
    }

    @Test func aConnectionThatNeverSpokeDoesNotHoldTheServer() async throws {
      try await withRig([Methods.unary]) { rig in
        let relay = try TCPRelay(to: rig.port)
        let silent = TCPRelay.connect(to: relay.port)
        #expect(silent != nil)
        _ = try await rig.channel.unary("/test.Echo/Unary", RPCMessage(""))
        await rig.server.shutdown(grace: .milliseconds(10))
        relay.cut()
      }
    }

    private var ownConnection: ChannelOptions {
      var options = ChannelOptions()
      options.usesOwnConnection = true
      options.maxReconnectBackoff = .milliseconds(100)
      return options
    }
  }
}
