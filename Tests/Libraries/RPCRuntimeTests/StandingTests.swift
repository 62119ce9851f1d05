import RPCRuntime
import Testing

extension RPCRuntimeTests {
  @Suite struct Standing {
    /// Calls say what they are; "later" is a stranger until its handler begins.
    struct Reads: ServerInterceptor {
      func standing(of call: ServerCall) -> CallStanding? {
        switch call.headers("as").first {
        case "stranger", "later": .stranger
        case "check": .check
        case "vital": .vital
        default: nil
        }
      }

      func intercept(_ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void) async throws {
        if call.metadata.first("as") == "later" { call.vouch(as: .known) }
        try await next(call)
      }
    }

    private func open(_ rig: Rig, as standing: String, of address: String? = nil) async throws -> ClientCall {
      var metadata: Metadata = ["as": standing]
      if let address { metadata.append("x-forwarded-for", address) }
      let call = rig.channel.call("/test.Echo/Echo", metadata: metadata)
      try await call.send(RPCMessage(""))
      _ = try await call.next()
      return call
    }

    private func configuration(all: Int = 100_000) throws -> ServerConfiguration {
      var configuration = ServerConfiguration()
      configuration.trustedProxies = try #require(TrustedProxies("127.0.0.1"))
      configuration.maxConcurrentCalls = all
      configuration.maxCallsPerAddress = 6
      configuration.maxStrangerCalls = 3
      configuration.maxStrangerCallsPerAddress = 2
      return configuration
    }

    @Test(arguments: Transport.allCases) func theOldestStrangerMakesRoomAndNobodyElseDoes(over transport: Transport)
      async throws
    {
      try await withRig(over: transport, [Methods.echo], configuration: configuration(), interceptors: [Reads()]) {
        rig in
        var known: [any TestCall] = []
        for standing in ["known", "later", "vital"] { known.append(try await open(rig, as: standing, of: "192.0.2.9")) }
        var strangers: [any TestCall] = []
        for host in 1...5 { strangers.append(try await open(rig, as: "stranger", of: "192.0.2.\(host)")) }
        for call in strangers.prefix(2) {
          let status = try await statusThrown { _ = try await call.next() }
          #expect(status == RPCStatus(.resourceExhausted, "the server ended the call in favour of newer ones"))
        }
        try await eventually { rig.server.statistics.liveCalls == 6 && rig.server.statistics.strangerCalls == 3 }
        for call in known + strangers.suffix(3) {
          try await call.send(RPCMessage("still there"))
          #expect(try await call.next()?.text == "still there")
          try await call.finishSending()
        }
        try await eventually { rig.server.statistics.addresses == 0 }
      }
    }

    @Test(arguments: Transport.allCases) func oneAddressHasSoManyCallsAndStrangersFewer(over transport: Transport)
      async throws
    {
      try await withRig(over: transport, [Methods.echo], configuration: configuration(), interceptors: [Reads()]) {
        rig in
        var calls: [any TestCall] = []
        func expectRefusal(_ standing: String) async throws {
          let status = try await statusThrown { _ = try await open(rig, as: standing, of: "192.0.2.1") }
          #expect(status.code == .resourceExhausted && status.message.contains("from one address"), "\(standing)")
        }
        for _ in 0..<2 { calls.append(try await open(rig, as: "stranger", of: "192.0.2.1")) }
        try await expectRefusal("stranger")
        for _ in 0..<4 { calls.append(try await open(rig, as: "known", of: "192.0.2.1")) }
        for standing in ["known", "vital"] { try await expectRefusal(standing) }
        for standing in ["stranger", "known"] { calls.append(try await open(rig, as: standing, of: "192.0.2.2")) }
        for call in calls { call.cancel() }
      }
    }

    @Test(arguments: Transport.allCases) func whenTheServerIsFullVitalCallsAndChecksStillPass(over transport: Transport)
      async throws
    {
      try await withRig(over: transport, [Methods.echo], configuration: configuration(all: 20), interceptors: [Reads()])
      { rig in
        var calls: [any TestCall] = []
        for number in 0..<19 { calls.append(try await open(rig, as: "known", of: "192.0.2.\(number)")) }
        for standing in ["known", "later", "stranger"] {
          let status = try await statusThrown { _ = try await open(rig, as: standing, of: "192.0.2.200") }
          #expect(status.code == .resourceExhausted, "\(standing)")
        }
        for standing in ["vital", "check"] {
          let call = try await open(rig, as: standing, of: "192.0.2.201")
          try await call.finishSending()
          try await eventually { rig.server.statistics.liveCalls == 19 }
        }
        for call in calls { call.cancel() }
      }
    }
  }
}
