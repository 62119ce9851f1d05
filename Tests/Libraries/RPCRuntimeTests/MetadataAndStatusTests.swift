import RPCRuntime
import Synchronization
import Testing

extension RPCRuntimeTests {
  @Suite struct MetadataAndStatus {
    @Test(arguments: Transport.allCases) func headersAndTrailersGoBothWays(over transport: Transport) async throws {
      let method = RPCMethod(path: "/test.Meta/Both") { call in
        #expect(call.metadata.first("x-text") == "one")
        #expect(call.metadata.all("x-text") == [.text("one"), .text("two")])
        #expect(call.metadata.firstBinary("x-bytes-bin") == [0, 255, 10, 128])
        #expect(call.peer.hasPrefix("ipv4:127.0.0.1:"))
        #expect(call.peerIdentity == nil)
        var head = Metadata()
        head.append("x-head", "h")
        head.append("x-head-bin", binary: [1, 2, 3])
        call.setInitialMetadata(head)
        var tail: Metadata = ["x-tail": "t"]
        tail.append("x-tail-bin", binary: [])
        call.setTrailingMetadata(tail)
        _ = try await call.next()
        try await call.send(RPCMessage("body"))
      }
      try await withRig(over: transport, [method]) { rig in
        var metadata: Metadata = ["X-Text": "one"]
        metadata.append("x-text", "two")
        metadata.append("x-bytes-bin", binary: [0, 255, 10, 128])
        let call = rig.call("/test.Meta/Both", metadata: metadata)
        try await call.sendLast(RPCMessage(""))
        let head = try await call.headers()
        #expect(head.first("x-head") == "h")
        #expect(head.firstBinary("x-head-bin") == [1, 2, 3])
        while try await call.next() != nil {}
        #expect(call.trailingMetadata.first("x-tail") == "t")
        #expect(call.trailingMetadata.firstBinary("x-tail-bin") == [])
      }
    }

    @Test(arguments: Transport.allCases) func headersCanGoAheadOfTheFirstMessage(over transport: Transport) async throws
    {
      let gate = Gate()
      let method = RPCMethod(path: "/test.Meta/Ahead") { call in
        call.setInitialMetadata(["x-early": "yes"])
        try await call.sendInitialMetadata()
        try await call.sendInitialMetadata()
        await gate.wait()
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Meta/Ahead")
        let head = try await call.headers()
        #expect(head.first("x-early") == "yes")
        gate.open()
        #expect(await call.status == .ok)
      }
    }

    @Test(arguments: Transport.allCases) func statusCarriesMessageAndDetails(over transport: Transport) async throws {
      let thrown = RPCStatus(.failedPrecondition, "no consent — «öffnen» 100%", details: [8, 9, 0, 1, 255])
      let method = RPCMethod(path: "/test.Meta/Fails") { _ in throw thrown }
      try await withRig(over: transport, [method]) { rig in
        let status = try await statusThrown { _ = try await rig.unary("/test.Meta/Fails", RPCMessage("")) }
        #expect(status == thrown)
      }
    }

    @Test(arguments: Transport.allCases, RPCCode.allCases.filter { $0 != .ok })
    func everyCodeArrives(over transport: Transport, code: RPCCode) async throws {
      let method = RPCMethod(path: "/test.Meta/Code") { _ in throw RPCStatus(code, "x") }
      try await withRig(over: transport, [method]) { rig in
        let status = try await statusThrown { _ = try await rig.unary("/test.Meta/Code", RPCMessage("")) }
        #expect(status == RPCStatus(code, "x"))
      }
    }

    @Test(arguments: Transport.allCases) func anUnknownErrorTellsTheClientNothingButALogID(over transport: Transport)
      async throws
    {
      struct Secret: Error {}
      let logged = Box<ServerLogEntry>()
      let method = RPCMethod(path: "/test.Meta/Secret") { _ in throw Secret() }
      try await withRig(over: transport, [method], logger: { logged.set($0) }) { rig in
        let status = try await statusThrown { _ = try await rig.unary("/test.Meta/Secret", RPCMessage("")) }
        let entry = await logged.get()
        #expect(status == RPCStatus(.internal, "internal error; log id \(entry.id)"))
        #expect(entry.error is Secret)
        #expect(entry.path == "/test.Meta/Secret")
      }
    }

    @Test(arguments: Transport.allCases) func anUnknownPathIsUnimplemented(over transport: Transport) async throws {
      try await withRig(over: transport, [Methods.unary]) { rig in
        let status = try await statusThrown { _ = try await rig.unary("/test.Echo/Nothing", RPCMessage("")) }
        #expect(status.code == .unimplemented)
      }
    }

    @Test(arguments: Transport.allCases) func illegalHeadersFailTheirOwnCallOnly(over transport: Transport) async throws
    {
      let method = RPCMethod(path: "/test.Meta/Illegal") { call in
        call.setInitialMetadata(["bad key": "x"])
        try await call.send(RPCMessage(""))
      }
      try await withRig(over: transport, [method, Methods.unary]) { rig in
        let sent = try await statusThrown {
          _ = try await rig.unary("/test.Echo/Unary", RPCMessage(""), metadata: ["x": "new\nline"])
        }
        #expect(sent.code == .internal)
        let received = try await statusThrown { _ = try await rig.unary("/test.Meta/Illegal", RPCMessage("")) }
        #expect(received.code == .internal)
        #expect(try await rig.unary("/test.Echo/Unary", RPCMessage("fine")).text == "fine")
      }
    }

    @Test func twoMethodsCannotShareAPath() throws {
      let loops = EventLoopGroup(count: 1)
      defer { loops.shutdown() }
      #expect(throws: ServerError.duplicateMethod("/test.Echo/Unary")) {
        _ = try Server(configuration: ServerConfiguration(), methods: [Methods.unary, Methods.unary], loops: loops)
      }
    }

    @Test func aTakenPortFailsToStart() async throws {
      try await withRig([]) { rig in
        let other = try Server(
          configuration: ServerConfiguration(listenAddresses: ["127.0.0.1:\(rig.port)"]), methods: [],
          loops: rig.serverLoops)
        #expect(throws: ServerError.cannotListen("127.0.0.1:\(rig.port)")) { _ = try other.start() }
      }
    }
  }
}
