import Foundation
import RPCRuntime
import TestSupport
import Testing

extension RPCRuntimeTests {
  @Suite struct Load {
    @Test(arguments: Transport.allCases) func aHundredThousandCallsLeaveNothingBehind(over transport: Transport)
      async throws
    {
      let messages = RPCMessage.liveCount
      try await withRig(over: transport, [Methods.unary]) { rig in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<100 {
            group.addTask(executorPreference: rig.clientLoops.next()) {
              let message = RPCMessage([UInt8](repeating: 5, count: 100))
              for _ in 0..<1_000 {
                let answer = try await rig.unary("/test.Echo/Unary", message)
                if answer.count != 100 { Issue.record("a wrong answer") }
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(rig.server.statistics.totalCalls == 100_000)
        try await eventually { rig.server.statistics.liveCalls == 0 && rig.clientLoops.statistics.liveBatches == 0 }
      }
      try await eventually { RPCMessage.liveCount == messages }
    }

    @Test func oneMessageToAThousandStreamsIsSharedNotCopied() async throws {
      let arrived = Counter()
      let go = Gate()
      let megabytes = 1
      let message = RPCMessage([UInt8](repeating: 9, count: megabytes << 20))
      let method = RPCMethod(path: "/test.Load/Fan") { call in
        arrived.increment()
        await go.wait()
        try await call.send(message)
      }
      var configuration = ServerConfiguration()
      configuration.maxConcurrentStreamsPerConnection = 2_000
      try await withRig([method], configuration: configuration) { rig in
        let calls = (0..<1_000).map { _ in rig.channel.call("/test.Load/Fan") }
        for call in calls { try await call.finishSending() }
        try await eventually { arrived.value == 1_000 }
        let before = residentBytes()
        let messages = RPCMessage.liveCount
        go.open()
        // Of each call: its end is watched, and the message is on its way. Nobody reads, so it stays there.
        try await eventually { rig.serverLoops.statistics.liveBatches > 1_900 }
        #expect(RPCMessage.liveCount == messages)
        #expect(residentBytes() - before < 200 << 20, "a thousand copies are 1,000 MiB")
        for call in calls { call.cancel() }
      }
    }

    @Test func wakesFromOtherThreadsAreNeverLost() async throws {
      let loops = EventLoopGroup(count: 2)
      let count = Counter()
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          let loop = loops.loops[task % 2]
          group.addTask {
            for _ in 0..<10_000 {
              await withTaskExecutorPreference(loop) {
                #expect(loop.isCurrent)
                count.increment()
              }
            }
          }
        }
      }
      #expect(count.value == 80_000)
      loops.shutdown()
    }

    @Test(arguments: Transport.allCases) func aTaskThatKeepsMakingWorkDoesNotStarveTheNetwork(over transport: Transport)
      async throws
    {
      let stop = Counter()
      let busy = RPCMethod(path: "/test.Load/Busy") { call in
        while stop.value == 0 && !Task.isCancelled { await Task.yield() }
      }
      try await withRig(over: transport, [busy, Methods.unary], serverLoopCount: 1) { rig in
        let call = rig.call("/test.Load/Busy")
        try await call.finishSending()
        for _ in 0..<100 { _ = try await rig.unary("/test.Echo/Unary", RPCMessage("")) }
        stop.increment()
        #expect(await call.status == .ok)
      }
    }

    @Test(arguments: Transport.allCases) func streamsThatAreCancelledAtRandomLeaveNothingBehind(
      over transport: Transport
    ) async throws {
      let messages = RPCMessage.liveCount
      try await withRig(over: transport, [Methods.echo]) { rig in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for task in 0..<20 {
            group.addTask {
              for round in 0..<50 {
                let call = rig.call("/test.Echo/Echo")
                do {
                  for number in 0..<((task * 7 + round) % 9) {
                    try await call.send(RPCMessage([UInt8](repeating: 1, count: number * 1_000)))
                    // Within the process nobody takes a message of who does not read.
                    if round % 3 != 0 || transport == .local { _ = try await call.next() }
                  }
                } catch is RPCStatus {}
                if round % 2 == 0 { call.cancel() }
              }
            }
          }
          try await group.waitForAll()
        }
        try await eventually { rig.server.statistics.liveCalls == 0 }
      }
      try await eventually { RPCMessage.liveCount == messages }
    }

    @Test func jobsAfterTheEndOfALoopStillRun() async throws {
      let loops = EventLoopGroup(count: 1)
      let loop = loops.loops[0]
      loops.shutdown()
      let ran = await withTaskExecutorPreference(loop) { true }
      #expect(ran)
    }
  }
}
