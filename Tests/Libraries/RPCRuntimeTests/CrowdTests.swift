import Foundation
import Testing

@testable import RPCRuntime

extension RPCRuntimeTests {
  /// More strangers and connections than the server has time for.
  @Suite struct CrowdTests {
    private typealias Reads = ReadingBoundsTests.Reads

    @Test func strangersForWhomThereIsNoTimeAreRefusedAndOthersServed() async throws {
      let (blocked, goOn) = (Gate(), DispatchSemaphore(value: 0))
      // Keeps the strangers' thread.
      let busy = RPCMethod(path: "/test.Busy/Call") { _ in
        blocked.open()
        block(until: goOn)
      }
      var configuration = ServerConfiguration()
      configuration.maxStrangersWaiting = 50
      try await withRig([busy, Methods.unary], configuration: configuration, interceptors: [Reads()]) { rig in
        defer { goOn.signal() }
        let first = try RawHTTP2(port: rig.port)
        first.write(first.call("/test.Busy/Call"))
        await blocked.wait()
        let clients = try (0..<20).map { _ in try RawHTTP2(port: rig.port) }
        for client in clients {
          client.write((0..<20).flatMap { _ in client.call("/test.Echo/Unary", message: [1]) })
        }
        try await eventually { rig.server.statistics.refusedCalls >= 300 }
        #expect(rig.server.statistics.runningCalls <= 60)
        let known = rig.channel.call("/test.Echo/Unary", metadata: ["as": "known"])
        try await known.send(RPCMessage("beside"))
        #expect(try await known.next()?.text == "beside")
      }
    }

    @Test func newConnectionsWaitUntilThoseBeforeThemAreRead() async throws {
      let blocked = Gate()
      // Keeps the only loop from everything else.
      let busy = RPCMethod(path: "/test.Busy/Call") { _ in
        blocked.open()
        usleep(400_000)
      }
      try await withRig([busy, Methods.unary], serverLoopCount: 1) { rig in
        let call = rig.channel.call("/test.Busy/Call")
        try await call.send(RPCMessage(""))
        await blocked.wait()
        let clients = try (0..<300).map { _ in try RawHTTP2(port: rig.port) }
        // Each counts for 100 ms at most, and the rig's own connection is there too.
        #expect(rig.server.connections.open <= 1 + 4 * 64)
        for client in clients { client.write(client.call("/test.Echo/Unary", message: [1])) }
        for client in clients { #expect(client.read(until: "grpc-status").count > 0) }
      }
    }

    @Test func aCrowdThatHasGoneIsNotGivenToGRPC() async throws {
      let blocked = Gate()
      // Keeps the only loop from everything else.
      let busy = RPCMethod(path: "/test.Busy/Call") { _ in
        blocked.open()
        usleep(400_000)
      }
      try await withRig([busy, Methods.unary], serverLoopCount: 1) { rig in
        let call = rig.channel.call("/test.Busy/Call")
        try await call.send(RPCMessage(""))
        await blocked.wait()
        for _ in 0..<300 {
          let client = try RawHTTP2(port: rig.port)
          client.write(client.call("/test.Echo/Unary", message: [1]))
        }
        let last = try RawHTTP2(port: rig.port)
        last.write(last.call("/test.Echo/Unary", message: [1]))
        #expect(last.read(until: "grpc-status").count > 0)
        // Those that were taken before they had gone.
        #expect(rig.server.statistics.totalCalls < 150)
      }
    }

    @Test func callsThatTheServerCutsOffAreNoResetsOfTheirClient() async throws {
      var configuration = ServerConfiguration()
      configuration.maxStrangerCalls = 10
      try await withRig([Methods.unary], configuration: configuration, interceptors: [Reads()]) { rig in
        let client = try RawHTTP2(port: rig.port)
        let started = ContinuousClock.now
        // None of them says anything, and each one after the first ten displaces another.
        for _ in 0..<300 { client.write(client.head("/test.Echo/Unary").bytes) }
        try await eventually { rig.server.statistics.totalCalls == 300 }
        // 13 s at the rate of resets.
        #expect(ContinuousClock.now - started < .seconds(8))
      }
    }

    @Test func aCallThatEndsAnotherCostsItsStrangerMore() async throws {
      var configuration = ServerConfiguration()
      configuration.maxStrangerCalls = 10
      try await withRig([Methods.unary], configuration: configuration, interceptors: [Reads()]) { rig in
        let client = try RawHTTP2(port: rig.port)
        for _ in 0..<30 { client.write(client.head("/test.Echo/Unary").bytes) }
        try await eventually { rig.server.readings.strangerCalls.load(ordering: .relaxed) == 10 + 4 * 20 }
      }
    }
  }
}

/// Keeps the thread, as what computes long would.
private func block(until semaphore: DispatchSemaphore) { _ = semaphore.wait(timeout: .now() + 60) }
