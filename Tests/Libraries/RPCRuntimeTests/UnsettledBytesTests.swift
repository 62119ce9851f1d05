import Testing

@testable import RPCRuntime

extension RPCRuntimeTests {
  /// Messages that do not end.
  @Suite struct UnsettledBytesTests {
    /// Bytes of a message that do not make it whole, and so often a whole one of another call.
    private static func endless(_ client: RawHTTP2, _ headers: [(String, String)], pieces: Int) -> [UInt8] {
      let (endless, first) = client.head("/test.Echo/Echo", headers)
      let (other, second) = client.head("/test.Echo/Echo", headers)
      var bytes = first + second + RawHTTP2.frame(0, 0, endless, [0, 0, 0x30, 0, 0])
      for _ in 0..<pieces {
        bytes += RawHTTP2.frame(0, 0, endless, [UInt8](repeating: 1, count: 16_000))
        bytes += RawHTTP2.frame(0, 0, other, [0, 0, 0, 0, 1, 1])
      }
      return bytes
    }

    /// Reads all, and answers then.
    private let sink = RPCMethod(path: "/test.Sink/Call") { call in
      while try await call.next() != nil {}
    }

    private func withServer(_ body: (Rig) async throws -> Void) async throws {
      var configuration = ServerConfiguration()
      configuration.maxStrangersUnsettledBytes = 128 << 10
      configuration.maxUnsettledBytes = 512 << 10
      try await withRig(
        [Methods.echo, sink], configuration: configuration, interceptors: [ReadingBoundsTests.Reads()], body)
    }

    @Test(arguments: [[], [("as", "known")]]) func whoeverHoldsMostIsEnded(_ headers: [(String, String)]) async throws {
      try await withServer { rig in
        let (honest, holding) = (try RawHTTP2(port: rig.port), try RawHTTP2(port: rig.port))
        let (stream, head) = honest.head("/test.Echo/Echo", headers)
        honest.write(head + RawHTTP2.frame(0, 0, stream, [0, 0, 0, 0, 1, 7]))
        try await eventually { rig.server.statistics.liveCalls == 1 }
        holding.write(Self.endless(holding, headers, pieces: 40), within: .seconds(10))
        #expect(holding.isEnded(within: .seconds(10)))
        #expect(rig.server.statistics.overrunConnections == 1)
        // Its calls have ended with it.
        try await eventually { rig.server.statistics.liveCalls == 1 }
        honest.write(RawHTTP2.frame(0, 1, stream, [0, 0, 0, 0, 1, 8]))
        #expect(honest.read(until: "grpc-status").count > 0)
      }
    }

    @Test(arguments: [[], [("as", "known")]]) func messagesThatAreWholeCountNoMore(
      _ headers: [(String, String)]
    ) async throws {
      try await withServer { rig in
        let client = try RawHTTP2(port: rig.port)
        // Never without a call, so that nothing but the messages settles anything.
        client.write(client.head("/test.Echo/Echo", headers).bytes)
        let (stream, head) = client.head("/test.Sink/Call", headers)
        client.write(head)
        let message = [0, 0, 0, 0x3e, 0x80] + [UInt8](repeating: 1, count: 16_000)
        for _ in 0..<50 { client.write(RawHTTP2.frame(0, 0, stream, message), within: .seconds(10)) }
        client.write(RawHTTP2.frame(0, 1, stream, []))
        #expect(client.read(until: "grpc-status", within: .seconds(20)).count > 0)
        #expect(rig.server.statistics.overrunConnections == 0)
      }
    }
  }
}
