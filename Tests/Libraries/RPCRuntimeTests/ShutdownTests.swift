import RPCRuntime
import Testing

extension RPCRuntimeTests {
  @Suite struct Shutdown {
    @Test func aRunningCallEndsWithinTheGrace() async throws {
      let (started, finish) = (Gate(), Gate())
      let method = RPCMethod(path: "/test.Shutdown/Slow") { call in
        started.open()
        await finish.wait()
        call.sendLast(RPCMessage("in time"))
      }
      try await withRig([method]) { rig in
        async let answer = rig.channel.unary("/test.Shutdown/Slow", RPCMessage(""))
        await started.wait()
        async let shutdown: Void = rig.server.shutdown(grace: .seconds(60))
        finish.open()
        let text = try await answer.text
        #expect(text == "in time")
        await shutdown
      }
    }

    @Test func callsThatOutlastTheGraceAreCancelled() async throws {
      let (started, outcome) = (Gate(), Box<String>())
      let method = Methods.waiting("/test.Shutdown/Wait", started: started, outcome: outcome)
      try await withRig([method]) { rig in
        let call = rig.channel.call("/test.Shutdown/Wait")
        try await call.send(RPCMessage(""))
        await started.wait()
        await rig.server.shutdown(grace: .milliseconds(20))
        #expect(await outcome.get() == "cancelled cancelled=true true")
        #expect(await call.status.code != .ok)
        #expect(rig.server.statistics.liveCalls == 0)
      }
    }

    @Test func shutdownWaitsForHandlersThatCleanUp() async throws {
      let (started, cleaned) = (Gate(), Box<Bool>())
      let method = RPCMethod(path: "/test.Shutdown/CleansUp") { call in
        started.open()
        _ = try? await call.next()
        for _ in 0..<100 { await Task.yield() }
        cleaned.set(true)
      }
      try await withRig([method]) { rig in
        let call = rig.channel.call("/test.Shutdown/CleansUp")
        _ = Task { try? await call.initialMetadata() }
        await started.wait()
        await rig.server.shutdown(grace: .zero)
        #expect(rig.server.statistics.liveCalls == 0)
        #expect(await cleaned.get())
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

    @Test func aServerWithoutCallsShutsDownAtOnceAndMoreThanOnce() async throws {
      try await withRig([Methods.unary]) { rig in
        _ = try await rig.channel.unary("/test.Echo/Unary", RPCMessage(""))
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
