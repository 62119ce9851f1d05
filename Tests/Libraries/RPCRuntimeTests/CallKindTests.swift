import RPCRuntime
import Testing

extension RPCRuntimeTests {
  @Suite struct CallKinds {
    static let sum = RPCMethod(path: "/test.Kinds/Sum") { call in
      var count = 0
      while let message = try await call.next() { count += message.count }
      call.sendLast(RPCMessage("\(count)"))
    }
    static let repeated = RPCMethod(path: "/test.Kinds/Repeat") { call in
      guard let message = try await call.next() else { throw RPCStatus(.invalidArgument) }
      for _ in 0..<100 { try await call.send(message, moreToCome: true) }
      try await call.send(message)
    }

    @Test(arguments: Transport.allCases) func unaryAnswers(over transport: Transport) async throws {
      try await withRig(over: transport, [Methods.unary]) { rig in
        let answer = try await rig.unary("/test.Echo/Unary", RPCMessage("hello"))
        #expect(answer.text == "hello")
      }
    }

    @Test(arguments: Transport.allCases, [0, 1, 23, 24, 1_000, 100_000, 3_000_000])
    func unaryKeepsEveryByte(over transport: Transport, size: Int) async throws {
      try await withRig(over: transport, [Methods.unary]) { rig in
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let answer = try await rig.unary("/test.Echo/Unary", RPCMessage(bytes))
        #expect(answer.bytes == bytes)
      }
    }

    @Test(arguments: Transport.allCases) func clientStreamingAnswersOnceAtTheEnd(over transport: Transport) async throws
    {
      try await withRig(over: transport, [Self.sum]) { rig in
        let call = rig.call("/test.Kinds/Sum")
        for _ in 0..<50 { try await call.send(RPCMessage("four"), moreToCome: true) }
        try await call.finishSending()
        #expect(try await call.next()?.text == "200")
        #expect(try await call.next() == nil)
        #expect(await call.status == .ok)
      }
    }

    @Test(arguments: Transport.allCases) func serverStreamingDeliversAllInOrder(over transport: Transport) async throws
    {
      try await withRig(over: transport, [Self.repeated]) { rig in
        let call = rig.call("/test.Kinds/Repeat")
        try await call.sendLast(RPCMessage("again"))
        var count = 0
        while let message = try await call.next() {
          #expect(message.text == "again")
          count += 1
        }
        #expect(count == 101)
      }
    }

    @Test(arguments: Transport.allCases) func bidirectionalStreamAnswersEachMessage(over transport: Transport)
      async throws
    {
      try await withRig(over: transport, [Methods.echo]) { rig in
        let call = rig.call("/test.Echo/Echo")
        for number in 0..<500 {
          try await call.send(RPCMessage("\(number)"))
          #expect(try await call.next()?.text == "\(number)")
        }
        try await call.finishSending()
        #expect(try await call.next() == nil)
      }
    }

    @Test(arguments: Transport.allCases) func manyStreamsShareOneChannel(over transport: Transport) async throws {
      try await withRig(over: transport, [Methods.echo]) { rig in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for stream in 0..<200 {
            group.addTask {
              let call = rig.call("/test.Echo/Echo")
              for number in 0..<20 {
                try await call.send(RPCMessage("\(stream)/\(number)"))
                #expect(try await call.next()?.text == "\(stream)/\(number)")
              }
              try await call.finishSending()
              #expect(try await call.next() == nil)
            }
          }
          try await group.waitForAll()
        }
      }
    }

    @Test(arguments: Transport.allCases) func readingAndWritingRunInTwoTasksOfOneHandler(over transport: Transport)
      async throws
    {
      let method = RPCMethod(path: "/test.Kinds/Both") { call in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { for number in 0..<100 { try await call.send(RPCMessage("\(number)")) } }
          group.addTask { while try await call.next() != nil {} }
          try await group.waitForAll()
        }
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Kinds/Both")
        for _ in 0..<100 { try await call.send(RPCMessage("up")) }
        for number in 0..<100 { #expect(try await call.next()?.text == "\(number)") }
        try await call.finishSending()
        #expect(try await call.next() == nil)
      }
    }

    @Test(arguments: Transport.allCases) func concurrentSendsOfOneHandlerTakeTurns(over transport: Transport)
      async throws
    {
      let method = RPCMethod(path: "/test.Kinds/Turns") { call in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<50 { group.addTask { try await call.send(RPCMessage("\(number)")) } }
          try await group.waitForAll()
        }
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Kinds/Turns")
        try await call.finishSending()
        var seen: Set<String> = []
        while let message = try await call.next() { seen.insert(message.text) }
        #expect(seen.count == 50)
      }
    }

    @Test(arguments: Transport.allCases) func handlersRunOnTheLoopOfTheirCall(over transport: Transport) async throws {
      let method = RPCMethod(path: "/test.Kinds/Loop") { call in
        #expect(call.loop.isCurrent)
        _ = try await call.next()
        #expect(call.loop.isCurrent)
        async let child = call.loop.isCurrent
        #expect(await child)
        call.sendLast(RPCMessage(""))
      }
      try await withRig(over: transport, [method]) { rig in
        _ = try await rig.unary("/test.Kinds/Loop", RPCMessage(""))
      }
    }

    @Test(arguments: Transport.allCases) func aHandlerThatReturnsEndsACallTheClientHasNotHalfClosed(
      over transport: Transport
    ) async throws {
      let method = RPCMethod(path: "/test.Kinds/Early") { call in
        _ = try await call.next()
        throw RPCStatus(.alreadyExists, "enough")
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Kinds/Early")
        try await call.send(RPCMessage("one"))
        let status = try await statusThrown { _ = try await call.next() }
        #expect(status == RPCStatus(.alreadyExists, "enough"))
        let late = try await statusThrown { while true { try await call.send(RPCMessage("late")) } }
        #expect(late == status)
      }
    }
  }
}
