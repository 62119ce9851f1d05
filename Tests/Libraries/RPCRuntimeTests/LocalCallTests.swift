import RPCRuntime
import TestSupport
import Testing

extension RPCRuntimeTests {
  /// How messages pass where client and handler share a process.
  @Suite struct LocalCalls {
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
        // What else is done for the call sends nothing.
        async let reading: Void = { while try await call.next() != nil {} }()
        while true {
          let message = RPCMessage([UInt8](repeating: 1, count: 1_000))
          blocked.open()
          do { try await call.send(message) } catch { break }
          sent.increment()
        }
        try await reading
      }
      let messages = RPCMessage.liveCount
      try await withRig(over: .local, [method, Methods.unary], serverLoopCount: 1) { rig in
        let call = rig.call("/test.Local/Flood")
        await blocked.wait()
        for _ in 0..<10 { try await call.send(RPCMessage("")) }
        // Others have their turns on the only loop, so the handler has had many.
        for _ in 0..<100 { _ = try await rig.unary("/test.Echo/Unary", RPCMessage("")) }
        #expect(sent.value == 0)
        try await eventually { RPCMessage.liveCount == messages + 1 }
        for number in 1...10 {
          _ = try await call.next()
          try await eventually { sent.value == number }
          try await call.send(RPCMessage(""))
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
      let method = RPCMethod(path: "/test.Local/Late") { call in
        await go.wait()
        try await Methods.echo.handler(call)
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.call("/test.Local/Late")
        for cancelsFirst in [true, false] {
          let sending = Task {
            if cancelsFirst { while !Task.isCancelled { await Task.yield() } }
            try await call.send(RPCMessage("withdrawn"))
          }
          if !cancelsFirst { for _ in 0..<100 { await Task.yield() } }
          sending.cancel()
          await #expect(throws: CancellationError.self) { try await sending.value }
        }
        try await call.finishSending()
        go.open()
        #expect(try await call.next() == nil)
      }
    }

    @Test func aSendOfTheHandlerThatNobodyTookFails() async throws {
      let (started, outcome) = (Gate(), Box<String>())
      let method = RPCMethod(path: "/test.Local/Unread") { call in
        started.open()
        do {
          try await call.send(RPCMessage("unread"))
          outcome.set("sent")
        } catch let status as RPCStatus {
          outcome.set("\(status.code) \(call.isCancelled)")
        }
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.call("/test.Local/Unread")
        await started.wait()
        call.cancel()
        #expect(await outcome.get() == "cancelled true")
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

    @Test func aMessageIsWantedOnceTheHandlerReadsAndNeverOfACallThatIsRefused() async throws {
      let go = Gate()
      let method = RPCMethod(path: "/test.Local/Late") { call in
        await go.wait()
        try await Methods.echo.handler(call)
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.server.call("/test.Local/Late", peer: "ipv4:127.0.0.1:1")
        let answered = Counter()
        async let isWanted = {
          let isWanted = try await call.isWanted()
          answered.increment()
          return isWanted
        }()
        try await eventually { rig.server.statistics.liveCalls == 1 }
        for _ in 0..<100 { await Task.yield() }
        #expect(answered.value == 0)
        go.open()
        #expect(try await isWanted)
        #expect(try await call.isWanted(), "and again")
        call.finishSending()
        #expect(try await call.next() == nil)
        #expect(try await !call.isWanted())
        let unknown = rig.server.call("/test.Local/Nothing", peer: "ipv4:127.0.0.1:1")
        #expect(try await !unknown.isWanted())
        #expect(try await statusThrown { _ = try await unknown.only() }.code == .unimplemented)
      }
    }

    @Test func whoStopsWaitingToBeWantedLeavesTheCallAsItIs() async throws {
      let go = Gate()
      let method = RPCMethod(path: "/test.Local/Late") { call in
        await go.wait()
        try await Methods.echo.handler(call)
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.server.call("/test.Local/Late", peer: "ipv4:127.0.0.1:1")
        let waiting = Task { try await call.isWanted() }
        try await eventually { rig.server.statistics.liveCalls == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        go.open()
        #expect(try await call.isWanted())
      }
    }

    @Test func whatIsOnlyOfUseWhileACallGoesOnIsToldOfItsEnd() async throws {
      let method = RPCMethod(path: "/test.Local/End") { call in
        if try await call.next() != nil { throw RPCStatus(.outOfRange, "enough") }
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.server.call("/test.Local/End", peer: "ipv4:127.0.0.1:1")
        let (stopped, early) = (Gate(), Counter())
        let isWanted = try await call.whileOpen(stop: { early.increment() }) { try await call.isWanted() }
        #expect(isWanted)
        await call.whileOpen(stop: { stopped.open() }) {
          try? await call.send(RPCMessage("one"))
          await stopped.wait()
        }
        #expect(early.value == 0)
        let late = Counter()
        await call.whileOpen(stop: { late.increment() }) {}
        #expect(late.value == 1, "it has ended before")
        #expect(try await statusThrown { _ = try await call.only() }.code == .outOfRange)
      }
    }

    @Test func aClientsReasonIsWhatItsCallEndsWith() async throws {
      let codes = Records<RPCCode>()
      let method = RPCMethod(path: "/test.Local/Reason") { call in
        do { _ = try await call.next() } catch let status as RPCStatus {
          codes.add(status.code)
          throw status
        }
      }
      try await withRig(over: .local, [method]) { rig in
        let call = rig.server.call("/test.Local/Reason", peer: "ipv4:127.0.0.1:1")
        #expect(try await call.isWanted())
        call.cancel(because: RPCStatus(.invalidArgument, "no message"))
        call.cancel(because: RPCStatus(.dataLoss, "too late"))
        let status = try await statusThrown { _ = try await call.only() }
        #expect(status == RPCStatus(.invalidArgument, "no message"))
        try await eventually { codes.all == [.cancelled] }
      }
    }

    @Test func aResponseIsTheOnlyOne() async throws {
      let method = RPCMethod(path: "/test.Local/Count") { call in
        for _ in 0..<(try await call.next()?.count ?? 0) { try await call.send(RPCMessage("answer")) }
      }
      try await withRig(over: .local, [method]) { rig in
        for count in 0...2 {
          let call = rig.server.call("/test.Local/Count", peer: "ipv4:127.0.0.1:1")
          try await call.send(RPCMessage([UInt8](repeating: 1, count: count)))
          call.finishSending()
          if count == 1 {
            #expect(try await call.only().text == "answer")
          } else {
            #expect(try await statusThrown { _ = try await call.only() }.code == .internal)
          }
        }
      }
    }

    @Test func aCallKnowsHowLongItsMessagesMayBe() async throws {
      var configuration = ServerConfiguration()
      configuration.maxReceiveMessageBytes = 1_000
      let long = RPCMethod(path: "/test.Local/Long", limits: CallLimits(maxReceiveMessageBytes: 2_000)) { _ in }
      try await withRig(over: .local, [long, Methods.echo], configuration: configuration) { rig in
        for (path, limit) in [("/test.Local/Long", 2_000), ("/test.Echo/Echo", 1_000), ("/test.Local/Nothing", 1_000)] {
          #expect(rig.server.call(path, peer: "ipv4:127.0.0.1:1").maxMessageBytes == limit)
        }
      }
    }
  }
}
