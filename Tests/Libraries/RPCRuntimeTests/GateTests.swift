import CGRPCSupport
import Glibc
import Testing

/// What the core reads with, without the core.
@Suite struct GateTests {
  private func pair(_ family: Int32) throws -> (Int32, Int32) {
    if family == AF_UNIX {
      var files: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &files) == 0)
      return (files[0], files[1])
    }
    var address = sockaddr_in(
      sin_family: sa_family_t(AF_INET), sin_port: 0, sin_addr: in_addr(s_addr: UInt32(0x7f00_0001).bigEndian),
      sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, generic, &length) == 0
          && connect(client, generic, length) == 0
      }
    }
    try #require(isConnected)
    return (accept(listener, nil, nil), client)
  }

  /// One byte, or nil where nothing is there.
  private func read(_ file: Int32) -> UInt8? {
    var byte: UInt8 = 0
    let count = withUnsafeMutableBytes(of: &byte) { bytes in
      var part = iovec(iov_base: bytes.baseAddress, iov_len: 1)
      return withUnsafeMutablePointer(to: &part) { part in
        var message = msghdr()
        message.msg_iov = part
        message.msg_iovlen = 1
        return recvmsg(file, &message, Int32(MSG_DONTWAIT))
      }
    }
    return count == 1 ? byte : nil
  }

  /// The core closes connections without a word, and a Unix socket that was told that nothing is there would be woken by
  /// nobody.
  @Test(arguments: [AF_UNIX, AF_INET])
  func whoeverHasTheDescriptorOfOneThatWasClosedIsReadAtOnce(family: Int32) throws {
    let gate = try #require(tmrpc_gate_create())
    defer { tmrpc_gate_destroy(gate) }
    let (gated, client) = try pair(AF_INET)
    defer { close(client) }
    try #require(tmrpc_gate_add(gate, gated, 1) != 0)
    #expect(write(client, [1, 2], 2) == 2)
    #expect(read(gated) == 1)
    #expect(read(gated) == nil)
    let (next, other) = try pair(family)
    defer { for file in [gated, next, other] { close(file) } }
    // Closes the one before, as the core does, and takes its descriptor.
    #expect(dup2(next, gated) == gated)
    #expect(write(other, [3], 1) == 1)
    #expect(read(gated) == 3)
  }
}
