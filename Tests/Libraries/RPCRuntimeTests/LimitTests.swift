import Foundation
import RPCRuntime
import TestSupport
import Testing

extension RPCRuntimeTests {
  @Suite struct Limits {
    @Test(arguments: Transport.allCases) func aMessageOverTheServersLimitIsResourceExhausted(over transport: Transport)
      async throws
    {
      var configuration = ServerConfiguration()
      configuration.maxReceiveMessageBytes = 1_000
      let failed = Box<RPCCode>()
      let method = RPCMethod(path: "/test.Limits/Read") { call in
        do {
          _ = try await call.next()
          call.sendLast(RPCMessage("fits"))
        } catch let status as RPCStatus {
          failed.set(status.code)
          throw status
        }
      }
      try await withRig(over: transport, [method], configuration: configuration) { rig in
        let fits = RPCMessage([UInt8](repeating: 1, count: 1_000))
        #expect(try await rig.unary("/test.Limits/Read", fits).text == "fits")
        let tooLong = RPCMessage([UInt8](repeating: 1, count: 1_001))
        let status = try await statusThrown { _ = try await rig.unary("/test.Limits/Read", tooLong) }
        #expect(status.code == .resourceExhausted)
        #expect(await failed.get() == .resourceExhausted)
      }
    }

    @Test(arguments: Transport.allCases) func aMethodHasItsOwnLimit(over transport: Transport) async throws {
      var configuration = ServerConfiguration()
      configuration.maxReceiveMessageBytes = 1_000
      let wide = RPCMethod(path: "/wide/W", limits: CallLimits(maxReceiveMessageBytes: 100_000)) { call in
        call.sendLast(try await call.next()!)
      }
      let narrow = RPCMethod(path: "/narrow/N", limits: CallLimits(maxReceiveMessageBytes: 10)) { call in
        call.sendLast(try await call.next()!)
      }
      let plain = RPCMethod(path: "/plain/P") { call in call.sendLast(try await call.next()!) }
      try await withRig(over: transport, [wide, narrow, plain], configuration: configuration) { rig in
        func code(_ path: String, _ size: Int) async -> RPCCode {
          do {
            _ = try await rig.unary(path, RPCMessage([UInt8](repeating: 1, count: size)))
            return .ok
          } catch { return (error as? RPCStatus)?.code ?? .unknown }
        }
        #expect(await code("/wide/W", 100_000) == .ok)
        #expect(await code("/narrow/N", 10) == .ok)
        #expect(await code("/narrow/N", 11) == .resourceExhausted)
        #expect(await code("/plain/P", 1_000) == .ok)
        #expect(await code("/plain/P", 1_001) == .resourceExhausted)
      }
    }

    @Test func aMessageOverTheClientsLimitIsResourceExhausted() async throws {
      var options = ChannelOptions()
      options.maxReceiveMessageBytes = 100
      try await withRig([Methods.unary], options: options) { rig in
        let status = try await statusThrown {
          _ = try await rig.channel.unary("/test.Echo/Unary", RPCMessage([UInt8](repeating: 1, count: 101)))
        }
        #expect(status.code == .resourceExhausted)
      }
    }

    @Test(arguments: Transport.allCases) func callsBeyondTheServersLimitAreRefused(over transport: Transport)
      async throws
    {
      var configuration = ServerConfiguration()
      configuration.maxConcurrentCalls = 3
      try await withRig(over: transport, [Methods.echo], configuration: configuration) { rig in
        try await expectRefusalOfTheFourth(rig)
        #expect(rig.server.statistics.refusedCalls > 0)
      }
    }

    private func expectRefusalOfTheFourth(_ rig: Rig) async throws {
      var calls: [any TestCall] = []
      for _ in 0..<3 {
        let call = rig.call("/test.Echo/Echo")
        try await call.send(RPCMessage(""))
        _ = try await call.next()
        calls.append(call)
      }
      let fourth = try await statusThrown { _ = try await rig.unary("/test.Echo/Echo", RPCMessage("")) }
      #expect(fourth.code == .resourceExhausted)
      try await calls.removeFirst().finishSending()
      try await eventually { rig.server.statistics.liveCalls == 2 }
      #expect(try await rig.unary("/test.Echo/Echo", RPCMessage("fits")).text == "fits")
    }

