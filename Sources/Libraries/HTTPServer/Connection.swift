internal import CMicroHTTPD
internal import CMicroHTTPDSupport
internal import Synchronization

/// libmicrohttpd's connection.
// @unchecked: libmicrohttpd locks what suspend and resume touch, and everything else is called on its own thread.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// A connection, from its acceptance until libmicrohttpd closes it.
final class Connection: Sendable {
  private struct State {
    /// Whether the descriptor is this connection's: libmicrohttpd tells before it closes it.
    var isOpen = true
    /// The request that libmicrohttpd is at.
    var exchange: Exchange?
    /// When it is cut while there is no request; nil while there is one.
    var deadline: ContinuousClock.Instant?
    var isFirst = true
    /// Whether the client may still send when it is closed.
    var lingers = false
  }

  let handle: ConnectionHandle
  let file: Int32
  let peer: PeerAddress
  /// Whose share of connections it takes; nil: nobody's.
  let group: PeerAddress.Group?
  private let state: Mutex<State>

  init(
    _ handle: ConnectionHandle, file: Int32, peer: PeerAddress, group: PeerAddress.Group?,
    until: ContinuousClock.Instant
  ) {
    self.handle = handle
    self.file = file
    self.peer = peer
    self.group = group
    state = Mutex(State(deadline: until))
  }

  /// A request's first line has come.
  /// - Returns: until when its fields may come.
  func begin(_ exchange: Exchange, headTime: Duration) -> ContinuousClock.Instant {
    state.withLock { state in
      let deadline = state.isFirst ? state.deadline ?? .now + headTime : .now + headTime
      state.exchange = exchange
      state.deadline = nil
      state.isFirst = false
      return deadline
    }
  }

  /// The request has ended; there may be another one.
  func end(until deadline: ContinuousClock.Instant) {
    state.withLock { state in
      state.exchange = nil
      state.deadline = deadline
    }
  }

  /// The request that it is at.
  var exchange: Exchange? { state.withLock(\.exchange) }

  /// Ends whatever has taken too long.
  func expire(_ now: ContinuousClock.Instant) {
    let (exchange, isLate) = state.withLock { state in (state.exchange, state.deadline.map { $0 <= now } ?? false) }
    if let exchange { exchange.expire(now) } else if isLate { cut() }
  }

  /// Makes libmicrohttpd see its end: at once, or when it is resumed.
  func cut() {
    // With the lock held: the descriptor is not closed, and used again, meanwhile.
    state.withLock { state in
      if state.isOpen { tmhttpd_shutdown(file) }
    }
  }

  /// Answers with a status in libmicrohttpd's place, and ends it.
  func refuse(_ status: Int) {
    state.withLock { state in
      guard state.isOpen else { return }
      tmhttpd_refuse(file, UInt32(status))
      state.lingers = true
    }
  }

  /// Its end will come with an answer, while the client may still send.
  func linger() { state.withLock { $0.lingers = true } }

  /// libmicrohttpd is about to close the descriptor.
  /// - Returns: whether the client may still send.
  func closed() -> Bool {
    state.withLock { state in
      state.isOpen = false
      return state.lingers
    }
  }
}
