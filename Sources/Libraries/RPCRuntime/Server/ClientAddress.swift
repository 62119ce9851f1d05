internal import Glibc

/// Where a call comes from, as limits count it: one host of IPv4, or one /64 of IPv6, which is what one household has.
public struct ClientAddress: Hashable, Sendable {
  private enum Place: Hashable {
    case thisMachine
    case host(UInt32)
    case network(UInt64)
    /// The first 24 bits.
    case hosts(UInt32)
    /// The first 48 bits.
    case networks(UInt64)
  }

  private let place: Place

  /// This machine's own addresses and Unix sockets: behind them is a local program.
  public static let thisMachine = ClientAddress(place: .thisMachine)

  /// Whether only a program of this machine can have it. Limits for strangers do not count such calls.
  public var isThisMachine: Bool { place == .thisMachine }

  /// The network that it is of, which one owner may have in whole: a /24 of IPv4, a /48 of IPv6. This machine is its own.
  public var network: ClientAddress {
    switch place {
    case .host(let host): ClientAddress(place: .hosts(host >> 8))
    case .network(let high): ClientAddress(place: .networks(high >> 16))
    case .thisMachine, .hosts, .networks: self
    }
  }

  /// Another text for each address and each network.
  public var key: String {
    switch place {
    case .thisMachine: "this machine"
    case .host(let host): "\(host)/32"
    case .network(let high): "\(high)/64"
    case .hosts(let first): "\(first)/24"
    case .networks(let first): "\(first)/48"
    }
  }

  private init(place: Place) { self.place = place }

  init(_ number: IPNumber) {
    switch number {
    case _ where number.isLoopback: place = .thisMachine
    case .four(let host): place = .host(host)
    case .six(let high, _): place = .network(high)
    }
  }

  /// Finds out who is behind a connection.
  ///
  /// Each proxy adds the address of whoever came to it at the end of `x-forwarded-for`; what stands before the newest
  /// address that is no trusted proxy was written by a stranger, and is not looked at.
  ///
  /// - Parameters:
  ///   - peer: as gRPC writes it, such as "ipv4:192.0.2.1:50123".
  ///   - forwarded: the values of `x-forwarded-for`, in the order of the headers.
  ///   - proxies: whose headers count.
  public init(peer: String, forwarded: some Sequence<String>, proxies: TrustedProxies) {
    guard !proxies.isEmpty, proxies.contains(peer: peer) else {
      if let number = IPNumber(peer: peer) {
        self.init(number)
      } else {
        self.init(place: peer.hasPrefix("unix") ? .thisMachine : .host(0))
      }
      return
    }
    let hops = forwarded.flatMap { $0.split(separator: ",") }.reversed()
    for hop in hops {
      // What a proxy of ours has not written as an address can't be followed any further.
      guard let next = IPNumber(hop: hop) else { break }
      if proxies.contains(next) { continue }
      // A forwarded address is never this machine: only a direct connection proves that.
      self.init(place: next.isLoopback ? .host(0) : ClientAddress(next).place)
      return
    }
    // Strangers of a proxy that names nobody are told apart by nothing: they count together.
    self.init(place: .host(0))
  }
}

/// The proxies in front of the server whose word about their clients' addresses is taken.
public struct TrustedProxies: Sendable, Equatable {
  private struct Network: Equatable {
    let base: IPNumber
    let bits: Int
  }

  private var networks: [Network] = []
  private var hasUnixSockets = false

  /// None.
  public init() {}

  /// - Parameter text: numbers and networks separated by commas, such as "127.0.0.1, 10.0.0.0/8, fd00::/8"; `unix` for
  ///   a proxy that connects through a Unix socket.
  /// - Returns: nil if a part is none of that.
  public init?(_ text: String) {
    for part in text.split(separator: ",") {
      let part = part.trimmed
      if part == "unix" {
        hasUnixSockets = true
        continue
      }
      let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let base = IPNumber(halves[0]) else { return nil }
      var bits = base.width
      if halves.count == 2 {
        guard let number = Int(halves[1]), 0...base.width ~= number else { return nil }
        bits = number
      }
      networks.append(Network(base: base, bits: bits))
    }
  }

