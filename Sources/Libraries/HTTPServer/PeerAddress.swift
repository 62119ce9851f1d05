internal import Glibc

/// Who is at the other end of a connection.
struct PeerAddress: Sendable {
  /// Whose connections are counted together: a host of IPv4, or a /64 of IPv6, which is what one household has.
  enum Group: Hashable, Sendable {
    case host(UInt32)
    case network(UInt64)
  }

  /// As gRPC writes it: "ipv4:192.0.2.1:50123", "ipv6:%5B::1%5D:50123".
  let text: String
  let group: Group
  /// Whether only a program of this machine can have it.
  let isThisMachine: Bool

  private init(text: String, group: Group, isThisMachine: Bool) {
    self.text = text
    self.group = group
    self.isThisMachine = isThisMachine
  }

  /// - Parameter address: of either family; an address of IPv4 that is written as one of IPv6 is one of IPv4.
  init(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let four = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
      self = .four(UInt32(bigEndian: four.sin_addr.s_addr), port: UInt16(bigEndian: four.sin_port))
    case AF_INET6:
      let six = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
      self = .six(six.sin6_addr, port: UInt16(bigEndian: six.sin6_port))
    default: self.init(text: "unix:", group: .host(0), isThisMachine: true)
    }
  }

  private static func four(_ host: UInt32, port: UInt16) -> PeerAddress {
    let numbers = [host >> 24, host >> 16 & 255, host >> 8 & 255, host & 255].map(String.init)
    return PeerAddress(
      text: "ipv4:\(numbers.joined(separator: ".")):\(port)", group: .host(host), isThisMachine: host >> 24 == 127)
  }

  private static func six(_ number: in6_addr, port: UInt16) -> PeerAddress {
    let (high, low) = withUnsafeBytes(of: number) {
      (UInt64(bigEndian: $0.load(as: UInt64.self)), UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self)))
    }
    if high == 0, low >> 32 == 0xffff { return four(UInt32(truncatingIfNeeded: low), port: port) }
    var number = number
    var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(AF_INET6, &number, &name, socklen_t(name.count))
    let digits = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return PeerAddress(
      text: "ipv6:%5B\(digits)%5D:\(port)", group: .network(high), isThisMachine: high == 0 && low == 1)
  }
}
