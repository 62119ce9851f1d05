internal import CMicroHTTPDSupport
internal import Glibc
internal import Synchronization

/// Connections that have ended with an answer to a request whose body had not come.
///
/// Closed at once, the system would tell a client that still sends that its connection is broken, and the client might
/// never read the answer. So what it sends is dropped for a while: until it closes its end as well.
final class Lingering: Sendable {
  /// One is kept so for as many connections as there may be; further ones are closed at once.
  static let connectionsPerLingering = 20

  private struct Entry {
    let file: Int32
    let until: ContinuousClock.Instant
  }

  private let max: Int
  private let time: Duration
  private let entries = Mutex<[Entry]>([])

  init(max: Int, time: Duration) {
    self.max = max
    self.time = time
  }

  /// libmicrohttpd is about to close a connection, and has said that it sends nothing more.
  func add(_ file: Int32) {
    entries.withLock { entries in
      guard entries.count < max else { return }
      // Without a descriptor for it, it is closed at once.
      let copy = fcntl(file, F_DUPFD_CLOEXEC, 0)
      if copy >= 0 { entries.append(Entry(file: copy, until: .now + time)) }
    }
  }

  /// Drops what has come, and closes those whose clients are done, or have had their time.
  func look(_ now: ContinuousClock.Instant) {
    entries.withLock { entries in
      entries.removeAll { entry in
        guard tmhttpd_discard(entry.file) == 0 || entry.until <= now else { return false }
        close(entry.file)
        return true
      }
    }
  }

  /// Closes all.
  func end() {
    entries.withLock { entries in
      for entry in entries { close(entry.file) }
      entries.removeAll()
    }
  }
}
