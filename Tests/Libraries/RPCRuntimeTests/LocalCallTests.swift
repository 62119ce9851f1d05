import Dispatch
import Synchronization
import Testing

// What a call leaves in its loop, and what it came by, is the runtime's own.
@testable import RPCRuntime

extension RPCRuntimeTests {
  /// What is different where client and handler share a process.
  @Suite struct LocalCalls {
    private static let stranger = "ipv4:192.0.2.1:50123"

    /// What handlers saw, in order.
    private final class Records<Value: Sendable>: Sendable {
      private let values = Mutex<[Value]>([])
      func add(_ value: Value) { values.withLock { $0.append(value) } }
      var all: [Value] { values.withLock { $0 } }
    }

    @Test func aMessageArrivesAsTheSameObject() async throws {
      let received = Records<RPCMessage>()
      let method = RPCMethod(path: "/test.Local/Same") { call in
        while let message = try await call.next() {
          received.add(message)
          try await call.send(message)
        }
        call.sendLast(received.all[0])
      }
      try await withRig(over: .local, [method]) { rig in
        let messages = [RPCMessage("short"), RPCMessage([UInt8](repeating: 1, count: 1_000))]
        let call = rig.call("/test.Local/Same")
        for message in messages {
          try await call.send(message)
          #expect(try await call.next() === message)
        }
        try await call.finishSending()
        #expect(try await call.next() === messages[0])
        #expect(try await call.next() == nil)
        #expect(received.all.elementsEqual(messages, by: ===))
      }
    }

    @Test func whoDoesNotReadHoldsOneMessageAndTheHandler() async throws {
      let (sent, blocked) = (Counter(), Gate())
      let method = RPCMethod(path: "/test.Local/Flood") { call in
        while true {
          let message = RPCMessage([UInt8](repeating: 1, count: 1_000))
          blocked.open()
          try await call.send(message)
          sent.increment()
        }
      }
      let messages = RPCMessage.liveCount
      try await withRig(over: .local, [method, Methods.unary], serverLoopCount: 1) { rig in
        let call = rig.call("/test.Local/Flood")
        await blocked.wait()
        // Others have their turns on the only loop, so the handler has had many.
        for _ in 0..<100 { _ = try await rig.unary("/test.Echo/Unary", RPCMessage("")) }
        #expect(sent.value == 0)
        try await eventually { RPCMessage.liveCount == messages + 1 }
        for number in 1...10 {
          _ = try await call.next()
          try await eventually { sent.value == number }
          for _ in 0..<10 { _ = try await rig.unary("/test.Echo/Unary", RPCMessage("")) }
          #expect(sent.value == number)
          try await eventually { RPCMessage.liveCount == messages + 1 }
        }
      }
      try await eventually { RPCMessage.liveCount == messages }
    }

    @Test func aSendEndsWhenTheHandlerHasTakenItsMessage() async throws {
      let (go, taken) = (Gate(), Counter())
      let method = RPCMethod(path: "/test.Local/Late") { call in
        await go.wait()
        while try await call.next() != nil { taken.increment() }
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.call("/test.Local/Late")
        let sent = Counter()
        async let sending: Void = {
          try await call.send(RPCMessage("one"))
          sent.increment()
        }()
        try await eventually { rig.server.statistics.liveCalls == 1 }
        #expect(sent.value == 0)
        go.open()
        try await sending
        try await eventually { taken.value == 1 }
        try await call.finishSending()
        #expect(await call.status == .ok)
        let late = try await statusThrown { try await call.send(RPCMessage("late")) }
        #expect(late.code == .failedPrecondition)
      }
    }

    @Test func nothingIsSentAfterTheHalfClose() async throws {
      try await withRig(over: .local, [Methods.echo]) { rig in
        let call = rig.call("/test.Echo/Echo")
        try await call.finishSending()
        let status = try await statusThrown { try await call.send(RPCMessage("late")) }
        #expect(status.code == .failedPrecondition)
        #expect(await call.status == .ok)
      }
    }

