import Foundation
import TestSupport
import Testing

@testable import RPCRuntime

extension RPCRuntimeTests {
  /// What a connection can have the server do before it is done with it.
  @Suite struct ReadingBoundsTests {
    /// Nobody vouches for anybody but for calls that say so.
    struct Reads: ServerInterceptor {
      func standing(of call: ServerCall) -> CallStanding? { call.headers("as").first == "known" ? .known : .stranger }
      func intercept(_ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void) async throws {
        try await next(call)
      }
    }

    /// Answers when it is told to, also a client that has left: as what does not look at its cancellation.
    private func held(until gate: Gate) -> RPCMethod {
      RPCMethod(path: "/test.Held/Call") { call in
        _ = try? await call.next()
        await gate.wait()
        call.sendLast(RPCMessage("done"))
      }
    }

    /// Until the call is cancelled, as it is when its connection has ended.
    private let sleeper = RPCMethod(path: "/test.Sleeper/Call") { call in
      _ = try await call.next()
      try await Task.sleep(for: .seconds(600))
    }

    private func withServer(_ body: (Rig, Gate) async throws -> Void) async throws {
      let gate = Gate()
      var configuration = ServerConfiguration()
      configuration.maxStrangerCalls = 50_000
      try await withRig([held(until: gate), Methods.echo], configuration: configuration, interceptors: [Reads()]) {
        rig in
        defer { gate.open() }
        try await body(rig, gate)
      }
    }

    @Test func aConnectionIsNotReadWhileTheServerHasMuchToDoForIt() async throws {
      try await withServer { rig, gate in
        let client = try RawHTTP2(port: rig.port)
        let calls = (0..<1_000).flatMap { _ in client.call("/test.Held/Call") }
        client.write(calls, within: .milliseconds(500))
        try await eventually { rig.server.statistics.heldConnections == 1 }
        // The bound, and what one more allowance holds.
        #expect(rig.server.statistics.liveCalls < 100)
        // Others are served meanwhile.
        let other = rig.channel.call("/test.Echo/Echo")
        try await other.send(RPCMessage("beside"))
        #expect(try await other.next()?.text == "beside")
        gate.open()
        try await eventually { rig.server.statistics.totalCalls >= 1_001 }
      }
    }

    /// Answers when it is told to, and keeps the messages that have come until then.
    private func keeping(_ messages: Records<String>, until gate: Gate) -> RPCMethod {
      RPCMethod(path: "/test.Keeping/Call") { call in
        guard let message = try await call.next() else { return }
        await gate.wait()
        messages.add(message.text)
        call.sendLast(RPCMessage("done"))
      }
    }

    @Test func messagesMayComeBehindTheHeadersOfManyCalls() async throws {
      let (messages, gate) = (Records<String>(), Gate())
      gate.open()
      try await withRig([keeping(messages, until: gate)], interceptors: [Reads()]) { rig in
        let client = try RawHTTP2(port: rig.port)
        let heads = (0..<200).map { _ in client.head("/test.Keeping/Call") }
        client.write(heads.flatMap(\.bytes))
        client.write(heads.flatMap { RawHTTP2.frame(0, 1, $0.stream, [0, 0, 0, 0, 0]) })
        try await eventually { rig.server.statistics.totalCalls == 200 && rig.server.statistics.liveCalls == 0 }
        #expect(messages.all.count == 200)
      }
    }

    @Test func aMessageThatTheServerDoesNotReadIsNoSilenceOfItsClient() async throws {
      let (messages, gate) = (Records<String>(), Gate())
      var configuration = ServerConfiguration()
      configuration.strangerFirstMessageTime = .milliseconds(500)
      try await withRig([keeping(messages, until: gate)], configuration: configuration, interceptors: [Reads()]) {
        rig in
        defer { gate.open() }
        let client = try RawHTTP2(port: rig.port)
        let (stream, head) = client.head("/test.Keeping/Call")
        // So many that the connection is held before what comes last.
        client.write(head + (0..<1_000).flatMap { _ in client.call("/test.Keeping/Call") })
        client.write(RawHTTP2.frame(0, 1, stream, [0, 0, 0, 0, 1] + Array("A".utf8)))
        try await eventually { rig.server.statistics.heldConnections == 1 }
        // Three times as long as a client may be silent.
        try await Task.sleep(for: .milliseconds(1_500))
        gate.open()
        try await eventually { rig.server.statistics.totalCalls == 1_001 && rig.server.statistics.liveCalls == 0 }
        #expect(messages.all.contains("A"))
      }
    }

