import RPCRuntime
import Synchronization
import TestSupport
import Testing

extension RPCRuntimeTests {
  @Suite struct Cancellation {
    @Test(arguments: Transport.allCases) func aDeadlineEndsTheCallOnBothSides(over transport: Transport) async throws {
      let (started, outcome) = (Gate(), Box<String>())
      let left = Box<Duration>()
      let waiting = Methods.waiting("", started: started, outcome: outcome)
      let method = RPCMethod(path: "/test.Cancel/Deadline") { call in
        left.set(call.timeRemaining ?? .zero)
        #expect(call.deadline.map { $0 > .now } == true)
        try await waiting.handler(call)
      }
      try await withRig(over: transport, [method]) { rig in
        // Its handler has to begin before it ends.
        let call = rig.call("/test.Cancel/Deadline", deadline: .milliseconds(300) * patience)
        try await call.send(RPCMessage(""))
        let status = try await statusThrown { _ = try await call.next() }
        #expect(status.code == .deadlineExceeded)
        #expect(await left.get() > .zero)
        // On the wire a time of over a second is rounded up to three digits.
        #expect(await left.get() <= .milliseconds(300) * patience + .milliseconds(10))
        let seen = await outcome.get()
        // The client's reset may come in a moment before the server's own timer.
        #expect(["deadlineExceeded cancelled=true true", "cancelled cancelled=true true"].contains(seen))
      }
    }

    @Test(arguments: Transport.allCases) func aCallWithoutDeadlineHasNone(over transport: Transport) async throws {
      let method = RPCMethod(path: "/test.Cancel/None") { call in
        #expect(call.deadline == nil)
        #expect(call.timeRemaining == nil)
        call.sendLast(RPCMessage(""))
      }
      try await withRig(over: transport, [method]) { rig in
        _ = try await rig.unary("/test.Cancel/None", RPCMessage(""))
      }
    }

    @Test(arguments: Transport.allCases) func cancellingTheCallCancelsItsHandler(over transport: Transport) async throws
    {
      let (started, outcome) = (Gate(), Box<String>())
      let method = Methods.waiting("/test.Cancel/Wait", started: started, outcome: outcome)
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Cancel/Wait")
        try await call.send(RPCMessage(""))
        await started.wait()
        call.cancel()
        #expect(await outcome.get() == "cancelled cancelled=true true")
        #expect(await call.status.code == .cancelled)
      }
    }

    @Test(arguments: Transport.allCases) func cancellingTheClientsTaskCancelsTheCall(over transport: Transport)
      async throws
    {
      let (started, outcome) = (Gate(), Box<String>())
      let method = Methods.waiting("/test.Cancel/Wait", started: started, outcome: outcome)
      try await withRig(over: transport, [method]) { rig in
        let task = Task {
          let call = rig.call("/test.Cancel/Wait")
          try await call.send(RPCMessage(""))
          _ = try await call.next()
        }
        await started.wait()
        task.cancel()
        #expect(await outcome.get() == "cancelled cancelled=true true")
        switch transport {
        case .network: await #expect(throws: RPCStatus.self) { try await task.value }
        // The task's call ends because the task lets go of it.
        case .local: await #expect(throws: CancellationError.self) { try await task.value }
        }
      }
    }

    @Test(arguments: Transport.allCases) func droppingTheCallCancelsIt(over transport: Transport) async throws {
      let (started, outcome) = (Gate(), Box<String>())
      let method = Methods.waiting("/test.Cancel/Wait", started: started, outcome: outcome)
      try await withRig(over: transport, [method]) { rig in
        do {
          let call = rig.call("/test.Cancel/Wait")
          try await call.send(RPCMessage(""))
          await started.wait()
        }
        #expect(await outcome.get() == "cancelled cancelled=true true")
      }
    }

    @Test(arguments: Transport.allCases) func aHandlerInMidSendIsCancelled(over transport: Transport) async throws {
      let outcome = Box<String>()
      let method = RPCMethod(path: "/test.Cancel/Flood") { call in
        let big = RPCMessage([UInt8](repeating: 7, count: 1 << 20))
        do {
          while true { try await call.send(big) }
        } catch let status as RPCStatus {
          outcome.set("\(status.code) cancelled=\(Task.isCancelled)")
        }
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Cancel/Flood")
        _ = try await call.next()
        call.cancel()
        #expect(await outcome.get() == "cancelled cancelled=true")
      }
    }

