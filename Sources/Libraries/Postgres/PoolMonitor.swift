import CLibPQ
import Glibc
import Synchronization

/// Watches over the server with a connection of its own: tells when it goes and when it is back, and revives it.
///
/// Sleeps in poll(2) on the connection's socket, which a server that dies closes; a question every now and then finds
/// one that hangs.
final class PoolMonitor: Sendable {
  private let configuration: PoolConfiguration
  private let onBack: @Sendable (ConnectionConfiguration) -> Void
  private let isStopped = Atomic(false)
  /// A pipe: `stop()` writes into it to end a sleep.
  private let wakeReader: Int32
  private let wakeWriter: Int32

  /// - Parameter onBack: the server answers, here.
  init(_ configuration: PoolConfiguration, onBack: @escaping @Sendable (ConnectionConfiguration) -> Void) {
    self.configuration = configuration
    self.onBack = onBack
    var ends: [Int32] = [-1, -1]
    // Without a pipe (descriptors exhausted) `stop()` takes as long as a heartbeat.
    if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
    wakeReader = ends[0]
    wakeWriter = ends[1]
  }

  deinit {
    Glibc.close(wakeReader)
    Glibc.close(wakeWriter)
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(wakeWriter, &byte, 1)
  }

  /// The thread's body.
  func run() {
    var address = configuration.connection
    var backOff = configuration.backOff
    var reported: Bool?
    func report(_ isAvailable: Bool) {
      if reported == isAvailable { return }
      reported = isAvailable
      configuration.onAvailabilityChange?(isAvailable)
    }
    while !isStopped.load(ordering: .acquiring) {
      do {
        let connection = try reach(&address, afterFailure: { report(false) })
        onBack(address)
        report(true)
        let since = ContinuousClock.now
        // Returns when the connection is lost. One lost connection does not mean that the server is: try again first.
        watch(connection)
        // Unless it was lost at once, as to a server that accepts and drops.
        if ContinuousClock.now - since > .seconds(1) { backOff.reset() } else { pause(backOff.next(), socket: nil) }
      } catch {
        report(false)
        pause(backOff.next(), socket: nil)
      }
    }
  }

  /// Connects; if that fails, revives the server and tries again.
  private func reach(
    _ address: inout ConnectionConfiguration, afterFailure: () -> Void
  ) throws -> Connection {
    var first = address
    first.applicationName += "-monitor"
    do {
      return try Connection(first)
    } catch {
      guard let revive = configuration.revive, !isStopped.load(ordering: .acquiring) else { throw error }
      afterFailure()
      address = try revive()
      var second = address
      second.applicationName += "-monitor"
      return try Connection(second)
    }
  }

  private func watch(_ connection: Connection) {
    while !isStopped.load(ordering: .acquiring) {
      pause(configuration.heartbeatInterval, socket: connection.socket)
      if isStopped.load(ordering: .acquiring) { return }
      guard connection.isConnected, connection.answers(within: configuration.heartbeatTimeout) else { return }
    }
  }

  /// Sleeps until the time is up, the socket has something to say, or `stop()`.
  private func pause(_ duration: Duration, socket: Int32?) {
    var descriptors = [pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0)]
    if let socket { descriptors.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
    poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: duration.milliseconds))
  }
}

extension Connection {
  var socket: Int32 { (try? open()).map { PQsocket($0) } ?? -1 }

  /// Asks the server for a sign of life: an empty statement, which also a failed transaction accepts.
  func answers(within limit: Duration) -> Bool {
    guard let handle = try? open(), PQsendQuery(handle, "") == 1 else { return false }
    let deadline = ContinuousClock.now + limit
    while PQisBusy(handle) == 1 {
      let left = ContinuousClock.now.duration(to: deadline).milliseconds
      guard left > 0, SocketWait.wait(PQsocket(handle), orWritable: false, timeoutMilliseconds: Int32(clamping: left)),
        PQconsumeInput(handle) == 1
      else { return false }
    }
    var isGood = true
    while let result = PQgetResult(handle) {
      if PQresultStatus(result) != PGRES_EMPTY_QUERY { isGood = false }
      PQclear(result)
    }
    return isGood && PQstatus(handle) == CONNECTION_OK
  }
}

extension Duration {
  /// Whole milliseconds, rounded up.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