    @Test func aCancelledSendSendsNothing() async throws {
      let go = Gate()
      let method = RPCMethod(path: "/test.Local/Count") { call in
        await go.wait()
        while let message = try await call.next() { try await call.send(message) }
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.call("/test.Local/Count")
        for cancelsFirst in [true, false] {
          let sending = Task {
            if cancelsFirst { while !Task.isCancelled { await Task.yield() } }
            try await call.send(RPCMessage("withdrawn"))
          }
          if !cancelsFirst { for _ in 0..<100 { await Task.yield() } }
          sending.cancel()
          await #expect(throws: CancellationError.self) { try await sending.value }
        }
        go.open()
        try await call.sendLast(RPCMessage("kept"))
        #expect(try await call.next()?.text == "kept")
        #expect(try await call.next() == nil)
      }
    }

    @Test func aCancelledReadOfTheClientLosesNoMessageAndNoCall() async throws {
      let go = Gate()
      let method = RPCMethod(path: "/test.Local/Numbers") { call in
        await go.wait()
        for number in 0..<200 { try await call.send(RPCMessage("\(number)")) }
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.call("/test.Local/Numbers")
        let first = Task { try await call.next() }
        for _ in 0..<100 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        go.open()
        var seen: [String] = []
        var isEnded = false
        while !isEnded {
          let reading = Task { try await call.next() }
          if seen.count % 3 == 0 { reading.cancel() }
          do {
            if let message = try await reading.value { seen.append(message.text) } else { isEnded = true }
          } catch is CancellationError {}
        }
        #expect(seen == (0..<200).map(String.init))
      }
    }

    @Test func twoTasksCannotReadOrSendAtOnce() async throws {
      let method = RPCMethod(path: "/test.Local/Silent") { call in
        while !Task.isCancelled { await Task.yield() }
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.call("/test.Local/Silent")
        let codes = await withTaskGroup(of: RPCCode?.self) { group in
          for _ in 0..<2 {
            group.addTask { (try? await statusThrown { _ = try await call.next() })?.code }
            group.addTask { (try? await statusThrown { try await call.send(RPCMessage("")) })?.code }
          }
          var codes: [RPCCode?] = []
          for _ in 0..<2 { codes.append(await group.next()!) }
          call.cancel()
          for _ in 0..<2 { codes.append(await group.next()!) }
          return codes
        }
        #expect(codes == [.internal, .internal, .cancelled, .cancelled])
      }
    }

    @Test func itStaysOnTheLoopThatItWasMadeOn() async throws {
      let method = RPCMethod(path: "/test.Local/Loop") { call in
        while let message = try await call.next() {
          #expect(call.loop.isCurrent)
          try await call.send(message)
          #expect(call.loop.isCurrent)
        }
        call.sendLast(RPCMessage("\(call.loop.index)"))
      }
      try await withRig(over: .local, [method], serverLoopCount: 3) { rig in
        for loop in rig.serverLoops.loops {
          await withTaskExecutorPreference(loop) {
            await #expect(throws: Never.self) {
              let call = rig.call("/test.Local/Loop")
              for _ in 0..<10 {
                try await call.send(RPCMessage(""))
                #expect(loop.isCurrent)
                _ = try await call.next()
                #expect(loop.isCurrent)
              }
              try await call.finishSending()
              #expect(try await call.next()?.text == "\(loop.index)")
            }
          }
        }
      }
    }

    @Test func itIsCountedForItsClientsAddress() async throws {
      var configuration = ServerConfiguration()
      configuration.maxCallsPerAddress = 2
      configuration.trustedProxies = try #require(TrustedProxies("10.0.0.1"))
      try await withRig(over: .local, [Methods.echo], configuration: configuration) { rig in
        func open(_ peer: String, forwarded: String? = nil) async throws -> any TestCall {
          let call = rig.call("/test.Echo/Echo", metadata: forwarded.map { ["x-forwarded-for": $0] } ?? [:], peer: peer)
          try await call.send(RPCMessage(""))
          _ = try await call.next()
          return call
        }
        var calls: [any TestCall] = []
        for port in 1...2 { calls.append(try await open("ipv4:192.0.2.1:\(port)")) }
        // What a client says of itself does not count; what a trusted proxy says does.
        for (peer, forwarded) in [("ipv4:192.0.2.1:3", "192.0.2.9"), ("ipv4:10.0.0.1:4", "192.0.2.1")] {
          let status = try await statusThrown { _ = try await open(peer, forwarded: forwarded) }
          #expect(status == RPCStatus(.resourceExhausted, "at most 2 calls at once from one address"))
        }
        calls.append(try await open("ipv4:10.0.0.1:4", forwarded: "192.0.2.9"))
        #expect(rig.server.statistics.addresses == 2)
        for call in calls { call.cancel() }
        try await eventually { rig.server.statistics.addresses == 0 }
      }
    }