    @Test(arguments: Transport.allCases) func headersOverTheLimitFailTheirCall(over transport: Transport) async throws {
      try await withRig(over: transport, [Methods.unary]) { rig in
        _ = try await rig.unary("/test.Echo/Unary", RPCMessage(""))
        let status = try await statusThrown {
          _ = try await rig.unary(
            "/test.Echo/Unary", RPCMessage(""), metadata: ["x": String(repeating: "x", count: 20 << 10)])
        }
        #expect([.resourceExhausted, .unavailable, .internal].contains(status.code))
        // gRPC may give up the connection with the call, and a call that is already on it.
        while true {
          do {
            _ = try await rig.unary("/test.Echo/Unary", RPCMessage("fine"), waitsForReady: true)
            break
          } catch let status as RPCStatus where status.code == .unavailable {}
        }
      }
    }

    @Test func garbageOnASocketHurtsNobodyElse() async throws {
      try await withRig([Methods.unary]) { rig in
        var generator = SystemRandomNumberGenerator()
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        for round in 0..<40 {
          let socket = try #require(TCPRelay.connect(to: rig.port))
          var bytes = (0..<4_096).map { _ in UInt8.random(in: 0...255, using: &generator) }
          if round % 2 == 1 { bytes = preface + bytes }
          _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          if round % 4 < 2 { shutdown(socket, Int32(SHUT_RDWR)) }
          close(socket)
          #expect(try await rig.channel.unary("/test.Echo/Unary", RPCMessage("\(round)")).text == "\(round)")
        }
      }
    }

    @Test(arguments: Transport.allCases) func aSlowReceiverBoundsTheSender(over transport: Transport) async throws {
      let sent = Counter()
      let total = 2_048
      let method = RPCMethod(path: "/test.Limits/Fast") { call in
        let message = RPCMessage([UInt8](repeating: 3, count: 65_536))
        for _ in 0..<total {
          try await call.send(message)
          sent.increment()
        }
      }
      try await withRig(over: transport, [method]) { rig in
        let call = rig.call("/test.Limits/Fast")
        try await call.finishSending()
        var received = 0
        var furthest = 0
        while try await call.next() != nil {
          received += 1
          if received % 64 == 1 { try await Task.sleep(for: .milliseconds(10)) }
          furthest = max(furthest, sent.value - received)
        }
        #expect(received == total)
        switch transport {
        // 40 MiB: HTTP/2 windows, which grow where the receiver is busy, and socket buffers; not the 128 of the whole stream.
        case .network: #expect(furthest < 640)
        // What has been taken, and is counted later here than there.
        case .local: #expect(furthest < 2)
        }
      }
    }
  }
}

extension RPCRuntimeTests.Limits {
  /// Go and Java clients ping more often than gRPC's default allows.
  @Test func manyPingsOfAnIdleClientAreAnswered() async throws {
    try await withRig([Methods.unary]) { rig in
      let socket = try #require(TCPRelay.connect(to: rig.port))
      defer { close(socket) }
      let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
      let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0] + [1, 2, 3, 4, 5, 6, 7, 8]
      var frames = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings
      for _ in 0..<50 { frames += ping }
      _ = frames.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }

      var received: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      var answers = 0
      var start = 0
      while answers < 50 {
        let count = read(socket, &buffer, buffer.count)
        try #require(count > 0, "the server closed the connection after \(answers) pings")
        received += buffer[..<count]
        while received.count >= start + 9 {
          let length = Int(received[start]) << 16 | Int(received[start + 1]) << 8 | Int(received[start + 2])
          if received.count < start + 9 + length { break }
          try #require(received[start + 3] != 7, "the server sent GOAWAY")
          if received[start + 3] == 6 && received[start + 4] & 1 == 1 { answers += 1 }
          start += 9 + length
        }
      }
    }
  }
}
