internal import Glibc

/// Where a server listens: `HOST:PORT`, an IPv6 number in brackets.
public struct ListenAddress: Sendable, Hashable {
  /// A name or a number; a number of IPv6 with its brackets.
  public let host: String
  public let port: UInt16

  /// - Returns: nil if the text is no such address.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), case let host = text[..<colon], !host.isEmpty,
      // C would read no further.
      !host.utf8.contains(0),
      case let digits = text[text.index(after: colon)...], digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(digits)
    else { return nil }
    self.host = String(host)
    self.port = port
  }

  /// Whether only programs of this machine can reach it: 127.0.0.0/8, `[::1]`, or `localhost`. No other name counts,
  /// whatever it stands for today.
  public var isLoopback: Bool {
    if host.lowercased() == "localhost" { return true }
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
    guard host.hasPrefix("["), host.hasSuffix("]") else { return false }
    var six = in6_addr()
    guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &six) == 1 else { return false }
    return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
  }

  /// Whether only programs of this machine can reach what listens there: at a loopback address, or at a Unix socket
  /// (`unix:PATH`, `unix-abstract:NAME`). False for everything else, also for what is no address.
  public static func staysOnThisMachine(_ text: String) -> Bool {
    text.hasPrefix("unix:") || text.hasPrefix("unix-abstract:") || ListenAddress(text)?.isLoopback ?? false
  }
}