    @Test func itEndsWithUnavailableWhileTheServerDoesNotRun() async throws {
      let loops = EventLoopGroup(count: 1)
      let server = try Server(configuration: ServerConfiguration(), methods: [Methods.unary], loops: loops)
      func expectUnavailable() async throws {
        let call = server.call("/test.Echo/Unary", peer: Self.stranger)
        let sent = try await statusThrown { try await call.send(RPCMessage("")) }
        let read = try await statusThrown { _ = try await call.next() }
        #expect(sent.code == .unavailable && read.code == .unavailable)
      }
      try await expectUnavailable()
      _ = try server.start()
      let call = server.call("/test.Echo/Unary", peer: Self.stranger)
      try await call.send(RPCMessage("runs"))
      #expect(try await call.next()?.text == "runs")
      await server.shutdown(grace: .zero)
      try await expectUnavailable()
      loops.shutdown()
      // Nor on loops that have ended.
      try await expectUnavailable()
    }

    @Test func itIsRefusedDuringTheGrace() async throws {
      let (started, finish) = (Gate(), Gate())
      let slow = RPCMethod(path: "/test.Local/Slow") { call in
        started.open()
        await finish.wait()
        call.sendLast(RPCMessage("in time"))
      }
      try await withRig(over: .local, [slow, Methods.unary]) { rig in
        let first = rig.call("/test.Local/Slow")
        await started.wait()
        async let shutdown: Void = rig.server.shutdown(grace: .seconds(60))
        while true {
          do { _ = try await rig.unary("/test.Echo/Unary", RPCMessage("")) } catch let status as RPCStatus {
            #expect(status.code == .unavailable)
            break
          }
        }
        finish.open()
        #expect(try await first.next()?.text == "in time")
        #expect(try await first.next() == nil)
        await shutdown
      }
    }

    @Test func callsThatOutlastTheGraceAreUnavailable() async throws {
      try await withRig(over: .local, [Methods.echo]) { rig in
        let call = rig.call("/test.Echo/Echo")
        try await call.send(RPCMessage("unread"))
        await rig.server.shutdown(grace: .zero)
        #expect(await call.status == RPCStatus(.unavailable, "the server has shut down"))
      }
    }

    @Test func shutdownWaitsForACallThatHasNotBegun() async throws {
      try await withRig(over: .local, [Methods.echo]) { rig in
        let (isFree, entered) = (Counter(), Gate())
        let hold = DispatchSemaphore(value: 0)
        let call = Mutex<(any TestCall)?>(nil)
        // The call begins when its loop is free.
        let busy = Task(executorPreference: rig.serverLoops.loops[1]) {
          call.withLock { $0 = rig.call("/test.Echo/Echo") }
          entered.open()
          hold.wait()
          isFree.increment()
        }
        await entered.wait()
        async let isFreeAtTheEnd = {
          await rig.server.shutdown(grace: .zero)
          return isFree.value == 1
        }()
        // By this end of one on the other loop the shutdown is known to have begun.
        let other = await withTaskExecutorPreference(rig.serverLoops.loops[0]) {
          await rig.call("/test.Echo/Echo").status
        }
        #expect(other.code == .unavailable)
        try await Task.sleep(for: .milliseconds(50))
        hold.signal()
        #expect(await isFreeAtTheEnd)
        await busy.value
        #expect(await call.withLock { $0 }?.status.code == .unavailable)
      }
    }

    @Test func oneThatIsDroppedLeavesNothing() async throws {
      try await withRig(over: .local, [Methods.echo]) { rig in
        for number in 0..<1_000 {
          let call = rig.call("/test.Echo/Echo", deadline: .seconds(3_600))
          // Some have begun, others have not.
          if number % 2 == 0 { try await call.send(RPCMessage("")) }
        }
        try await eventually { rig.serverLoops.statistics == .nothing && rig.server.statistics.liveCalls == 0 }
        for loop in rig.serverLoops.loops {
          #expect(await withTaskExecutorPreference(loop) { loop.deadlines.isEmpty })
        }
      }
    }

