import CGRPC
import CGRPCSupport
import Synchronization

/// Why a server could not be made or started.
public enum ServerError: Error, Sendable, Equatable {
  /// Two methods have this path.
  case duplicateMethod(String)
  /// The server cannot listen on this address: it is taken, or not this machine's.
  case cannotListen(String)
  /// The TLS certificates or the key are not usable PEM.
  case badCredentials
  /// Connections can't be held back from gRPC: it does not read them through this program, or there is no descriptor.
  case cannotHoldBack
  /// `start()` was called a second time, or after `shutdown(grace:)`.
  case alreadyStarted
}

/// Something a server has to say to the people who run it.
public struct ServerLogEntry: Sendable {
  /// Also told to the client, as the only thing it learns.
  public let id: String
  /// `/package.Service/Method`.
  public let path: String
  /// What a handler threw.
  public let error: any Error
}

/// Answers calls.
///
/// A server takes connections from `start()` to `shutdown(grace:)`. Each call runs its handler as a task that prefers
/// the loop the call is bound to; the calls of one connection tend to share a loop.
// @unchecked: everything that changes is in `state`, under its lock.
public final class Server: @unchecked Sendable {
  let router: Router
  let configuration: ServerConfiguration
  let interceptors: [any ServerInterceptor]
  private let loops: EventLoopGroup
  private let logger: @Sendable (ServerLogEntry) -> Void
  let state: Mutex<State>
  let totalCalls = Atomic<Int>(0)
  let refusedCalls = Atomic<Int>(0)
  /// Of methods that there are not.
  private let unknownCalls = CallCounts()
  private let shutdownTag: UnsafeMutablePointer<tmrpc_tag>
  private let listener: Listener
  /// The longest message that any method takes.
  let maxMessageBytes: Int
  /// Runs the handlers of calls for whose callers nobody vouches: none of the others waits for them.
  let strangers = EventLoopGroup(count: 1, name: "rpc-strangers", priority: .low)

  /// The gRPC server.
  // @unchecked: its functions may be called from any thread.
  struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  struct State {
    var server: Handle?
    var hasStarted = false
    var isStopping = false
    var isShutDown = false
    var requests = 0
    /// Also those that were refused, until that is said.
    var liveCalls = 0
    /// Those made in this process, from before they are counted with the others until they have ended.
    var localCalls: [ObjectIdentifier: LocalWire] = [:]
    var room: CallRoom<ServerCall>
    var waiters: [UnsafeContinuation<Void, Never>] = []

    init(_ limits: CallRoomLimits) { room = CallRoom(limits) }

    /// gRPC and every handler have let go.
    var isDrained: Bool { isShutDown && requests == 0 && liveCalls == 0 && localCalls.isEmpty }

    mutating func takeWaitersIfDrained() -> [UnsafeContinuation<Void, Never>] {
      guard isDrained else { return [] }
      defer { waiters = [] }
      return waiters
    }
  }

  /// Makes a server; nothing listens yet.
  ///
  /// - Parameters:
  ///   - methods: what the server answers; any other path is UNIMPLEMENTED.
  ///   - interceptors: stand before every handler, the first outermost.
  ///   - loops: run the calls; they must outlive the server.
  ///   - listening: told what becomes of its connections.
  ///   - logger: told of every error that a handler did not turn into a status.
  /// - Throws: `ServerError.duplicateMethod`, `ServerError.cannotHoldBack`.
  public init(
    configuration: ServerConfiguration, methods: [RPCMethod], interceptors: [any ServerInterceptor] = [],
    loops: EventLoopGroup, listening: @escaping @Sendable (ListenerEvent) -> Void = { _ in },
    logger: @escaping @Sendable (ServerLogEntry) -> Void = { _ in }
  ) throws {
    GRPCLibrary.start()
    self.configuration = configuration
    self.interceptors = interceptors
    self.loops = loops
    self.logger = logger
    state = Mutex(State(configuration.callRoom))
    router = try Router(
      methods, interceptors: interceptors, defaultMaxReceiveMessageBytes: configuration.maxReceiveMessageBytes)
    maxMessageBytes = max(configuration.maxReceiveMessageBytes, router.maxReceiveMessageBytes)
    listener = try Listener(configuration, maxMessageBytes: maxMessageBytes, report: listening)
    shutdownTag = .allocate(capacity: 1)
    shutdownTag.initialize(to: tmrpc_tag(owner: nil, kind: UInt32(TMRPC_SHUTDOWN)))
  }