    /// Waits for a message that does not come, and tells how that ended.
    private func silent(_ ended: Records<String>) -> RPCMethod {
      RPCMethod(path: "/test.Silent/Call") { call in
        do {
          _ = try await call.next()
        } catch let status as RPCStatus {
          ended.add(status.message)
          throw status
        }
      }
    }

    @Test func whoTakesNoAnswersIsToBlameForItsSilence() async throws {
      let ended = Records<String>()
      var configuration = ServerConfiguration()
      configuration.strangerFirstMessageTime = .milliseconds(500)
      let methods = [silent(ended), Methods.unary]
      try await withRig(methods, configuration: configuration, interceptors: [Reads()]) { rig in
        let client = try RawHTTP2(port: rig.port)
        // Its window for each answer is zero.
        client.write(RawHTTP2.frame(4, 0, 0, [0, 4, 0, 0, 0, 0]) + client.head("/test.Silent/Call").bytes)
        client.write((0..<100).flatMap { _ in client.call("/test.Echo/Unary", message: [1]) })
        try await eventually { !ended.all.isEmpty }
        #expect(rig.server.statistics.heldConnections == 1, "it is still held back")
      }
    }

    @Test func whoIsNotReadBecauseOfItsResetsIsToBlameForItsSilence() async throws {
      let ended = Records<String>()
      var configuration = ServerConfiguration()
      configuration.strangerFirstMessageTime = .milliseconds(500)
      let methods = [silent(ended), Methods.echo]
      try await withRig(methods, configuration: configuration, interceptors: [Reads()]) { rig in
        let client = try RawHTTP2(port: rig.port)
        client.write(client.head("/test.Silent/Call").bytes)
        // A minute of them, at the rate at which they are read.
        let resets = (0..<1_200).flatMap { _ in
          let (stream, head) = client.head("/test.Echo/Echo")
          return head + RawHTTP2.frame(3, 0, stream, [0, 0, 0, 8])
        }
        client.write(resets)
        try await eventually { !ended.all.isEmpty }
        #expect(rig.server.statistics.totalCalls < 1_000, "it is still held back")
      }
    }

    /// Strangers have begun so many calls all the time that there is one turn, and no other while the test lasts.
    private func withOneTurn(_ methods: [RPCMethod], _ body: (Rig) async throws -> Void) async throws {
      var configuration = ServerConfiguration()
      configuration.strangersTurnInterval = .seconds(600)
      try await withRig(methods, configuration: configuration, interceptors: [Reads()]) { rig in
        let others = Task {
          while true {
            rig.server.readings.strangerCalls.add(1_000_000, ordering: .relaxed)
            try await Task.sleep(for: .milliseconds(10))
          }
        }
        defer { others.cancel() }
        try await body(rig)
      }
    }

    @Test func whoSendsLittleWaitsForNoTurn() async throws {
      let answered = Records<Int>()
      let counted = RPCMethod(path: "/test.Counted/Call") { call in
        answered.add(try await call.next()?.count ?? 0)
        call.sendLast(RPCMessage("done"))
      }
      try await withOneTurn([counted, Methods.unary]) { rig in
        let (much, little) = (try RawHTTP2(port: rig.port), try RawHTTP2(port: rig.port))
        much.write((0..<100).flatMap { _ in much.call("/test.Echo/Unary", message: [1]) })
        try await eventually { rig.server.statistics.heldConnections == 1 }
        // Together longer than what is read before the first look.
        for count in 1...5 {
          little.write(little.call("/test.Counted/Call", message: [1]))
          try await eventually { answered.all.count == count }
        }
        #expect(rig.server.statistics.heldConnections == 1)
        #expect(rig.server.statistics.totalCalls < 105)
      }
    }

    @Test func manyCallsInFewBytesWaitForATurn() async throws {
      try await withOneTurn([Methods.unary]) { rig in
        let client = try RawHTTP2(port: rig.port)
        client.write(client.shortHeads("/test.Echo/Unary", 200))
        try await eventually { rig.server.statistics.heldConnections == 1 }
        try await Task.sleep(for: .milliseconds(300))
        // The first look, and one turn. Their bytes alone would let 130 be without a turn.
        #expect(rig.server.statistics.totalCalls > 16 && rig.server.statistics.totalCalls < 100)
      }
    }

