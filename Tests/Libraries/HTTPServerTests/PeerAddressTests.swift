import Glibc
import Testing

@testable import HTTPServer

@Suite("Who is at the other end")
struct PeerAddressTests {
  private static func four(_ text: String, _ port: UInt16) -> PeerAddress {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, text, &address.sin_addr)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { PeerAddress($0) }
    }
  }

  private static func six(_ text: String, _ port: UInt16) -> PeerAddress {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    inet_pton(AF_INET6, text, &address.sin6_addr)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { PeerAddress($0) }
    }
  }

  @Test("It is written as gRPC writes it")
  func text() {
    #expect(Self.four("192.0.2.1", 50_123).text == "ipv4:192.0.2.1:50123")
    #expect(Self.six("2001:db8::1", 50_123).text == "ipv6:%5B2001:db8::1%5D:50123")
    #expect(Self.six("::1", 1).text == "ipv6:%5B::1%5D:1")
    #expect(Self.six("::ffff:192.0.2.1", 7).text == "ipv4:192.0.2.1:7")
  }

  @Test("It is counted by host of IPv4, and by /64 of IPv6")
  func groups() {
    #expect(Self.four("192.0.2.1", 1).group == Self.six("::ffff:192.0.2.1", 2).group)
    #expect(Self.four("192.0.2.1", 1).group != Self.four("192.0.2.2", 1).group)
    #expect(Self.six("2001:db8:0:1::1", 1).group == Self.six("2001:db8:0:1:2:3:4:5", 2).group)
    #expect(Self.six("2001:db8:0:1::1", 1).group != Self.six("2001:db8:0:2::1", 1).group)
  }

  @Test("A program of this machine is known as one")
  func thisMachine() {
    for peer in [
      Self.four("127.0.0.1", 1), Self.four("127.9.9.9", 1), Self.six("::1", 1), Self.six("::ffff:127.0.0.1", 1),
    ] {
      #expect(peer.isThisMachine, "\(peer.text)")
    }
    for peer in [Self.four("126.0.0.1", 1), Self.six("::2", 1), Self.six("1::1", 1), Self.six("::ffff:10.0.0.1", 1)] {
      #expect(!peer.isThisMachine, "\(peer.text)")
    }
  }
}
