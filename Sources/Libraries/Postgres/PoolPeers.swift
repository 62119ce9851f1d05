import Synchronization

/// What the pools of one server know together.
final class PoolPeers: Sendable {
  private struct Peer {
    weak var workers: PoolWorkers?
  }

  let doubts = OutcomeDoubts()
  private let peers = Mutex<[Peer]>([])

  func add(_ workers: PoolWorkers) {
    peers.withLock { peers in
      peers.removeAll { $0.workers == nil }
      peers.append(Peer(workers: workers))
    }
  }

  /// The server is there; threads that wait to reconnect try now.
  func serverIsBack(at address: ConnectionConfiguration) {
    for workers in peers.withLock({ $0.compactMap(\.workers) }) { workers.serverIsBack(at: address) }
  }
}

/// Counts the commits whose outcome was unknown: what may have been seen too early, see `Connection.awaitStandbys`.
final class OutcomeDoubts: Sendable {
  private let counter = Atomic(0)

  var count: Int { counter.load(ordering: .acquiring) }

  func add() { counter.add(1, ordering: .acquiringAndReleasing) }
}
