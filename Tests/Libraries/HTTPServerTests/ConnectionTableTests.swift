import Glibc
import Testing

@testable import HTTPServer

@Suite("Who is there, and whose place it is")
struct ConnectionTableTests {
  private static let peer: PeerAddress = {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("192.0.2.1")
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { PeerAddress($0) }
    }
  }()

  /// A connection that libmicrohttpd does not know, and no socket has.
  private func connection(_ number: Int32) -> Connection {
    Connection(
      ConnectionHandle(pointer: OpaquePointer(bitPattern: 8)!), file: 1_000_000 + number, peer: Self.peer,
      group: Self.peer.group, until: .now + .seconds(60))
  }

  @Test("Each connection of an address that ends gives one place back, and no more")
  func places() {
    let table = ConnectionTable(max: 100, maxPerGroup: 3)
    let connections = (0..<3).map(connection)
    for connection in connections {
      #expect(table.admits(Self.peer.group))
      table.add(connection)
    }
    #expect(!table.admits(Self.peer.group))
    table.remove(connections[1])
    #expect(table.admits(Self.peer.group))
    table.add(connection(3))
    #expect(!table.admits(Self.peer.group))
    for connection in [connections[0], connections[2]] { table.remove(connection) }
    for number: Int32 in 4...5 {
      #expect(table.admits(Self.peer.group))
      table.add(connection(number))
    }
    #expect(!table.admits(Self.peer.group))
  }

  @Test("Nobody gets the place of a connection that is not there any more")
  func gone() {
    let table = ConnectionTable(max: 2, maxPerGroup: 100)
    let unused = connection(0)
    table.add(unused)
    table.remove(unused)
    for number: Int32 in 1...2 {
      let busy = connection(number)
      table.add(busy)
      table.isBusy(busy)
    }
    #expect(!table.admits(Self.peer.group))
  }

  @Test("Who asks again and again takes no more room than who asks once")
  func again() {
    let table = ConnectionTable(max: 100, maxPerGroup: 100)
    let connection = connection(0)
    table.add(connection)
    for _ in 0..<10_000 {
      table.isBusy(connection)
      table.isSending(connection)
      table.isBusy(connection)
      table.isIdle(connection)
    }
    #expect(table.rememberedCount < 300)
  }
}

@Suite("Connections that have ended before their clients have")
struct LingeringTests {
  @Test("Those beyond the limit are closed at once, the others in their time")
  func limit() {
    let lingering = Lingering(max: 2, time: .seconds(30))
    let pairs = (0..<3).map { _ in
      var pair: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
      return pair
    }
    defer { for pair in pairs { close(pair[1]) } }
    for pair in pairs {
      lingering.add(pair[0])
      close(pair[0])
    }
    func ended() -> [Bool] {
      pairs.map { pair in
        var byte: UInt8 = 0
        return recv(pair[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0
      }
    }
    #expect(ended() == [false, false, true])
    lingering.look(.now)
    #expect(ended() == [false, false, true])
    lingering.look(.now + .seconds(31))
    #expect(ended() == [true, true, true])
  }
}
