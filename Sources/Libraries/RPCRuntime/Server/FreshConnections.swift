internal import CGRPCSupport
internal import DequeModule

/// The connections that gRPC has been given and has not read: their set-up is work too, which it queues without limit.
/// The listener's thread only.
struct FreshConnections {
  private static let max = 64
  /// Who says nothing is counted no longer.
  private static let time: Duration = .milliseconds(100)

  /// The newest last.
  private var all: Deque<(socket: GivenSocket, since: ContinuousClock.Instant)> = []

  mutating func add(_ socket: GivenSocket) { all.append((socket, .now)) }

  /// Whether there are as many as there may be.
  mutating func areMany() -> Bool {
    guard all.count >= Self.max else { return false }
    let now = ContinuousClock.now
    all.removeAll { socket, since in
      tmrpc_gate_has_read(socket.file) != 0 || now >= since + Self.time || !socket.isOpen
    }
    return all.count >= Self.max
  }
}
