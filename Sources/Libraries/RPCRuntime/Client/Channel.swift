import CGRPC
import CGRPCSupport
import Synchronization

/// A way to one server, which many calls share.
///
/// The channel connects when its first call starts, and again after a connection is lost. It must be closed, or
/// dropped, before its loops shut down.
// @unchecked: `handle` is destroyed once, by the closing that `state` allows once, or by deinit.
public final class Channel: @unchecked Sendable {
  /// Where the server is: `HOST:PORT`, `unix:/PATH`, or any target gRPC resolves.
  public let target: String
  let options: ChannelOptions
  private let loops: EventLoopGroup
  private let handle: OpaquePointer
  private let state = Mutex(State())

  private struct State {
    var calls: [ObjectIdentifier: ClientCallCore] = [:]
    var watches = 0
    var isClosed = false
    var isDestroyed = false
    var waiters: [UnsafeContinuation<Void, Never>] = []

    mutating func takeWaitersIfIdle() -> [UnsafeContinuation<Void, Never>] {
      guard isClosed, calls.isEmpty, watches == 0 else { return [] }
      defer { waiters = [] }
      return waiters
    }
  }

  /// Makes a channel. Unusable certificates show as UNAVAILABLE calls.
  public init(
    target: String, security: ClientSecurity = .plaintext, options: ChannelOptions = ChannelOptions(),
    loops: EventLoopGroup
  ) {
    GRPCLibrary.start()
    self.target = target
    self.options = options
    self.loops = loops
    handle = security.makeChannel(target: target, options: options)
  }

  deinit {
    if !state.withLock({ $0.isDestroyed }) { grpc_channel_destroy(handle) }
  }

  /// Makes a call, which starts with the first operation on it.
  ///
  /// - Parameters:
  ///   - path: `/package.Service/Method`.
  ///   - metadata: the request's headers.
  ///   - deadline: how long the call may take, from now; it ends with DEADLINE_EXCEEDED then. nil means for ever.
  ///   - waitsForReady: overrides the channel's option of that name.
  public func call(
    _ path: String, metadata: Metadata = [:], deadline: Duration? = nil, waitsForReady: Bool? = nil
  ) -> ClientCall {
    ClientCall(
      core: ClientCallCore(
        channel: self, path: path, metadata: metadata, deadline: deadline,
        waitsForReady: waitsForReady ?? options.waitsForReady, loop: loops.nearest()))
  }

  /// Makes a unary call: one message there, one message back.
  ///
  /// - Throws: the `RPCStatus` that the call ended with unless it is OK; UNIMPLEMENTED when the server ended it with OK
  ///   and no message. Cancelling the task cancels the call.
  public nonisolated(nonsending) func unary(
    _ path: String, _ message: RPCMessage, metadata: Metadata = [:], deadline: Duration? = nil,
    waitsForReady: Bool? = nil
  ) async throws -> RPCMessage {
    let call = call(path, metadata: metadata, deadline: deadline, waitsForReady: waitsForReady)
    // Whether it could be sent shows in the answer, which may be there even if it could not.
    call.startSendingLast(message)
    guard let answer = try await call.next() else {
      throw RPCStatus(.unimplemented, "the server ended a unary call without a message")
    }
    guard try await call.next() == nil else {
      call.cancel()
      throw RPCStatus(.unimplemented, "the server sent a second message in a unary call")
    }
    return answer
  }

  /// Cancels every call, waits for their ends, and closes the connection. Calls made after that fail with UNAVAILABLE.
  public func close() async {
    let (calls, isFirst) = state.withLock { state in
      defer { state.isClosed = true }
      return (Array(state.calls.values), !state.isClosed)
    }
    for call in calls { call.cancel() }
    await withUnsafeContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.calls.isEmpty && state.watches == 0 { return true }
        state.waiters.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
    guard isFirst else { return }
    state.withLock { $0.isDestroyed = true }
    grpc_channel_destroy(handle)
  }

  /// Connects, and returns when the connection stands.
  ///
  /// - Throws: `RPCStatus` UNAVAILABLE when that takes longer than `limit`, or the channel is closed.
  public func connect(within limit: Duration) async throws {
    let end = ContinuousClock.now + limit
    while true {
      let left = end - .now
      let watch = ConnectivityWatch()
      let step = state.withLock { state -> ConnectivityWatch.Step in
        if state.isClosed || left <= .zero { return .failed }
        let current = grpc_channel_check_connectivity_state(handle, 1)
        if current == GRPC_CHANNEL_READY { return .ready }
        state.watches += 1
        return .waits(current)
      }
      switch step {
      case .ready: return
      case .failed: throw RPCStatus(.unavailable, "there is no connection to \(target)")
      case .waits(let current):
        await watch.wait(channel: handle, from: current, for: left, loop: loops.nearest())
        let waiters = state.withLock { state in
          state.watches -= 1
          return state.takeWaitersIfIdle()
        }
        for waiter in waiters { waiter.resume() }
      }
    }
  }

  // MARK: Calls

  /// Registers a call and makes its gRPC call on `loop`; nil when the channel is closed or its loops are gone.
  func start(_ call: ClientCallCore, deadline: gpr_timespec) -> OpaquePointer? {
    state.withLock { state in
      guard !state.isClosed, call.loop.callStarted() else { return nil }
      state.calls[ObjectIdentifier(call)] = call
      var path = call.path
      let method = path.withUTF8 { path in
        UnsafeRawBufferPointer(path).withMemoryRebound(to: CChar.self) {
          grpc_slice_from_copied_buffer($0.baseAddress, $0.count)
        }
      }
      defer { grpc_slice_unref(method) }
      return grpc_channel_create_call(handle, nil, 0, call.loop.queue, method, nil, deadline, nil)
    }
  }

  func callEnded(_ call: ClientCallCore) {
    call.loop.callEnded()
    let waiters = state.withLock { state in
      state.calls[ObjectIdentifier(call)] = nil
      return state.takeWaitersIfIdle()
    }
    for waiter in waiters { waiter.resume() }
  }
}
