import CGRPC
import CGRPCSupport
import Synchronization

/// One call that a server is answering: what a handler reads from and writes to.
///
/// All four kinds of call are the same primitive: `next()` reads the client's messages, `send(_:moreToCome:)` writes
/// the server's, and the handler's return or error ends the call. `next()` and `send` may run in two child tasks at
/// once. When the call ends early (the client cancelled or vanished, the deadline passed, the server is shutting
/// down), the handler's task is cancelled and everything pending on the call throws.
// @unchecked: what changes is in `state`, under its lock, or under the server's, or of the loop's thread alone;
// `handlerTask` is set once before anyone can read it.
public final class ServerCall: @unchecked Sendable {
  /// `/package.Service/Method`.
  public let path: String
  /// The address at the other end of the connection as gRPC writes it, such as `ipv4:127.0.0.1:40312`. Of a call that was
  /// made in this process: the one for whom it was made.
  public let peer: String
  /// The loop that the call is bound to and that its handler prefers.
  public let loop: EventLoop

  let server: Server
  let method: RoutedMethod?
  let wire: ServerWire
  let state: Mutex<ServerCallState>
  /// What the call came by, if it can be told. Nothing, if it was made in this process.
  let connection: Connection?
  /// Where the server counts the call; nil if it refused it. Under the server's lock.
  var place: CallRoom<ServerCall>.Place?
  /// Set while the client has not sent its first message. The loop's own thread only.
  var silence: SilentCalls.Entry?
  /// Whether nobody vouched for the caller when the call was taken. The loop's own thread only.
  var isAnonymous = false
  /// The same, of calls that do not ask about the server itself. The loop's own thread only.
  var isStranger = false
  private let deadlineTime: gpr_timespec
  // The handler's own task, for comparison only: it is cancelled by the runtime alone, with the call, so waiting in it
  // needs no cancellation handler.
  private var handlerTask: UnsafeMutableRawPointer?

  /// Takes over the call that `request` received.
  convenience init(request: UnsafeMutablePointer<tmrpc_request>, server: Server, loop: EventLoop) {
    let details = request.pointee.details
    let (path, deadline) = (String(copying: details.method), details.deadline)
    let wire = GRPCWire(request: request)
    let peer = wire.peer
    self.init(
      path, over: .grpc(wire), peer: peer, connection: server.connection(peer: peer),
      deadline: gpr_convert_clock_type(deadline, GPR_CLOCK_MONOTONIC), server: server, loop: loop)
  }

  /// Answers a call that was made in this process.
  convenience init(_ wire: LocalWire) {
    self.init(
      wire.path, over: .local(wire), peer: wire.peer, connection: nil, deadline: wire.deadline, server: wire.server,
      loop: wire.loop)
  }

  private init(
    _ path: String, over wire: ServerWire, peer: String, connection: Connection?, deadline: gpr_timespec,
    server: Server, loop: EventLoop
  ) {
    let method = server.router.method(at: path)
    self.path = path
    self.method = method
    self.server = server
    self.loop = loop
    self.wire = wire
    self.peer = peer
    self.connection = connection
    deadlineTime = deadline
    state = Mutex(ServerCallState(limits: method?.limits ?? CallLimits(), endProbes: wire.endProbes))
  }

  deinit { wire.destroy() }

  // MARK: What the client said

  /// The request's headers. They are read out of the call on first use.
  public var metadata: Metadata {
    state.withLock { state in
      if let metadata = state.metadata { return metadata }
      let metadata = wire.metadata
      state.metadata = metadata
      return metadata
    }
  }

  /// The texts under one key of the request's headers, in order. Unlike `metadata` it copies nothing else, which counts
  /// where a stranger may have sent much.
  public func headers(_ key: String) -> [String] { wire.headers(key) }

  /// Says that somebody vouches for a caller who was taken for a stranger.
  public func vouch(as standing: CallStanding) { server.vouch(for: self, as: standing) }

  /// Where the call comes from, as limits count it. It is found out on first use.
  public var client: ClientAddress {
    if let client = state.withLock({ $0.client }) { return client }
    let client = ClientAddress(
      peer: peer, forwarded: server.trustedProxies.isEmpty ? [] : headers("x-forwarded-for"),
      proxies: server.trustedProxies)
    state.withLock { $0.client = client }
    return client
  }

  /// Who the client's certificate says it is, under mutual TLS; nil otherwise.
  public var peerIdentity: PeerIdentity? { wire.peerIdentity }

  /// When the client stops waiting, or nil when it set no deadline. The call is cancelled then.
  public var deadline: ContinuousClock.Instant? {
    timeRemaining.map { .now + $0 }
  }

  /// The time left until the deadline, negative once it has passed; nil when the client set none.
  public var timeRemaining: Duration? {
    if deadlineTime.tv_sec == .max { return nil }
    let left = gpr_time_sub(deadlineTime, gpr_now(GPR_CLOCK_MONOTONIC))
    return .seconds(left.tv_sec) + .nanoseconds(Int64(left.tv_nsec))
  }

  /// Whether the server is waiting for a message.
  var isReceiving: Bool { state.withLock { $0.isReceiving } }

  /// Whether the call has ended for another reason than its handler's status.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// What interceptors attached to the call.
  public var values: CallValues {
    get { state.withLock { $0.values } }
    set { state.withLock { $0.values = newValue } }
  }

  /// The limits in force. An interceptor may narrow them.
  public var limits: CallLimits {
    get { state.withLock { $0.limits } }
    set { state.withLock { $0.limits = newValue } }
  }

  // MARK: The handler's task

  /// Whether the calling task is the handler's own.
  @inline(__always)
  var isOnHandlerTask: Bool {
    guard let current = tmrpc_current_task() else { return false }
    return current == handlerTask
  }

  /// Does the rest of a call for whose caller somebody vouches by now on the call's own loop, away from those of strangers.
  public nonisolated(nonsending) func onItsLoop<R>(_ body: () async throws -> R) async rethrows -> R {
    try await withTaskExecutorPreference(loop, operation: body)
  }

  /// Starts the handler: on the loop, or where those of strangers run. Loop thread only.
  func startHandler(_ handler: @escaping RPCMethod.Handler) {
    if isStranger { server.readings.strangersWaiting.add(1, ordering: .relaxed) }
    let task = Task(executorPreference: loop) { [self] in
      handlerTask = tmrpc_current_task()
      let status = isStranger ? await runAmongStrangers(handler) : await run(handler)
      // On the loop: it may be the end of the call.
      handlerReturned(status)
    }
    state.withLock { $0.task = task }
  }

  private nonisolated(nonsending) func runAmongStrangers(_ handler: RPCMethod.Handler) async -> RPCStatus {
    await withTaskExecutorPreference(server.strangers.loops[0]) {
      server.readings.strangersWaiting.subtract(1, ordering: .relaxed)
      return await run(handler)
    }
  }

  private nonisolated(nonsending) func run(_ handler: RPCMethod.Handler) async -> RPCStatus {
    do {
      try await handler(self)
      return .ok
    } catch let thrown as RPCStatus {
      return thrown
    } catch is CancellationError {
      return goneStatus
    } catch {
      return server.statusForUnhandled(error, path: path)
    }
  }

  /// What a pending operation throws when the call is gone.
  var goneStatus: RPCStatus {
    if let left = timeRemaining, left <= .zero {
      return RPCStatus(.deadlineExceeded, "the deadline of the call has passed")
    }
    return RPCStatus(.cancelled, "the call was cancelled")
  }
}