  deinit { shutdownTag.deallocate() }

  // MARK: Start

  /// Listens and answers from now on.
  ///
  /// - Returns: the port of each listen address, in order (1 for a `unix:` address).
  /// - Throws: `ServerError`; nothing listens then.
  public func start() throws -> [Int] {
    let isFirst = state.withLock { state in
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    guard isFirst else { throw ServerError.alreadyStarted }
    let arguments = ChannelArguments()
    configuration.write(to: arguments, maxReceiveMessageBytes: maxMessageBytes)
    let credentials = try makeCredentials()
    defer { grpc_server_credentials_release(credentials) }
    let ports = try listener.open()
    listener.write(to: arguments)
    let handle = Handle(pointer: grpc_server_create(arguments.view, nil))
    let server = handle.pointer
    for loop in loops.loops { grpc_server_register_completion_queue(server, loop.queue, nil) }
    guard listener.attach(to: server, credentials: credentials) else {
      discard(server)
      throw ServerError.badCredentials
    }
    let requests = configuration.requestedCallsPerLoop * loops.loops.count
    let isWanted = state.withLock { state in
      guard !state.isStopping else { return false }
      state.server = handle
      state.requests = requests
      return true
    }
    guard isWanted else {
      discard(server)
      throw ServerError.alreadyStarted
    }
    grpc_server_start(server)
    for loop in loops.loops {
      for _ in 0..<configuration.requestedCallsPerLoop { CallRequest(server: self, handle: server, loop: loop).begin() }
    }
    listener.start()
    return ports
  }

  private func makeCredentials() throws -> OpaquePointer {
    guard let tls = configuration.tls else { return grpc_insecure_server_credentials_create() }
    guard let credentials = tls.makeCredentials() else { throw ServerError.badCredentials }
    return credentials
  }

  /// Ends a gRPC server that never took a call, and listens no more.
  private func discard(_ server: OpaquePointer) {
    listener.stop()
    let queue = grpc_completion_queue_create_for_pluck(nil)
    // The queue may only be registered before the start, which has not happened.
    grpc_server_register_completion_queue(server, queue, nil)
    grpc_server_shutdown_and_notify(server, queue, nil)
    _ = grpc_completion_queue_pluck(queue, nil, gpr_inf_future(GPR_CLOCK_MONOTONIC), nil)
    grpc_server_destroy(server)
    grpc_completion_queue_shutdown(queue)
    _ = grpc_completion_queue_pluck(queue, nil, gpr_inf_future(GPR_CLOCK_MONOTONIC), nil)
    grpc_completion_queue_destroy(queue)
  }

  // MARK: Calls

  /// How its connections are read.
  var readings: ReadingCounts { listener.readings }

  var trustedProxies: TrustedProxies { configuration.trustedProxies }

  /// The connection that a call came by.
  func connection(peer: String) -> Connection? { listener.connections.connection(peer: peer) }

  /// A loop for a call made in this process.
  var nearestLoop: EventLoop { loops.nearest() }

  /// Takes a call made in this process, which holds its loop from now on; the status that refuses it, or nil.
  func enter(_ wire: LocalWire) -> RPCStatus? {
    if let key = wire.metadata.firstIllegalKey {
      return RPCStatus(.internal, "the metadata has an illegal entry: \(key)")
    }
    let bytes = wire.metadata.byteCount
    guard bytes <= configuration.maxMetadataBytes else {
      return RPCStatus(
        .resourceExhausted, "the metadata has \(bytes) bytes; the limit is \(configuration.maxMetadataBytes)")
    }
    let isTaken = state.withLock { state in
      guard state.server != nil, !state.isStopping, wire.loop.callStarted() else { return false }
      state.localCalls[ObjectIdentifier(wire)] = wire
      return true
    }
    return isTaken ? nil : RPCStatus(.unavailable, "the server does not take calls")
  }

  /// A call made in this process has ended before it began.
  func leave(_ wire: LocalWire) {
    let waiters = state.withLock { state in
      state.localCalls[ObjectIdentifier(wire)] = nil
      return state.takeWaitersIfDrained()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The longest message that the method at a path takes.
  func maxMessageBytes(at path: String) -> Int {
    router.method(at: path)?.limits.maxReceiveMessageBytes ?? configuration.maxReceiveMessageBytes
  }

  func callEnded(_ call: ServerCall) {
    call.connection?.callEnded()
    if let code = call.endCode { (call.method?.ended ?? unknownCalls).add(code) }
    let waiters = state.withLock { state in
      state.liveCalls -= 1
      if case .local(let wire) = call.wire { state.localCalls[ObjectIdentifier(wire)] = nil }
      if let place = call.place {
        if place.standing == .known || place.standing == .vital { call.connection?.knownEnded() }
        state.room.leave(place)
      }
      return state.takeWaitersIfDrained()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// A request for a call came back for good.
  func requestEnded() {
    let waiters = state.withLock { state in
      state.requests -= 1
      return state.takeWaitersIfDrained()
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Logs what a handler threw under a new id, which is all that the client is told.
  func statusForUnhandled(_ error: any Error, path: String) -> RPCStatus {
    let id = String(UInt64.random(in: .min ... .max), radix: 36)
    logger(ServerLogEntry(id: id, path: path, error: error))
    return RPCStatus(.internal, "internal error; log id \(id)")
  }

  /// What the server is doing.
  public var statistics: ServerStatistics {
    let (live, running, strangers, addresses) = state.withLock { state in
      (state.liveCalls, state.room.count, state.room.strangerCount, state.room.addressCount)
    }
    return ServerStatistics(
      liveCalls: live, runningCalls: running, strangerCalls: strangers, addresses: addresses,
      heldConnections: readings.held.load(ordering: .relaxed),
      overrunConnections: readings.overrun.load(ordering: .relaxed),
      totalCalls: totalCalls.load(ordering: .relaxed), refusedCalls: refusedCalls.load(ordering: .relaxed),
      liveBatches: loops.statistics.liveBatches)
  }

  /// Calls since the start by method and by the status with which the handler ended them. A call that its client left, or
  /// that was cut off, counts as CANCELLED, unless its handler was done before.
  public var endedCalls: [EndedCalls] {
    let unknown = unknownCalls.all.map { EndedCalls(path: nil, code: $0.code, count: $0.count) }
    return unknown
      + router.all.flatMap { method in
        method.ended.all.map { EndedCalls(path: method.path, code: $0.code, count: $0.count) }
      }
  }

  /// How many connections are open, without those through Unix sockets, and how many may be. It asks the system about each.
  public var connections: (open: Int, max: Int) { (listener.connections.openCount, configuration.maxConnections) }

  /// How many calls may run at once.
  public var maxConcurrentCalls: Int { configuration.maxConcurrentCalls }

  // MARK: Shutdown

  /// Stops taking connections and calls, lets running calls end for as long as `grace`, then cancels what is left and
  /// waits for its handlers.
  ///
  /// Returns when nothing of the server is left; a handler that ignores its cancellation keeps it waiting. Cancelling
  /// the calling task changes nothing. A second call waits for the first.
  public func shutdown(grace: Duration) async {
    let (server, isFirst) = state.withLock { state in
      defer { state.isStopping = true }
      return (state.server, !state.isStopping)
    }
    guard let server else { return }
    if isFirst {
      listener.stop()
      // Unmanaged: gRPC holds the tag until no connection is left; `shutdownCompleted()` releases the reference.
      shutdownTag.pointee.owner = Unmanaged.passRetained(self).toOpaque()
      grpc_server_shutdown_and_notify(server.pointer, loops.loops[0].queue, shutdownTag)
    }
    let deadline = isFirst ? Task.detached { await self.cancelCalls(of: server, after: grace) } : nil
    await withUnsafeContinuation { continuation in
      let isDrained = state.withLock { state in
        if !state.isDrained { state.waiters.append(continuation) }
        return state.isDrained
      }
      if isDrained { continuation.resume() }
    }
    guard isFirst, let deadline else { return }
    deadline.cancel()
    await deadline.value
    grpc_server_destroy(server.pointer)
    strangers.shutdown()
  }

  private func cancelCalls(of server: Handle, after grace: Duration) async {
    do {
      if grace > .zero { try await Task.sleep(for: grace) }
    } catch {
      return
    }
    grpc_server_cancel_all_calls(server.pointer)
    for wire in state.withLock({ Array($0.localCalls.values) }) {
      wire.cancel(with: RPCStatus(.unavailable, "the server has shut down"))
    }
  }

  /// gRPC has no connection left. Loop thread only.
  func shutdownCompleted() {
    let waiters = state.withLock { state in
      state.isShutDown = true
      return state.takeWaitersIfDrained()
    }
    for waiter in waiters { waiter.resume() }
    // Unmanaged: what `shutdown(grace:)` took. The tag comes back once.
    Unmanaged.passUnretained(self).release()
  }
}
