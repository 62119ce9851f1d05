import Testing

@testable import RPCRuntime

@Suite("Where a call comes from")
struct ClientAddressTests {
  private func client(_ peer: String, _ forwarded: [String] = [], proxies: String = "") throws -> ClientAddress {
    ClientAddress(peer: peer, forwarded: forwarded, proxies: try #require(TrustedProxies(proxies)))
  }

  @Test(
    "This machine's own addresses and sockets are its programs",
    arguments: [
      "ipv4:127.0.0.1:5000", "ipv4:127.9.9.9:1", "ipv6:%5B::1%5D:5000", "ipv6:%5B::ffff:127.0.0.1%5D:5000",
      "unix:/tmp/x", "unix:", "unix-abstract:x",
    ])
  func thisMachine(_ peer: String) throws {
    #expect(try client(peer).isThisMachine)
    #expect(try client(peer, ["192.0.2.1"]).isThisMachine, "no proxy is configured")
  }

  @Test("A host of IPv4 is one address, and a household of IPv6 is one")
  func households() throws {
    let one = try client("ipv4:192.0.2.1:5000")
    #expect(!one.isThisMachine)
    #expect(try one == client("ipv4:192.0.2.1:6000"))
    #expect(try one == client("ipv6:%5B::ffff:192.0.2.1%5D:5000"))
    #expect(try one != client("ipv4:192.0.2.2:5000"))
    let six = try client("ipv6:%5B2001:db8:0:1::1%5D:5000")
    #expect(try six == client("ipv6:%5B2001:db8:0:1:ffff::9%5D:5001"))
    #expect(try six != client("ipv6:%5B2001:db8:0:2::1%5D:5000"))
    #expect(try !client("ipv6:%5Bfe80::1%25eth0%5D:5000").isThisMachine)
    #expect(try !client("strange").isThisMachine)
  }

  @Test("A stranger's header counts for nothing, a trusted proxy's does")
  func proxies() throws {
    let stranger = try client("ipv4:192.0.2.1:5000")
    #expect(try client("ipv4:192.0.2.1:5000", ["198.51.100.7"], proxies: "127.0.0.1") == stranger)
    #expect(try client("ipv4:127.0.0.1:5000", ["192.0.2.1"], proxies: "127.0.0.1") == stranger)
    #expect(try client("unix:", ["192.0.2.1:1234"], proxies: "unix") == stranger)
    #expect(try client("unix:", ["192.0.2.1"], proxies: "127.0.0.1").isThisMachine)
    #expect(try client("ipv6:%5B::1%5D:5000", ["192.0.2.1"], proxies: "::1") == stranger)
    let six = try client("ipv6:%5B2001:db8:0:1::1%5D:5000")
    #expect(try client("ipv4:127.0.0.1:5000", ["[2001:db8:0:1::5]:443"], proxies: "127.0.0.0/8") == six)
    #expect(try client("ipv4:127.0.0.1:5000", ["2001:db8:0:1::5"], proxies: "127.0.0.0/8") == six)
  }

  @Test("Of several hops the newest that is no trusted proxy counts; what a client wrote before it does not")
  func hops() throws {
    let stranger = try client("ipv4:192.0.2.1:5000")
    let proxies = "127.0.0.1, 10.0.0.0/8"
    #expect(try client("ipv4:127.0.0.1:1", ["198.51.100.7, 192.0.2.1, 10.1.2.3"], proxies: proxies) == stranger)
    #expect(try client("ipv4:127.0.0.1:1", ["198.51.100.7", "192.0.2.1", "10.1.2.3"], proxies: proxies) == stranger)
    #expect(try client("ipv4:127.0.0.1:1", ["198.51.100.7, 192.0.2.1, 11.1.2.3"], proxies: proxies) != stranger)
  }

  @Test(
    "Behind a trusted proxy nobody is this machine, whatever the header says",
    arguments: [[], ["127.0.0.1"], ["127.0.0.2"], ["::1"], ["nonsense"], ["192.0.2.1, nonsense"], [""], ["unknown"]])
  func unnamed(_ forwarded: [String]) throws {
    let found = try client("ipv4:127.0.0.1:5000", forwarded, proxies: "127.0.0.1")
    #expect(!found.isThisMachine)
    #expect(try found == client("ipv4:127.0.0.1:5000", [], proxies: "127.0.0.1"))
  }

  @Test("Networks have the width that is written, to the last bit")
  func widths() throws {
    let all = try #require(TrustedProxies("0.0.0.0/0"))
    #expect(all.contains(peer: "ipv4:203.0.113.9:1"))
    #expect(!all.contains(peer: "ipv6:%5B2001:db8::1%5D:1"))
    let some = try #require(TrustedProxies("192.0.2.128/25,fd00::/8,2001:db8::/65,2001:db8:1::1"))
    #expect(some.contains(peer: "ipv4:192.0.2.129:1"))
    #expect(!some.contains(peer: "ipv4:192.0.2.127:1"))
    #expect(some.contains(peer: "ipv6:%5Bfd12::1%5D:1"))
    #expect(!some.contains(peer: "ipv6:%5Bfe80::1%5D:1"))
    #expect(some.contains(peer: "ipv6:%5B2001:db8::7fff:0:0:1%5D:1"))
    #expect(!some.contains(peer: "ipv6:%5B2001:db8::8000:0:0:1%5D:1"))
    #expect(some.contains(peer: "ipv6:%5B2001:db8:1::1%5D:1"))
    #expect(!some.contains(peer: "ipv6:%5B2001:db8:1::2%5D:1"))
  }

  @Test("What is no list of networks is refused", arguments: ["x", "10.0.0.0/33", "10.0.0.0/-1", "fd00::/129", "a,b"])
  func notNetworks(_ text: String) { #expect(TrustedProxies(text) == nil) }
}
