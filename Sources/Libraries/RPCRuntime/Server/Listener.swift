import CGRPC
import CGRPCSupport
internal import Glibc
import Synchronization
internal import Threads

/// What the people who run a server should know of its connections. Each is told at once, and then once a minute.
public enum ListenerEvent: Sendable, Equatable {
  /// There were as many connections as may be: since the last word of it so many were closed that had no call, and so
  /// many were not taken.
  case full(closed: Int, refused: Int)
  /// The system had no descriptor for a connection.
  case noDescriptor
  /// The system took a listening socket away; whether another one listens there now.
  case lostSocket(listensAgain: Bool)
}

/// Takes the server's connections, on a thread of its own, and gives them to gRPC.
///
/// gRPC 1.51 itself stops listening for good when one `accept` fails (CVE-2023-4785), and takes whatever comes. This
/// never stops: it waits where descriptors are missing, makes room, and opens a socket anew that is lost.
// @unchecked: what changes belongs to the thread, or to whoever starts and stops it.
final class Listener: @unchecked Sendable {
  /// Taken in a row before another socket has its turn.
  private static let acceptsInARow = 64
  /// Until the next look, while new connections are not to be taken, or one at a time.
  private static let crowdedPause: Duration = .milliseconds(5)
  /// The last descriptors are not for connections, whoever took the others: without any, libdispatch can't look after its
  /// threads, and ends the process.
  private static let keptDescriptors = 32
  /// So many before those, or an eighth of all, each newcomer ends an idle connection. Nobody waits for its descriptor,
  /// which gRPC may take a while to let go of, until as many are on their way.
  private static let maxHeadroom = 64
  private static let reportInterval: Duration = .seconds(60)

  private let acceptor = tmrpc_acceptor_create()!
  private let configuration: ServerConfiguration
  private let report: @Sendable (ListenerEvent) -> Void
  private let isStopping = Atomic<Bool>(false)
  private var sockets: [ListeningSocket] = []
  private var wake: (read: Int32, write: Int32) = (-1, -1)
  private var thread: DedicatedThread?

  private let table: ConnectionTable
  private let gate: ReadingGate
  /// Closed to end a connection, or to take one and refuse it, when there is no other descriptor.
  private var spare: Int32 = -1
  private var pausedUntil = ContinuousClock.now
  private var refused = 0
  private var reported: (closed: Int, refused: Int) = (0, 0)
  private var nextReports: [ContinuousClock.Instant] = .init(repeating: .now, count: 3)

  /// Knows the connection of every call.
  let connections: ConnectionIndex
  /// How connections are held to their bounds.
  let readings = ReadingCounts()

  /// - Parameter maxMessageBytes: the longest message that any method takes.
  /// - Throws: `ServerError.cannotHoldBack`.
  init(
    _ configuration: ServerConfiguration, maxMessageBytes: Int, report: @escaping @Sendable (ListenerEvent) -> Void
  ) throws(ServerError) {
    guard
      let gate = ReadingGate(configuration, maxMessageBytes: maxMessageBytes, counts: readings)
    else { throw .cannotHoldBack }
    self.configuration = configuration
    self.report = report
    self.gate = gate
    table = ConnectionTable(
      maxConnections: configuration.maxConnections, maxPerAddress: configuration.maxConnectionsPerAddress,
      end: gate.end)
    connections = table.index
  }

  deinit {
    for index in sockets.indices { sockets[index].end() }
    for file in [wake.read, wake.write, spare] where file >= 0 { close(file) }
    tmrpc_acceptor_destroy(acceptor)
  }

  // MARK: From outside