  /// Whether none is configured.
  public var isEmpty: Bool { networks.isEmpty && !hasUnixSockets }

  /// Whether a peer is one of them.
  /// - Parameter peer: as gRPC writes it, such as "ipv4:192.0.2.1:50123".
  public func contains(peer: String) -> Bool {
    IPNumber(peer: peer).map(contains) ?? (hasUnixSockets && peer.hasPrefix("unix"))
  }

  func contains(_ number: IPNumber) -> Bool { networks.contains { number.isIn($0.base, bits: $0.bits) } }
}

/// An address of IPv4 or IPv6. One of IPv4 that is written in IPv6 counts as the former.
enum IPNumber: Hashable {
  case four(UInt32)
  case six(UInt64, UInt64)

  /// - Parameter text: without a port; the zone of a link-local address is not looked at.
  init?(_ text: Substring) {
    let text = String(text.prefix { $0 != "%" })
    // C would read no further.
    guard !text.utf8.contains(0) else { return nil }
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self = .four(UInt32(bigEndian: four.s_addr))
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    self.init(six: withUnsafeBytes(of: six) { Array($0) })
  }

  /// - Parameter bytes: in the order of the network.
  init(four bytes: some Sequence<UInt8>) { self = .four(bytes.reduce(0) { $0 << 8 | UInt32($1) }) }

  /// - Parameter bytes: in the order of the network.
  init(six bytes: some Collection<UInt8>) {
    let high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    self = high == 0 && low >> 32 == 0xffff ? .four(UInt32(truncatingIfNeeded: low)) : .six(high, low)
  }

  /// - Parameter peer: as gRPC writes it: "ipv4:192.0.2.1:50123", "ipv6:%5B2001:db8::1%5D:50123". nil for Unix sockets.
  init?(peer: String) {
    if let four = Self.four(peer: peer.utf8) {
      self = four
      return
    }
    guard let colon = peer.firstIndex(of: ":") else { return nil }
    let rest = peer[peer.index(after: colon)...]
    switch peer[..<colon] {
    case "ipv6":
      let plain = rest.hasPrefix("%5B") ? rest.dropFirst(3) : rest.drop { $0 == "[" }
      self.init(plain.prefix { $0 != "%" && $0 != "]" })
    default: return nil
    }
  }

  /// The address in "ipv4:192.0.2.1:50123". It is looked for at the beginning of every call.
  private static func four(peer: String.UTF8View) -> IPNumber? {
    guard peer.starts(with: "ipv4:".utf8) else { return nil }
    var (host, part, dots): (UInt32, UInt32, Int) = (0, 0, 0)
    for byte in peer.dropFirst(5) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        part = part * 10 + UInt32(byte - UInt8(ascii: "0"))
        guard part < 256 else { return nil }
      case UInt8(ascii: ".") where dots < 3:
        (host, part, dots) = (host << 8 | part, 0, dots + 1)
      case UInt8(ascii: ":") where dots == 3: return .four(host << 8 | part)
      default: return nil
      }
    }
    return nil
  }

  /// - Parameter hop: a part of `x-forwarded-for`: a number, which may have a port.
  init?(hop: Substring) {
    let hop = hop.trimmed
    if hop.hasPrefix("[") {
      self.init(hop.dropFirst().prefix { $0 != "]" })
    } else if hop.contains("."), let colon = hop.lastIndex(of: ":"), !hop[..<colon].contains(":") {
      self.init(hop[..<colon])
    } else {
      self.init(hop)
    }
  }

  var width: Int {
    switch self {
    case .four: 32
    case .six: 128
    }
  }

  var isLoopback: Bool {
    switch self {
    case .four(let host): host >> 24 == 127
    case .six(let high, let low): high == 0 && low == 1
    }
  }

  func isIn(_ base: IPNumber, bits: Int) -> Bool {
    switch (self, base) {
    case (.four(let host), .four(let network)):
      // Shifted by its width, a number is 0.
      (host ^ network) >> (32 - bits) == 0
    case (.six(let high, let low), .six(let networkHigh, let networkLow)):
      (high ^ networkHigh) >> (64 - min(bits, 64)) == 0 && (low ^ networkLow) >> (64 - max(bits - 64, 0)) == 0
    default: false
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