    @Test(arguments: Transport.allCases) func halfCloseIsNotACancellation(over transport: Transport) async throws {
      let (started, outcome) = (Gate(), Box<String>())
      let method = Methods.waiting("/test.Cancel/Wait", started: started, outcome: outcome)
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Cancel/Wait")
        try await call.send(RPCMessage(""))
        await started.wait()
        try await call.finishSending()
        #expect(await call.status == .ok)
        #expect(await outcome.get() == "half-closed")
      }
    }

    @Test(arguments: Transport.allCases) func aCancelledUploadNeverLooksHalfClosed(over transport: Transport)
      async throws
    {
      let outcomes = Mutex<[String: Int]>([:])
      let method = RPCMethod(path: "/test.Cancel/Upload") { call in
        do {
          while try await call.next() != nil {}
          outcomes.withLock { $0["half-closed", default: 0] += 1 }
        } catch {
          outcomes.withLock { $0["cancelled", default: 0] += 1 }
        }
      }
      try await withRig(over: transport, [method]) { rig in
        for _ in 0..<300 {
          let call = rig.call("/test.Cancel/Upload")
          try await call.send(RPCMessage("part"))
          call.cancel()
          _ = await call.status
        }
        try await eventually { rig.server.statistics.liveCalls == 0 }
        #expect(outcomes.withLock { $0["half-closed"] } == nil)
      }
    }

    @Test func aClientWhoseConnectionBreaksCancelsTheHandler() async throws {
      let (started, outcome) = (Gate(), Box<String>())
      let method = Methods.waiting("/test.Cancel/Wait", started: started, outcome: outcome)
      try await withRig([method]) { rig in
        let relay = try TCPRelay(to: rig.port)
        let channel = Channel(target: "127.0.0.1:\(relay.port)", loops: rig.clientLoops)
        let call = channel.call("/test.Cancel/Wait")
        try await call.send(RPCMessage(""))
        await started.wait()
        relay.cut()
        #expect(await outcome.get() == "cancelled cancelled=true true")
        #expect(await call.status.code == .unavailable)
        await channel.close()
      }
    }

    @Test(arguments: Transport.allCases) func aCancelledReadLosesNoMessage(over transport: Transport) async throws {
      let ready = Gate()
      let method = RPCMethod(path: "/test.Cancel/Read") { call in
        for _ in 0..<20 {
          await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
              _ = try await call.next()
              Issue.record("a message came before one was sent")
            }
            group.cancelAll()
            while let result = await group.nextResult() {
              #expect(throws: CancellationError.self) { try result.get() }
            }
          }
        }
        ready.open()
        let kept = try await call.next()
        #expect(kept?.text == "kept")
        #expect(!Task.isCancelled)
        call.sendLast(RPCMessage("done"))
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.begunCall("/test.Cancel/Read")
        await ready.wait()
        try await call.sendLast(RPCMessage("kept"))
        #expect(try await call.next()?.text == "done")
        #expect(try await call.next() == nil)
      }
    }

    @Test func callsOnAClosedChannelAreUnavailable() async throws {
      try await withRig([Methods.unary]) { rig in
        let channel = rig.channel()
        _ = try await channel.unary("/test.Echo/Unary", RPCMessage(""))
        await channel.close()
        let status = try await statusThrown { _ = try await channel.unary("/test.Echo/Unary", RPCMessage("")) }
        #expect(status.code == .unavailable)
      }
    }

    @Test func waitingForReadyOutlastsAMissingServer() async throws {
      try await withRig([Methods.unary]) { rig in
        let relay = try TCPRelay(to: rig.port)
        let port = relay.port
        relay.cut()
        let channel = Channel(target: "127.0.0.1:\(port)", loops: rig.clientLoops)
        let refused = try await statusThrown { _ = try await channel.unary("/test.Echo/Unary", RPCMessage("")) }
        #expect(refused.code == .unavailable)
        async let answer = channel.unary("/test.Echo/Unary", RPCMessage("late"), waitsForReady: true)
        let again = try TCPRelay(to: rig.port, on: port)
        #expect(try await answer.text == "late")
        again.cut()
        await channel.close()
      }
    }
  }
}
