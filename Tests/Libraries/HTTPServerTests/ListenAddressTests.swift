import Testing

@testable import HTTPServer

struct ListenAddressTests {
  @Test(arguments: [
    "127.0.0.1:50051", "127.0.0.1:0", "127.255.255.255:1", "127.1.2.3:65535", "[::1]:50051", "[0:0:0:0:0:0:0:1]:1",
    "localhost:50051", "LocalHost:1", "unix:/run/trackme.sock", "unix:///run/trackme.sock", "unix-abstract:trackme",
  ])
  func onlyThisMachineReaches(_ text: String) { #expect(ListenAddress.staysOnThisMachine(text)) }

  @Test(arguments: [
    "0.0.0.0:50051", "[::]:50051", "192.168.1.10:50051", "10.127.0.1:1", "128.0.0.1:1", "126.255.255.255:1",
    "[::2]:1", "[1::1]:1", "[fe80::1]:1", "[2001:db8::1]:1", "[::ffff:192.168.1.10]:1", "[::ffff:0.0.0.0]:1", "*:50051",
    ":50051", "trackme.example:50051", "localhost.example:50051", "127.0.0.1.example:50051", "127.0.0.1.nip.io:1",
    "localhost.:1", "0:50051", "127:1", "2130706433:1", "[127.0.0.1]:1", "x::1x:1", "::1:50051", "::1", "[::1]",
    "127.0.0.1", "",
    "localhost:", "localhost:x", "localhost:65536", "localhost:-1", "localhost:+1", "dns:///trackme.example:1",
    "vsock:1:2", " 127.0.0.1:1", "127.0.0.1\u{0}.example:1",
  ])
  func othersMayReach(_ text: String) { #expect(!ListenAddress.staysOnThisMachine(text)) }

  @Test func anAddressIsAHostAndAPort() throws {
    let address = try #require(ListenAddress("[::1]:50081"))
    #expect(address.host == "[::1]")
    #expect(address.port == 50_081)
    for text in ["", ":", ":1", "host", "host:", "host:65536", "host:1x", "host:-1"] {
      #expect(ListenAddress(text) == nil, "\(text)")
    }
  }
}
