internal import CMicroHTTPDSupport
internal import Glibc
internal import Synchronization
internal import Threads

/// An HTTP/1.1 server over GNU libmicrohttpd. It speaks plain HTTP; a proxy in front of it ends TLS.
///
/// One thread accepts, reads, and writes answers; requests are answered by tasks of their own, which also write what is sent
/// bit by bit. What a client may do is limited: see
/// `HTTPLimits`. Requests that two readers might read differently are refused and their connections closed, before a
/// handler sees them.
public final class HTTPServer: Sendable {
  /// How often those are looked for that have taken too long, at most.
  private static let lookInterval: Duration = .milliseconds(500)
  /// How often it is looked whether answers have ended, once the server is to end.
  private static let drainInterval: Duration = .milliseconds(5)

  private struct Life {
    var isRunning = false
    var isStopping = false
  }

  /// Where it listens; if 0 was asked for, the one that was free.
  public let port: UInt16
  private let listener: Int32
  private let service: Service
  private let life = Monitored(Life())

  /// Listens from now on; connections wait until `run`.
  ///
  /// - Parameters:
  ///   - host: a name or a number; a number of IPv6 may be in brackets.
  ///   - port: 0: any that is free.
  ///   - isExempt: whether the connections of a peer, written as in `HTTPRequest.peer`, are not counted per address: a
  ///     proxy brings those of many.
  ///   - executor: where a request's handler runs, asked for each; nil: Swift's own threads.
  ///   - handler: answers a request, of any method and path. Its task is cancelled when it takes too long, when the
  ///     connection is known to have ended, and when the server ends. libmicrohttpd does not look at a connection while
  ///     an answer is made: that the client has gone is noticed while its body is read, and when there is an answer.
  /// - Throws: `HTTPServerError`, such as for an address that is taken.
  public init(
    host: String, port: UInt16, limits: HTTPLimits = HTTPLimits(), isExempt: (@Sendable (String) -> Bool)? = nil,
    executor: (@Sendable () -> any TaskExecutor)? = nil,
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) throws(HTTPServerError) {
    (listener, self.port) = try ListeningSocket.open(host: host, port: port)
    service = Service(limits: limits, isExempt: isExempt, executor: executor, handler: handler)
  }

  deinit { close(listener) }

  /// Answers requests until `stop`, or until the task is cancelled. Then nothing more is accepted, connections without a
  /// request are closed, and answers may end for `HTTPLimits.drainTime`; the others are cut off. Returns when all tasks
  /// that made one have ended. To be called once.
  public func run() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DedicatedThread.detached("http") {
          self.live()
          continuation.resume()
        }
      }
    } onCancel: {
      stop()
    }
  }

  /// Ends `run`, as it says.
  public func stop() { life.change(wakingAll: true) { $0.isStopping = true } }

  // MARK: The thread

  private func live() {
    life.withLock { life in
      precondition(!life.isRunning, "a server runs once")
      life.isRunning = true
    }
    let waking = DedicatedThread("http-wake") { [waker = service.waker] in waker.run() }
    let writing = DedicatedThread("http-write") { [sockets = service.fullSockets] in sockets.run() }
    let daemon = Daemon(service)
    daemon.start(listener)
    let interval = min(Self.lookInterval, service.limits.shortest / 4)
    while life.wait(until: .now + interval, { $0.isStopping ? true : nil }) == nil { look() }

    service.beginEnd()
    daemon.quiesce()
    // Who comes now is refused, and does not wait for nothing.
    tmhttpd_shutdown(listener)
    let deadline = ContinuousClock.now + service.limits.drainTime
    while !service.table.isEmpty, .now < deadline {
      service.table.cutIdle()
      pause()
      look()
    }
    // From here on nothing is suspended: what is, is resumed here, and whoever is about to suspend sees the flag.
    service.beginAbort()
    for connection in service.table.all { connection.exchange?.abort() }
    service.waker.stop()
    waking.join()
    daemon.stop()
    service.fullSockets.stop()
    writing.join()
    service.lingering.end()
    while service.taskCount > 0 { pause() }
  }

  private func look() {
    let now = ContinuousClock.now
    for connection in service.table.all { connection.expire(now) }
    service.lingering.look(now)
  }

  private func pause() { life.wait(until: .now + Self.drainInterval) { _ in nil as Bool? } }
}
