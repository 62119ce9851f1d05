import RPCRuntime
import TestSupport
import Testing

extension RPCRuntimeTests {
  @Suite struct FirstMessage {
    /// Who says so is a stranger.
    struct Reads: ServerInterceptor {
      func standing(of call: ServerCall) -> CallStanding? { call.headers("stranger").isEmpty ? nil : .stranger }

      func intercept(_ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void) async throws {
        try await next(call)
      }
    }

    /// A call whose first message came in time, at whichever attempt: the machine may stand still for as long as it has.
    private func begun(_ rig: Rig) async throws -> any TestCall {
      for _ in 0..<20 {
        let call = rig.call("/test.Echo/Echo")
        try? await call.send(RPCMessage("first"))
        if (try? await call.next())?.text == "first" { return call }
      }
      throw WaitedInVain()
    }

    private func configuration(
      known: Duration = .milliseconds(300), strangers: Duration = .milliseconds(300)
    ) -> ServerConfiguration {
      var configuration = ServerConfiguration()
      configuration.firstMessageTime = known
      configuration.strangerFirstMessageTime = strangers
      return configuration
    }

    @Test(arguments: Transport.allCases, ["/test.Echo/Echo", "/test.Echo/Unary"])
    func aCallWhoseFirstMessageDoesNotComeEnds(over transport: Transport, path: String) async throws {
      try await withRig(
        over: transport, [Methods.echo, Methods.unary], configuration: configuration(), interceptors: [Reads()]
      ) { rig in
        for metadata in [[:], ["stranger": "yes"]] as [Metadata] {
          let statuses = try await withThrowingTaskGroup(of: RPCStatus.self) { group in
            for _ in 0..<20 { group.addTask { await rig.call(path, metadata: metadata).status } }
            return try await group.reduce(into: []) { $0.append($1) }
          }
          let late = RPCStatus(.deadlineExceeded, "the client's first message has not come in time")
          #expect(statuses == Array(repeating: late, count: 20))
        }
        try await eventually { rig.server.statistics.liveCalls == 0 }
      }
    }

    @Test(arguments: Transport.allCases) func aStrangerHasLessTime(over transport: Transport) async throws {
      let configuration = configuration(known: .seconds(3_600))
      try await withRig(over: transport, [Methods.echo], configuration: configuration, interceptors: [Reads()]) { rig in
        let known = rig.begunCall("/test.Echo/Echo")
        try await eventually { rig.server.statistics.liveCalls == 1 }
        let stranger = await rig.call("/test.Echo/Echo", metadata: ["stranger": "yes"]).status
        #expect(stranger.code == .deadlineExceeded)
        try await known.send(RPCMessage("late"))
        #expect(try await known.next()?.text == "late")
        known.cancel()
        #expect(await known.status.code == .cancelled)
      }
    }

    @Test(arguments: Transport.allCases) func whereTooManyAreSilentTheyHaveLessTime(over transport: Transport)
      async throws
    {
      var configuration = configuration(known: .seconds(3_600), strangers: .seconds(3_600))
      (configuration.maxSilentCallsPerLoop, configuration.crowdedFirstMessageTime) = (10, .milliseconds(300))
      try await withRig(
        over: transport, [Methods.echo], configuration: configuration, interceptors: [Reads()], serverLoopCount: 1
      ) { rig in
        let spoken = rig.call("/test.Echo/Echo")
        try await spoken.send(RPCMessage("first"))
        #expect(try await spoken.next()?.text == "first")
        let held = (0..<30).map { _ in rig.begunCall("/test.Echo/Echo") }
        try await eventually { rig.server.statistics.totalCalls == 31 }
        try await eventually { rig.server.statistics.liveCalls <= 11 }
        // No more of them end than are too many, and none that has said something.
        try await spoken.send(RPCMessage("second"))
        #expect(try await spoken.next()?.text == "second")
        for call in held { call.cancel() }
        var cutOff = 0
        for call in held where await call.status.code == .deadlineExceeded { cutOff += 1 }
        #expect(cutOff >= 20)
      }
    }

    @Test(arguments: Transport.allCases) func whoHasSentOneMessageMayBeSilentForEver(over transport: Transport)
      async throws
    {
      try await withRig(over: transport, [Methods.echo], configuration: configuration()) { rig in
        let call = try await begun(rig)
        // Longer than this call has been silent, another has to be for its end.
        #expect(await rig.call("/test.Echo/Echo").status.code == .deadlineExceeded)
        #expect(await rig.call("/test.Echo/Echo").status.code == .deadlineExceeded)
        try await call.send(RPCMessage("second"))
        #expect(try await call.next()?.text == "second")
        try await call.finishSending()
        #expect(try await call.next() == nil)
      }
    }

    @Test(arguments: Transport.allCases) func whatTheServerTakesBeforeItReadsIsNotTheClients(over transport: Transport)
      async throws
    {
      let go = Gate()
      let slow = RPCMethod(path: "/test.First/Slow") { call in
        await go.wait()
        call.sendLast(try await call.next()!)
      }
      try await withRig(over: transport, [slow, Methods.echo], configuration: configuration()) { rig in
        async let answer = rig.unary("/test.First/Slow", RPCMessage("in time"))
        for _ in 0..<2 {
          #expect(await rig.call("/test.Echo/Echo").status.code == .deadlineExceeded)
        }
        go.open()
        let text = try await answer.text
        #expect(text == "in time")
      }
    }
  }
}
