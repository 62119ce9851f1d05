import Foundation
import Testing

@testable import RPCRuntime

extension RPCRuntimeTests {
  @Suite struct ConnectionTables {
    /// A connection, and the client's end of it.
    private struct Pair {
      let connection: Connection
      let client: Int32

      init(_ port: UInt16, of client: ClientAddress? = nil) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let endpoint = try #require(Endpoint(peer: "ipv4:192.0.2.1:\(port)"))
        connection = Connection(ends[0], endpoint: endpoint, client: client)
        self.client = ends[1]
      }

      var isEnded: Bool {
        var byte: UInt8 = 0
        return recv(client, &byte, 1, Int32(MSG_DONTWAIT)) == 0
      }

      /// As gRPC does, without a word.
      func closeBehind() { close(connection.socket.file) }
    }

    private static func stranger(_ host: String) throws -> ClientAddress {
      ClientAddress(peer: "ipv4:\(host):1", forwarded: [], proxies: TrustedProxies())
    }

    @Test func whoeverHasBeenIdleForLongestMakesRoom() throws {
      let table = ConnectionTable(maxConnections: 3, maxPerAddress: 256)
      let pairs = try (1...5).map { try Pair($0) }
      defer { for pair in pairs { close(pair.client); pair.closeBehind() } }
      for pair in pairs.prefix(3) { #expect(table.add(pair.connection)) }
      pairs[0].connection.callStarted()
      #expect(table.add(pairs[3].connection))
      #expect(pairs.map(\.isEnded) == [false, true, false, false, false])
      // Its call has ended: it is now the one that was idle for the shortest time.
      pairs[0].connection.callEnded()
      #expect(table.add(pairs[4].connection))
      #expect(pairs.map(\.isEnded) == [false, true, true, false, false])
      #expect(table.endedCount == 2)
    }

    @Test(arguments: [false, true]) func whoeverHasNeverCalledMakesRoomFirst(atAnAddress: Bool) throws {
      let table = ConnectionTable(maxConnections: atAnAddress ? 256 : 3, maxPerAddress: atAnAddress ? 3 : 256)
      let client = atAnAddress ? try Self.stranger("192.0.2.1") : nil
      let pairs = try (1...4).map { port in
        let pair = try Pair(UInt16(port), of: client)
        if port == 1 {
          pair.connection.callStarted()
          pair.connection.callEnded()
        }
        return pair
      }
      defer { for pair in pairs { close(pair.client); pair.closeBehind() } }
      for pair in pairs { #expect(table.add(pair.connection)) }
      #expect(pairs.map(\.isEnded) == [false, true, false, false])
    }

    @Test func whereEachHasACallNobodyNewIsTaken() throws {
      let table = ConnectionTable(maxConnections: 2, maxPerAddress: 256)
      let pairs = try (1...3).map { try Pair($0) }
      defer { for pair in pairs { close(pair.client); pair.closeBehind() } }
      for pair in pairs.prefix(2) {
        #expect(table.add(pair.connection))
        pair.connection.callStarted()
      }
      #expect(!table.add(pairs[2].connection))
      #expect(pairs.allSatisfy { !$0.isEnded })
    }

    @Test func whatHasClosedMakesRoomBeforeAnybodyIsEnded() throws {
      let table = ConnectionTable(maxConnections: 2, maxPerAddress: 256)
      let pairs = try (1...2).map { try Pair($0) }
      for pair in pairs { #expect(table.add(pair.connection)) }
      pairs[1].closeBehind()
      close(pairs[1].client)
      // Its descriptor is something else's now.
      let other = open("/dev/null", O_RDONLY)
      let new = try Pair(3)
      defer {
        close(other)
        for pair in [pairs[0], new] { close(pair.client); pair.closeBehind() }
      }
      #expect(table.add(new.connection))
      #expect(!pairs[0].isEnded)
    }

    @Test func whoeverWasEndedCountsUntilTheDescriptorIsFree() throws {
      let table = ConnectionTable(maxConnections: 2, maxPerAddress: 256)
      let pairs = try (1...4).map { try Pair($0) }
      for pair in pairs.prefix(2) { #expect(table.add(pair.connection)) }
      #expect(table.leavingCount() == 0 && !table.isOneLeaving())
      for pair in pairs.suffix(2) { #expect(table.add(pair.connection)) }
      #expect(pairs.map(\.isEnded) == [true, true, false, false])
      #expect(table.leavingCount() == 2 && table.isOneLeaving())
      pairs[0].closeBehind()
      #expect(table.leavingCount() == 1 && table.isOneLeaving())
      pairs[1].closeBehind()
      #expect(table.leavingCount() == 0 && !table.isOneLeaving())
      for pair in pairs { close(pair.client) }
      for pair in pairs.suffix(2) { pair.closeBehind() }
    }

    @Test func anAddressMakesRoomForItselfOnly() throws {
      let table = ConnectionTable(maxConnections: 100, maxPerAddress: 2)
      let crowd = try Self.stranger("192.0.2.1")
      let pairs =
        [try Pair(1, of: try Self.stranger("192.0.2.2")), try Pair(2)]
        + (try (3...6).map { try Pair($0, of: crowd) })
      defer { for pair in pairs { close(pair.client); pair.closeBehind() } }
      for pair in pairs.prefix(5) { #expect(table.add(pair.connection)) }
      #expect(pairs.map(\.isEnded) == [false, false, true, false, false, false])
      for pair in pairs[3...4] { pair.connection.callStarted() }
      #expect(!table.add(pairs[5].connection))
      #expect(pairs.map(\.isEnded) == [false, false, true, false, false, false])
      // One of them has closed: there is room again.
      pairs[3].closeBehind()
      #expect(table.add(pairs[5].connection))
    }

    @Test func whoeverIsNotCountedHasAsManyAsThereAre() throws {
      let table = ConnectionTable(maxConnections: 100, maxPerAddress: 2)
      let pairs = try (1...10).map { try Pair($0) }
      defer { for pair in pairs { close(pair.client); pair.closeBehind() } }
      for pair in pairs { #expect(table.add(pair.connection)) }
      #expect(pairs.allSatisfy { !$0.isEnded })
    }

    @Test func aDescriptorThatBelongsToAnotherNowIsLeftAlone() throws {
      let pair = try Pair(1)
      let other = try Pair(2)
      defer { for end in [pair.client, other.client, other.connection.socket.file] { close(end) } }
      dup2(other.connection.socket.file, pair.connection.socket.file)
      defer { pair.closeBehind() }
      #expect(!pair.connection.socket.isOpen)
      #expect(pair.connection.socket.end())
      #expect(!other.isEnded)
      #expect(other.connection.socket.end())
      #expect(other.isEnded)
    }

    @Test func aCallFindsTheConnectionThatItCameBy() throws {
      let index = ConnectionIndex()
      var six = sockaddr_in6()
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = UInt16(50_000).bigEndian
      try #require(inet_pton(AF_INET6, "2001:db8::1", &six.sin6_addr) == 1)
      var mapped = six
      try #require(inet_pton(AF_INET6, "::ffff:192.0.2.7", &mapped.sin6_addr) == 1)
      for address in [six, mapped] {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { storage in
          withUnsafeBytes(of: address) { storage.copyMemory(from: $0) }
        }
        index.add(Connection(-1, endpoint: Endpoint(storage), client: nil))
      }
      #expect(index.connection(peer: "ipv6:%5B2001:db8::1%5D:50000") != nil)
      #expect(index.connection(peer: "ipv6:%5B2001:db8::1%5D:50001") == nil)
      #expect(index.connection(peer: "ipv4:192.0.2.7:50000") != nil)
      #expect(index.connection(peer: "unix:") == nil)
    }
  }
}