  /// Opens the sockets; connections wait until `start`.
  /// - Returns: the port of each address.
  /// - Throws: `ServerError.cannotListen`.
  func open() throws(ServerError) -> [Int] {
    var ports: [Int] = []
    for address in configuration.listenAddresses {
      let opened = ListeningSocket.open(address, timeout: configuration.keepalive.timeout)
      guard let first = opened.first else {
        for index in sockets.indices { sockets[index].end() }
        sockets = []
        throw .cannotListen(address)
      }
      sockets += opened
      ports.append(first.port)
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .cannotListen("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake = (ends[0], ends[1])
    return ports
  }

  /// Adds what a gRPC server needs to take connections from here.
  func write(to arguments: ChannelArguments) { arguments.set(TMRPC_ACCEPTOR_NAME, acceptor) }

  /// Before the start of a gRPC server that was made with the arguments.
  func attach(to server: OpaquePointer, credentials: OpaquePointer) -> Bool {
    tmrpc_acceptor_attach(acceptor, server, credentials) != 0
  }

  /// Takes connections from now on.
  func start() { thread = DedicatedThread("rpc-accept") { self.run() } }

  /// Takes no more connections; none is under way to gRPC when it returns. Not while `start` is called.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    var byte: UInt8 = 1
    _ = Glibc.write(wake.write, &byte, 1)
    thread?.join()
    for index in sockets.indices { sockets[index].end() }
  }

  // MARK: The thread

  private func run() {
    reserve()
    while !isStopping.load(ordering: .acquiring) {
      for index in sockets.indices where sockets[index].file < 0 && pausedUntil <= .now { reopen(at: index) }
      let pause = pausedUntil - .now
      var files = [wake.read, gate.bell].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if pause <= .zero { files += sockets.map { pollfd(fd: $0.file, events: Int16(POLLIN), revents: 0) } }
      poll(&files, nfds_t(files.count), Int32(clamping: timeout(pause).milliseconds))
      gate.look()
      for (index, file) in files.dropFirst(2).enumerated() where file.revents != 0 { accept(at: index) }
      reportFull()
    }
    gate.shutDown()
  }

  /// Until when nothing has to be done if nobody comes.
  private func timeout(_ pause: Duration) -> Duration {
    var times: [Duration] = [.seconds(3_600)]
    if let look = gate.nextLook { times.append(look - .now) }
    if pause > .zero { times.append(pause) } else if hasNews { times.append(nextReports[0] - .now) }
    return max(.zero, times.min()!)
  }

  private func pause(_ duration: Duration) { pausedUntil = .now + duration }

  private func accept(at index: Int) {
    for _ in 0..<Self.acceptsInARow {
      if table.leavingCount() >= headroom || gate.isCrowded() { return pause(Self.crowdedPause) }
      var peer = sockaddr_storage()
      let file = tmrpc_accept(sockets[index].file, &peer)
      if file >= 0 {
        // Who has not waited needs nothing, so a crowd that has gone takes no time from those who come after it.
        guard tmrpc_has_hung_up(file) == 0 else {
          close(file)
          continue
        }
        take(file, from: peer, listener: sockets[index].file)
        if gate.isBehind { return pause(Self.crowdedPause) }
        continue
      }
      switch -file {
      case EAGAIN: return
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return makeDescriptor(at: index)
      // What has become of one connection, or of the network: see accept(2).
      case EINTR, ECONNABORTED, EPERM, EPROTO, ENOPROTOOPT, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET:
        continue
      default: return reopen(at: index)
      }
    }
  }

  private func take(_ file: Int32, from peer: sockaddr_storage, listener: Int32) {
    let endpoint = Endpoint(peer)
    if Int(file) >= firstKept - headroom { _ = table.endLongestIdle() }
    let connection = Connection(file, endpoint: endpoint, client: counted(endpoint))
    if Int(file) < firstKept, table.add(connection) {
      gate.add(connection, isTrusted: endpoint.map { configuration.trustedProxies.contains($0.number) } ?? true)
      tmrpc_acceptor_take(acceptor, listener, file)
    } else {
      if Int(file) >= firstKept { tell(.noDescriptor, 1) }
      close(file)
      refused += 1
    }
  }

  /// The first of the last descriptors. It follows a limit that is changed while the server runs.
  private var firstKept: Int { sysconf(Int32(_SC_OPEN_MAX)) - Self.keptDescriptors }

  private var headroom: Int { min(Self.maxHeadroom, firstKept / 8) }

  /// Whose connections this one is counted with.
  private func counted(_ endpoint: Endpoint?) -> ClientAddress? {
    guard let endpoint, !configuration.trustedProxies.contains(endpoint.number) else { return nil }
    let client = ClientAddress(endpoint.number)
    return client.isThisMachine && !configuration.limitsThisMachine ? nil : client
  }

  /// The system has no descriptor. An idle connection gives its own; if there is none, newcomers are turned away, rather
  /// than left to wait.
  private func makeDescriptor(at index: Int) {
    tell(.noDescriptor, 1)
    if spare >= 0 { close(spare) }
    defer { reserve() }
    if table.isOneLeaving() || table.endLongestIdle() { return pause(.milliseconds(20)) }
    for _ in 0..<Self.acceptsInARow {
      var peer = sockaddr_storage()
      let file = tmrpc_accept(sockets[index].file, &peer)
      if file < 0 { break }
      close(file)
      refused += 1
    }
    pause(.milliseconds(100))
  }

  private func reserve() { spare = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

  /// Nothing can be accepted there any more, and nothing will be.
  private func reopen(at index: Int) {
    let listensAgain = sockets[index].reopen()
    tell(.lostSocket(listensAgain: listensAgain), 2)
    if !listensAgain { pause(.seconds(1)) }
  }

  // MARK: Reports

  private var hasNews: Bool { reported != (table.endedCount, refused) }

  private func reportFull() {
    guard hasNews else { return }
    let event = ListenerEvent.full(closed: table.endedCount - reported.closed, refused: refused - reported.refused)
    if tell(event, 0) { reported = (table.endedCount, refused) }
  }

  @discardableResult
  private func tell(_ event: ListenerEvent, _ kind: Int) -> Bool {
    guard .now >= nextReports[kind] else { return false }
    nextReports[kind] = .now + Self.reportInterval
    report(event)
    return true
  }
}
