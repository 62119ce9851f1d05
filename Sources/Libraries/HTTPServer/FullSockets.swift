internal import CMicroHTTPDSupport
internal import Synchronization

/// Streams whose clients are slower than who writes: each goes on when its socket has room again.
final class FullSockets: Sendable {
  private let poller: tmhttpd_poller
  private let waiting = Mutex<[Int32: Exchange]>([:])

  init() {
    var poller = tmhttpd_poller()
    let isOpen = tmhttpd_poller_open(&poller)
    // Without a descriptor at its start a server cannot do its work at all.
    precondition(isOpen == 0, "no epoll descriptor")
    self.poller = poller
  }

  deinit { tmhttpd_poller_close(poller) }

  /// Once: who still waits then asks again. Any thread, with the exchange's lock held.
  func wait(for exchange: Exchange) {
    let file = exchange.connection.file
    waiting.withLock { $0[file] = exchange }
    tmhttpd_poller_watch(poller, file)
  }

  /// Its request is over, and its descriptor about to be closed.
  func forget(_ exchange: Exchange) {
    let file = exchange.connection.file
    let forgotten = waiting.withLock { $0.removeValue(forKey: file) }
    tmhttpd_poller_forget(poller, file)
    // Let go of outside the lock.
    _ = forgotten
  }

  /// Wakes them, until `stop`: what a thread of its own does.
  func run() {
    var files = [Int32](repeating: 0, count: 256)
    while true {
      let count = tmhttpd_poller_wait(poller, &files, Int32(files.count))
      guard count >= 0 else { return }
      for file in files.prefix(Int(count)) { waiting.withLock { $0.removeValue(forKey: file) }?.goOn() }
    }
  }

  /// `run` returns.
  func stop() { tmhttpd_poller_stop(poller) }
}
