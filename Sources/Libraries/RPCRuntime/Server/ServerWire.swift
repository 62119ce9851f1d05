/// What carries a server call: it takes the call's operations, of each kind one at a time, and answers each with a
/// completion on the call's loop.
///
/// An enum, because an operation is started for every message: which wire it is costs a comparison, and no allocation.
enum ServerWire {
  /// The network.
  case grpc(GRPCWire)
  /// A client in this process.
  case local(LocalWire)
}

extension ServerWire {
  // MARK: What the client said

  /// The request's headers.
  var metadata: Metadata {
    switch self {
    case .grpc(let wire): wire.metadata
    case .local(let wire): wire.metadata
    }
  }

  /// The texts under one key of the request's headers.
  func headers(_ key: String) -> [String] {
    switch self {
    case .grpc(let wire): wire.headers(key)
    case .local(let wire): wire.headers(key)
    }
  }

  /// Who the client's certificate says it is; nil where there is none.
  var peerIdentity: PeerIdentity? {
    switch self {
    case .grpc(let wire): PeerIdentity(of: wire.slots.pointee.call)
    case .local: nil
    }
  }

  // MARK: Life

  /// Keeps `call` alive for the completions to come, and watches for the end: `ServerCall.endCompleted()`. Loop thread
  /// only.
  func attach(_ call: ServerCall) {
    switch self {
    case .grpc(let wire): wire.attach(call)
    case .local(let wire): wire.attach(call)
    }
  }

  /// Lets go of `call`: its last completion is back. Loop thread only.
  func detach(_ call: ServerCall) {
    switch self {
    case .grpc(let wire): wire.detach(call)
    case .local(let wire): wire.detach()
    }
  }

  /// Frees what belongs to a call that is gone.
  func destroy() {
    if case .grpc(let wire) = self { wire.destroy() }
  }

  /// Ends the call now, also past what the client has not read. Does nothing once the call has ended.
  func cancel(with status: RPCStatus) {
    switch self {
    case .grpc(let wire): wire.cancel(with: status)
    case .local(let wire): wire.cancel(with: status)
    }
  }

  /// Whether the call, which has ended, ended otherwise than with the server's status.
  var isCancelled: Bool {
    switch self {
    case .grpc(let wire): wire.slots.pointee.cancelled != 0
    case .local: false
    }
  }

  // MARK: Messages

  /// Starts a read, which `ServerCall.receiveCompleted(_:_:)` answers; false when the call is gone.
  func startReceive() -> Bool {
    switch self {
    case .grpc(let wire): wire.startReceive()
    case .local(let wire): wire.startReceive()
    }
  }

  /// How many further reads tell a half-close from the end of the call.
  var endProbes: Int {
    switch self {
    // gRPC reads a half-close and a reset alike. What comes with a reset is the end of the call: nearly always the queue
    // holds it before it holds the outcome of a read started now; one read in some thousands was sooner, and none of
    // several in a row.
    case .grpc: 4
    // The end is told before the reads that it ends.
    case .local: 0
    }
  }

  /// Starts a send, which `ServerCall.sendCompleted(_:)` answers; false when the call is gone.
  ///
  /// - Parameters:
  ///   - message: nil sends the headers alone.
  ///   - initialMetadata: the headers, if they are still to go; legal ones.
  ///   - holdsBack: the message may wait for the next one.
  @inline(__always)
  func startSend(_ message: RPCMessage?, initialMetadata: Metadata?, holdsBack: Bool) -> Bool {
    switch self {
    case .grpc(let wire): wire.startSend(message, initialMetadata: initialMetadata, holdsBack: holdsBack)
    case .local(let wire): wire.startSend(message, initialMetadata: initialMetadata)
    }
  }

  /// Starts the last send: the status, behind a last message if there is one. As `startSend`; both sets of metadata are
  /// legal.
  func startStatus(
    _ status: RPCStatus, last: RPCMessage?, initialMetadata: Metadata?, trailingMetadata: Metadata
  ) -> Bool {
    switch self {
    case .grpc(let wire):
      wire.startStatus(status, last: last, initialMetadata: initialMetadata, trailingMetadata: trailingMetadata)
    case .local(let wire):
      wire.startStatus(status, last: last, initialMetadata: initialMetadata, trailingMetadata: trailingMetadata)
    }
  }
}