    @Test func whoBeginsManyCallsIsReadLittleInATurn() async throws {
      try await withOneTurn([Methods.unary]) { rig in
        let client = try RawHTTP2(port: rig.port)
        client.write(client.shortHeads("/test.Echo/Unary", 1_000))
        // More than are read without a turn.
        try await eventually {
          rig.server.statistics.heldConnections == 1 && rig.server.statistics.totalCalls > 40
        }
        // All that have been read by now have begun. A turn of those who begin few would be 270 of these.
        try await Task.sleep(for: .milliseconds(300))
        #expect(rig.server.statistics.totalCalls < 200)
      }
    }

    @Test func whoseConnectionIsClosedWhileItIsHeldIsCountedNoLonger() async throws {
      try await withServer { rig, gate in
        // No descriptor below is free: the next client takes the one of the first, and its other end what gRPC has closed.
        let below = (0..<100).map { _ in open("/dev/null", O_RDONLY) }
        defer { for file in below { close(file) } }
        var client: RawHTTP2? = try RawHTTP2(port: rig.port)
        client?.write(client?.call("/test.Held/Call") ?? [])
        try await eventually { rig.server.statistics.liveCalls == 1 }
        let resets = (0..<200).flatMap { _ in
          guard let (stream, head) = client?.head("/test.Echo/Echo") else { return [UInt8]() }
          return head + RawHTTP2.frame(3, 0, stream, [0, 0, 0, 8])
        }
        client?.write(resets)
        try await eventually { rig.server.statistics.heldConnections == 1 }
        client?.willReset()
        client = nil
        // The answer can't be written.
        gate.open()
        try await eventually { rig.server.connections.open == 0 }
        let next = try RawHTTP2(port: rig.port)
        let (_, head) = next.head("/test.Echo/Echo")
        next.write(head)
        try await eventually { rig.server.connections.open == 1 && rig.server.statistics.liveCalls == 1 }
        #expect(rig.server.statistics.heldConnections == 0)
      }
    }

    @Test func whoIsNotReadAndHangsUpIsGone() async throws {
      try await withRig([sleeper], interceptors: [Reads()]) { rig in
        var client: RawHTTP2? = try RawHTTP2(port: rig.port)
        let calls = (0..<1_000).flatMap { _ in client?.call("/test.Sleeper/Call") ?? [] }
        client?.write(calls, within: .milliseconds(500))
        try await eventually { rig.server.statistics.heldConnections == 1 }
        client = nil
        try await eventually { rig.server.statistics.liveCalls == 0 && rig.server.statistics.heldConnections == 0 }
        // What it has sent before is not read.
        #expect(rig.server.statistics.totalCalls < 100)
      }
    }

    @Test func theDescriptorOfOneThatHasEndedIsReadAsEverByWhoeverHasItNext() async throws {
      let path = "/tmp/trackme-\(UUID().uuidString).sock"
      defer { unlink(path) }
      let configuration = ServerConfiguration(listenAddresses: ["127.0.0.1:0", "unix:\(path)"])
      try await withRig([sleeper, Methods.unary], configuration: configuration, interceptors: [Reads()]) { rig in
        var clients = try (0..<20).map { _ in try RawHTTP2(port: rig.port) }
        // Many: those for which there is no time are refused, and hold nothing back.
        for client in clients {
          client.write((0..<1_000).flatMap { _ in client.call("/test.Sleeper/Call") }, within: .milliseconds(200))
        }
        try await eventually { rig.server.statistics.heldConnections == 20 }
        clients = []
        try await eventually { rig.server.statistics.liveCalls == 0 && rig.server.connections.open == 0 }
        // Neither end of these is held back, and they have the descriptors that were free: each has others, as those before
        // are taken.
        var taken: [Int32] = []
        defer { for file in taken { close(file) } }
        for number in 0..<60 {
          let channel = Channel(target: "unix:\(path)", loops: rig.clientLoops)
          let answer = try await channel.unary(
            "/test.Echo/Unary", RPCMessage("\(number)"), deadline: .seconds(10) * patience)
          #expect(answer.text == "\(number)")
          await channel.close()
          taken.append(open("/dev/null", O_RDONLY))
        }
      }
    }

