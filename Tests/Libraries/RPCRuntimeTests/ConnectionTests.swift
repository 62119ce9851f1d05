import Foundation
import Synchronization
import Testing

@testable import RPCRuntime

extension RPCRuntimeTests {
  @Suite struct Connections {
    private static func configuration(tls certificates: Certificates?) -> ServerConfiguration {
      ServerConfiguration(
        tls: certificates.map { ServerTLS(certificateChain: $0.server, privateKey: $0.serverKey) })
    }

    private static func security(_ certificates: Certificates?) -> ClientSecurity {
      certificates.map { .tls(ClientTLS(rootCertificates: $0.authority, serverName: "server.test")) } ?? .plaintext
    }

    /// Whether the server has closed it.
    private static func isClosed(_ socket: Int32) -> Bool {
      var bytes = [UInt8](repeating: 0, count: 1_024)
      while true {
        let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count == 0 || (count < 0 && errno != EAGAIN) { return true }
        if count < 0 { return false }
      }
    }

    @Test(arguments: [false, true]) func idleStrangersLockNobodyOut(isEncrypted: Bool) async throws {
      let certificates = isEncrypted ? try Certificates() : nil
      var configuration = Self.configuration(tls: certificates)
      configuration.maxConnections = 8
      let events = Mutex<[ListenerEvent]>([])
      try await withRig(
        [Methods.unary, Methods.echo], configuration: configuration, security: Self.security(certificates),
        listening: { event in events.withLock { $0.append(event) } }
      ) { rig in
        let stream = rig.channel.call("/test.Echo/Echo")
        try await stream.send(RPCMessage("before"))
        #expect(try await stream.next()?.text == "before")
        let idle = try (0..<100).map { _ in try #require(TCPRelay.connect(to: rig.port)) }
        defer { for socket in idle { close(socket) } }
        try await eventually { idle.count { !Self.isClosed($0) } <= 7 }
        let other = Channel(
          target: "127.0.0.1:\(rig.port)", security: Self.security(certificates), loops: rig.clientLoops)
        #expect(try await other.unary("/test.Echo/Unary", RPCMessage("here")).text == "here")
        await other.close()
        try await stream.send(RPCMessage("after"))
        #expect(try await stream.next()?.text == "after")
        try await stream.finishSending()
        #expect(try await stream.next() == nil)
      }
      let told = events.withLock { $0 }
      #expect(told.count == 1, "told once a minute")
      guard case .full = told.first else {
        Issue.record("\(told)")
        return
      }
    }

    @Test func oneAddressHasSoManyConnections() async throws {
      var configuration = ServerConfiguration()
      configuration.maxConnectionsPerAddress = 3
      configuration.limitsThisMachine = true
      try await withRig([Methods.unary], configuration: configuration) { rig in
        let idle = try (0..<20).map { _ in try #require(TCPRelay.connect(to: rig.port)) }
        defer { for socket in idle { close(socket) } }
        try await eventually { idle.count { !Self.isClosed($0) } == 3 }
        #expect(try await rig.channel.unary("/test.Echo/Unary", RPCMessage("here")).text == "here")
      }
      configuration.trustedProxies = try #require(TrustedProxies("127.0.0.1"))
      try await withRig([Methods.unary], configuration: configuration) { rig in
        let idle = try (0..<20).map { _ in try #require(TCPRelay.connect(to: rig.port)) }
        defer { for socket in idle { close(socket) } }
        // Taken in their order: when this call is answered, all of them were.
        #expect(try await rig.channel.unary("/test.Echo/Unary", RPCMessage("here")).text == "here")
        #expect(idle.allSatisfy { !Self.isClosed($0) }, "a trusted proxy may have more")
      }
    }

    @Test(arguments: [false, true]) func aLostSocketIsOpenedAnew(isEncrypted: Bool) async throws {
      let certificates = isEncrypted ? try Certificates() : nil
      let events = Mutex<[ListenerEvent]>([])
      try await withRig(
        [Methods.unary], configuration: Self.configuration(tls: certificates), security: Self.security(certificates),
        listening: { event in events.withLock { $0.append(event) } }
      ) { rig in
        let listener = try #require(Self.listener(at: rig.port))
        #expect(shutdown(listener, Int32(SHUT_RDWR)) == 0)
        #expect(try await rig.channel.unary("/test.Echo/Unary", RPCMessage("1"), waitsForReady: true).text == "1")
      }
      #expect(events.withLock { $0 } == [.lostSocket(listensAgain: true)])
    }

    /// This process's descriptor that listens at a port.
    private static func listener(at port: Int) -> Int32? {
      (0..<4_096).first { file in
        var listens: Int32 = 0
        var length = socklen_t(4)
        guard getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens == 1 else { return false }
        var address = sockaddr_in()
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(file, $0, &length) == 0 }
        } && Int(UInt16(bigEndian: address.sin_port)) == port
      }
    }

    @Test(arguments: [false, true]) func whoSaysNothingIsClosedInTime(isEncrypted: Bool) async throws {
      let certificates = isEncrypted ? try Certificates() : nil
      var configuration = Self.configuration(tls: certificates)
      configuration.handshakeTimeout = .milliseconds(200)
      try await withRig([Methods.unary], configuration: configuration, security: Self.security(certificates)) { rig in
        let silent = try #require(TCPRelay.connect(to: rig.port))
        defer { close(silent) }
        try await eventually { Self.isClosed(silent) }
      }
    }

    /// Of this process's own, for tests of two may run on one machine.
    private static let listenerPath = "/tmp/trackme-listener-\(ProcessInfo.processInfo.processIdentifier)"

    @Test(
      arguments: [
        ("127.0.0.1:0", "127.0.0.1:", "ipv4:127.0.0.1:"), ("[::1]:0", "[::1]:", "ipv6:%5B::1%5D:"),
        ("localhost:0", "127.0.0.1:", "ipv4:127.0.0.1:"), ("0.0.0.0:0", "127.0.0.1:", "ipv4:127.0.0.1:"),
        ("[::]:0", "127.0.0.1:", "ipv4:127.0.0.1:"), ("unix:\(listenerPath)", "", "unix:"),
        ("unix-abstract:\(listenerPath)", "", "unix:"),
      ]) func anAddressIsListenedAt(address: String, target: String, peer: String) async throws
    {
      let loops = EventLoopGroup(count: 1)
      let method = RPCMethod(path: "/test/Peer") { call in
        call.sendLast(RPCMessage("\(call.peer) \(call.connection != nil) \(call.client.isThisMachine)"))
      }
      for _ in 0..<2 {
        let server = try Server(
          configuration: ServerConfiguration(listenAddresses: [address]), methods: [method], loops: loops)
        let port = try server.start()[0]
        let channel = Channel(target: target.isEmpty ? address : "\(target)\(port)", loops: loops)
        let words = try await channel.unary("/test/Peer", RPCMessage("")).text.split(separator: " ")
        #expect(words[0].hasPrefix(peer))
        #expect(words[1...] == [target.isEmpty ? "false" : "true", "true"])
        #expect(throws: ServerError.alreadyStarted) { _ = try server.start() }
        await channel.close()
        await server.shutdown(grace: .zero)
      }
      loops.shutdown()
      #expect(!FileManager.default.fileExists(atPath: Self.listenerPath))
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:", ":50051", "127.0.0.1:70000", "unix:", "192.0.2.1:0"])
    func whereNobodyCanListenIsAnError(address: String) throws {
      let loops = EventLoopGroup(count: 1)
      let server = try Server(
        configuration: ServerConfiguration(listenAddresses: ["127.0.0.1:0", address]), methods: [], loops: loops)
      #expect(throws: ServerError.cannotListen(address)) { _ = try server.start() }
      loops.shutdown()
    }
  }
}
