import CGRPCSupport
internal import Glibc
import Synchronization

/// The other end of a TCP connection: no two connections to one port have the same at once.
struct Endpoint: Hashable {
  let number: IPNumber
  let port: UInt16

  /// - Parameter address: of a socket; nil for Unix sockets, whose other ends have no names.
  init?(_ address: sockaddr_storage) {
    let bytes = withUnsafeBytes(of: address) { Array($0.prefix(24)) }
    switch Int32(address.ss_family) {
    case AF_INET: number = IPNumber(four: bytes[4..<8])
    case AF_INET6: number = IPNumber(six: bytes[8..<24])
    default: return nil
    }
    port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
  }

  /// - Parameter peer: as gRPC writes it, such as "ipv4:192.0.2.1:50123".
  init?(peer: String) {
    guard let number = IPNumber(peer: peer), let colon = peer.lastIndex(of: ":"),
      let port = UInt16(peer[peer.index(after: colon)...])
    else { return nil }
    self.number = number
    self.port = port
  }
}

/// A connected socket whose descriptor belongs to gRPC, which closes it without a word. So the socket is known by its
/// number in the kernel: the descriptor may have become something else's.
struct GivenSocket {
  let file: Int32
  private let cookie: UInt64

  init(_ file: Int32) {
    self.file = file
    cookie = tmrpc_socket_cookie(file)
  }

  var isOpen: Bool { cookie != 0 && tmrpc_socket_cookie(file) == cookie }

  /// - Returns: false when that takes a descriptor, and there is none.
  func end() -> Bool { tmrpc_socket_end(file, cookie) != 0 }
}

/// A client's connection, and whether calls run on it.
final class Connection: Sendable {
  let socket: GivenSocket
  /// Nil for a Unix socket.
  let endpoint: Endpoint?
  /// Whose connections are counted; nil when nobody's are.
  let client: ClientAddress?
  private let liveCalls = Atomic<Int>(0)
  private let lastUse: Atomic<UInt64>
  private let hasCalled = Atomic<Bool>(false)

  init(_ file: Int32, endpoint: Endpoint?, client: ClientAddress?) {
    socket = GivenSocket(file)
    self.endpoint = endpoint
    self.client = client
    lastUse = Atomic(Self.now)
  }

  func callStarted() {
    liveCalls.add(1, ordering: .relaxed)
    hasCalled.store(true, ordering: .relaxed)
  }

  func callEnded() {
    lastUse.store(Self.now, ordering: .relaxed)
    liveCalls.subtract(1, ordering: .relaxed)
  }

  /// Whether no call has ever come by it.
  var isUnused: Bool { !hasCalled.load(ordering: .relaxed) }

  /// Since when no call has run, in nanoseconds; nil while one runs, and where calls are not counted because the other
  /// end has no name: those are this machine's programs.
  var idleSince: UInt64? {
    endpoint == nil || liveCalls.load(ordering: .relaxed) > 0 ? nil : lastUse.load(ordering: .relaxed)
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Finds the connection of a call: all that calls need to know of connections. Any thread.
final class ConnectionIndex: Sendable {
  private let connections = Mutex<[Endpoint: Connection]>([:])

  /// - Parameter peer: as gRPC writes it.
  func connection(peer: String) -> Connection? {
    guard let endpoint = Endpoint(peer: peer) else { return nil }
    return connections.withLock { $0[endpoint] }
  }

  /// How many are open. gRPC closes them without a word, so each is looked at.
  var openCount: Int {
    let all = connections.withLock { Array($0.values) }
    return all.count { $0.socket.isOpen }
  }

  func add(_ connection: Connection) {
    guard let endpoint = connection.endpoint else { return }
    connections.withLock { $0[endpoint] = connection }
  }

  func remove(_ connection: Connection) {
    guard let endpoint = connection.endpoint else { return }
    connections.withLock { if $0[endpoint] === connection { $0[endpoint] = nil } }
  }
}