    @Test func callsThatTheirClientLeavesAreTakenNoFasterThanTheServerIsDoneWithThem() async throws {
      try await withServer { rig, gate in
        let client = try RawHTTP2(port: rig.port)
        let calls = (0..<1_000).flatMap { _ in
          let (stream, head) = client.head("/test.Held/Call")
          return head + RawHTTP2.frame(3, 0, stream, [0, 0, 0, 8])
        }
        client.write(calls, within: .milliseconds(500))
        try await eventually { rig.server.statistics.heldConnections == 1 }
        #expect(rig.server.statistics.totalCalls < 250)
        #expect(rig.server.statistics.liveCalls < 100)
      }
    }

    @Test func callsThatTheirClientLeavesBeforeTheirAnswerHaveARate() async throws {
      try await withServer { rig, gate in
        gate.open()
        let client = try RawHTTP2(port: rig.port)
        let started = ContinuousClock.now
        let calls = (0..<2_000).flatMap { _ in
          let (stream, head) = client.head("/test.Echo/Echo")
          return head + RawHTTP2.frame(3, 0, stream, [0, 0, 0, 8])
        }
        client.write(calls, within: .seconds(1))
        try await eventually { rig.server.statistics.heldConnections == 1 }
        try await Task.sleep(for: .seconds(1))
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        // So many at once, twenty a second, and what one more allowance holds.
        #expect(Double(rig.server.statistics.totalCalls) < 32 + 20 * seconds + 50)
      }
    }

    @Test(arguments: [
      "PING": RawHTTP2.frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]), "SETTINGS": RawHTTP2.frame(4, 0, 0, []),
    ]) func aConnectionThatSaysNothingIsEnded(_ kind: (key: String, value: [UInt8])) async throws {
      try await withServer { rig, _ in
        let client = try RawHTTP2(port: rig.port)
        let frames = Array(repeatElement(kind.value, count: 200_000 / kind.value.count).joined())
        client.write(frames, within: .seconds(1))
        #expect(client.isEnded(within: .seconds(5)))
        #expect(rig.server.statistics.overrunConnections == 1)
      }
    }

    @Test func headersWithoutAnEndAreEnded() async throws {
      try await withServer { rig, _ in
        let client = try RawHTTP2(port: rig.port)
        // A literal of 16 MiB begins, of which as much follows as is read.
        let begin = RawHTTP2.frame(1, 0, 1, [0x00, 0x01, 0x61, 0x7f, 0x81, 0xff, 0xff, 0x07])
        let more = Array(
          repeatElement(RawHTTP2.frame(9, 0, 1, [UInt8](repeating: 0x61, count: 1_000)), count: 300).joined())
        client.write(begin + more, within: .seconds(1))
        #expect(client.isEnded(within: .seconds(5)))
      }
    }

    @Test func whoReadsNoAnswersIsReadNoFurther() async throws {
      try await withServer { rig, _ in
        let client = try RawHTTP2(port: rig.port)
        // Known, so that nothing but what waits to be sent holds it.
        let (_, head) = client.head("/test.Echo/Echo", [("as", "known")])
        client.write(head)
        try await eventually { rig.server.statistics.liveCalls == 1 }
        let pings = Array(repeatElement(RawHTTP2.frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]), count: 50_000).joined())
        var sent = 0
        for _ in 0..<40 { sent += client.write(pings, within: .milliseconds(200)) }
        try await eventually {
          rig.server.statistics.heldConnections == 1 || rig.server.statistics.overrunConnections == 1
        }
      }
    }

    @Test func aBridgeOfWhomSomebodyKnowsHasAFarLargerBound() async throws {
      try await withServer { rig, gate in
        let client = try RawHTTP2(port: rig.port)
        let first = client.call("/test.Held/Call", [("as", "known")])
        client.write(first)
        try await eventually { rig.server.statistics.liveCalls == 1 }
        let calls = (0..<500).flatMap { _ in client.call("/test.Held/Call", [("as", "known")]) }
        client.write(calls, within: .seconds(2))
        try await eventually { rig.server.statistics.liveCalls == 501 }
        #expect(rig.server.statistics.heldConnections == 0)
      }
    }
  }
}