    @Test func theEndIsBehindTheLastMessageAndWaitsForNobody() async throws {
      let messages = RPCMessage.liveCount
      let method = RPCMethod(path: "/test.Local/Last") { call in
        call.setInitialMetadata(["x-head": "h"])
        call.setTrailingMetadata(["x-tail": "t"])
        call.sendLast(RPCMessage("last"))
      }
      try await withRig(over: .local, [method]) { rig in
        do {
          let call = rig.call("/test.Local/Last")
          // The server has done its part, though nobody has read it.
          try await eventually { rig.serverLoops.statistics == .nothing }
          #expect(rig.server.statistics.totalCalls == 1)
          #expect(try await call.next()?.text == "last")
          #expect(try await call.headers() == ["x-head": "h"])
          for _ in 0..<2 { #expect(try await call.next() == nil) }
          #expect(call.trailingMetadata == ["x-tail": "t"])
        }
        _ = rig.call("/test.Local/Last")
        try await eventually { rig.serverLoops.statistics == .nothing }
        #expect(RPCMessage.liveCount == messages)
      }
    }

    @Test func cuttingOffPassesWhatIsUnreadAndEndingDoesNot() async throws {
      for isCutOff in [true, false] {
        let open = Box<ServerCall>()
        let method = RPCMethod(path: "/test.Local/End") { call in
          open.set(call)
          try await call.send(RPCMessage("unread"))
        }
        try await withRig(over: .local, [method, Methods.unary], serverLoopCount: 1) { rig in
          let call = rig.call("/test.Local/End")
          let handlers = await open.get()
          // Behind this the message is on its way.
          _ = try await rig.unary("/test.Echo/Unary", RPCMessage(""))
          let status = RPCStatus(.unauthenticated, "it is over", details: [1, 2])
          if isCutOff { handlers.cutOff(with: status) } else { handlers.end(with: status) }
          if !isCutOff { #expect(try await call.next()?.text == "unread") }
          let seen = try await statusThrown { _ = try await call.next() }
          #expect(seen == RPCStatus(status.code, status.message, details: isCutOff ? [] : status.details))
        }
      }
    }

    @Test func deadlinesPassInTheirOrderAndOnlyForThoseThatAreLate() async throws {
      let ended = Records<String>()
      let method = RPCMethod(path: "/test.Local/Deadline") { call in
        do { _ = try await call.next() } catch {
          for number in call.headers("number") { ended.add(number) }
          throw error
        }
      }
      try await withRig(over: .local, [method], serverLoopCount: 1) { rig in
        let endless = rig.call("/test.Local/Deadline")
        await withTaskGroup(of: Void.self) { group in
          for number in (0..<40).shuffled() {
            let deadline = Duration.milliseconds(100 + 2 * number)
            let early = rig.call("/test.Local/Deadline", deadline: deadline)
            let late = rig.call("/test.Local/Deadline", metadata: ["number": "\(number)"], deadline: deadline)
            group.addTask {
              try? await early.finishSending()
              #expect(await early.status == .ok)
              #expect(await late.status == RPCStatus(.deadlineExceeded, "the deadline of the call has passed"))
            }
          }
        }
        try await eventually { ended.all.count == 40 }
        #expect(ended.all == (0..<40).map(String.init))
        let past = rig.call("/test.Local/Deadline", deadline: .seconds(-1))
        #expect(await past.status.code == .deadlineExceeded)
        try await endless.finishSending()
        #expect(await endless.status == .ok)
      }
    }

    @Test func itComesByNoConnectionOfTheNetwork() async throws {
      let calls = Records<ServerCall>()
      let method = RPCMethod(path: "/test.Local/Peer") { call in
        calls.add(call)
        call.sendLast(RPCMessage(call.peer))
      }
      try await withRig(over: .local, [method]) { rig in
        let peer = try await rig.channel.unary("/test.Local/Peer", RPCMessage("")).text
        // An address that is somebody else's on another port.
        let call = rig.call("/test.Local/Peer", metadata: ["x-one": "1", "x-two": "2", "X-One": "3"], peer: peer)
        #expect(try await call.next()?.text == peer)
        let (network, local) = (calls.all[0], calls.all[1])
        #expect(network.connection != nil && local.connection == nil)
        #expect(local.peerIdentity == nil)
        #expect(local.headers("x-one") == ["1", "3"])
      }
    }
  }
}
