import Dispatch
import Synchronization
import TestSupport
import Testing

// What a call leaves in its loop, and what it came by, is the runtime's own.
@testable import RPCRuntime

extension RPCRuntimeTests {
  /// Where calls within the process begin, for whom, and how they end.
  @Suite struct LocalCallLife {
    private static let stranger = "ipv4:192.0.2.1:50123"

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
        for loop in rig.serverLoops.loops.reversed() {
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
      var configuration = ServerConfiguration()
      // What gRPC holds of the loop would wait as well.
      configuration.requestedCallsPerLoop = 0
      try await withRig(over: .local, [Methods.echo], configuration: configuration) { rig in
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
        var deadlines: [(seconds: Int64, nanoseconds: Int32, number: String)] = []
        await withTaskGroup(of: Void.self) { group in
          for number in (0..<40).shuffled() {
            let deadline = Duration.milliseconds(2_000 + 2 * number)
            let early = rig.call("/test.Local/Deadline", deadline: deadline)
            try? await early.finishSending()
            let late = rig.call("/test.Local/Deadline", metadata: ["number": "\(number)"], deadline: deadline)
            if let wire = (late as? LocalCall)?.wire {
              deadlines.append((wire.deadline.tv_sec, wire.deadline.tv_nsec, "\(number)"))
            }
            group.addTask {
              #expect(await early.status == .ok)
              #expect(await late.status == RPCStatus(.deadlineExceeded, "the deadline of the call has passed"))
            }
          }
        }
        try await eventually { ended.all.count == 40 }
        // Each counts from its call's own beginning.
        #expect(ended.all == deadlines.sorted { $0 < $1 }.map(\.number))
        let past = rig.call("/test.Local/Deadline", deadline: .milliseconds(-1_500))
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
