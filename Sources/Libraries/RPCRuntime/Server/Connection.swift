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
  /// The number in the kernel; 0: it had gone already.
  let cookie: UInt64

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
  private let calls = Atomic<Int>(0)
  private let unfinishedCalls = Atomic<Int>(0)
  private let unsentCalls = Atomic<Int>(0)
  private let messages = Atomic<Int>(0)
  private let messageBytes = Atomic<Int>(0)
  private let settledCalls = Atomic<Int>(0)
  private let resets = Atomic<Int>(0)
  private let aheadOfServer = Atomic<Bool>(false)
  private let hasMoved = Atomic<Bool>(true)
  private let knownCalls = Atomic<Int>(0)
  private let lastWasKnown = Atomic<Bool>(false)
  /// Before each message: a flag and its length.
  private static let prefix = 5

  init(_ file: Int32, endpoint: Endpoint?, client: ClientAddress?) {
    socket = GivenSocket(file)
    self.endpoint = endpoint
    self.client = client
    lastUse = Atomic(Self.now)
  }

  func callStarted() {
    liveCalls.add(1, ordering: .relaxed)
    calls.add(1, ordering: .relaxed)
    moved()
  }

  func callEnded() {
    lastUse.store(Self.now, ordering: .relaxed)
    liveCalls.subtract(1, ordering: .relaxed)
  }

  // MARK: What its reading depends on

  /// A call or a message came or went.
  func moved() {
    // What is true already is not written: many calls of a connection would wait for one line of memory.
    if !hasMoved.load(ordering: .relaxed) { hasMoved.store(true, ordering: .relaxed) }
  }

  /// Whether a call or a message came or went since this was asked.
  func takeMoved() -> Bool { hasMoved.exchange(false, ordering: .relaxed) }

  /// A message has come in whole.
  /// - Parameter bytes: its length as it came.
  func received(_ bytes: Int) {
    messages.add(1, ordering: .relaxed)
    messageBytes.add(bytes + Self.prefix, ordering: .relaxed)
    moved()
  }

  /// Of the bytes that were read since this was asked, those that gRPC keeps for nothing that is still to come.
  /// - Parameter time: since then.
  func takeSettled(by bounds: ReadingBounds, in time: Duration) -> Int {
    let calls = callCount
    let newCalls = calls &- settledCalls.exchange(calls, ordering: .relaxed)
    return messageBytes.exchange(0, ordering: .relaxed)
      + bounds.gone.perMessage * messages.exchange(0, ordering: .relaxed) + bounds.gone.perCall * newCalls
      + Int(Double(bounds.gone.perSecond) * (time / .seconds(1)))
  }

  /// The server has something to do for a call, or is done with that.
  func countUnfinished(_ change: Int) { unfinishedCalls.add(change, ordering: .relaxed) }

  /// What has to be done for a call is that its client takes its answer; or that has changed.
  func countUnsent(_ change: Int) { unsentCalls.add(change, ordering: .relaxed) }

  /// Of the unfinished calls those whose first answer is with gRPC, and not taken by their client.
  var unsentCallCount: Int { unsentCalls.load(ordering: .relaxed) }

  /// Whether a call runs.
  var hasCalls: Bool { liveCalls.load(ordering: .relaxed) > 0 }

  /// Whether it is not read until the server has done what it has to do before. Not so for what its client does.
  var isAheadOfServer: Bool {
    get { aheadOfServer.load(ordering: .relaxed) }
    set { aheadOfServer.store(newValue, ordering: .relaxed) }
  }

  /// Calls that were begun and neither answered nor let go of, unless their next message is waited for, and calls that have
  /// ended and were not let go of.
  var unfinishedCallCount: Int { unfinishedCalls.load(ordering: .relaxed) }

  /// A client has left a call before its answer.
  func countReset() { resets.add(1, ordering: .relaxed) }

  /// How often that was so.
  var resetCount: Int { resets.load(ordering: .relaxed) }

  /// A call was taken, or somebody vouches for its caller now.
  func admitted(isKnown: Bool) {
    if isKnown { knownCalls.add(1, ordering: .relaxed) }
    if lastWasKnown.load(ordering: .relaxed) != isKnown { lastWasKnown.store(isKnown, ordering: .relaxed) }
  }

  /// A call for whose caller somebody vouched has ended.
  func knownEnded() { knownCalls.subtract(1, ordering: .relaxed) }

  /// Whether somebody vouches for the caller of one of its calls, or of the last one.
  var isKnown: Bool { lastWasKnown.load(ordering: .relaxed) || knownCalls.load(ordering: .relaxed) > 0 }

  /// Whether no call has ever come by it.
  var isUnused: Bool { callCount == 0 }

  /// Calls that have come by it.
  var callCount: Int { calls.load(ordering: .relaxed) }

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
