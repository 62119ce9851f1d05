internal import Glibc
internal import Synchronization
internal import Threads

/// Threads for calls that block while a server of others takes its time. A thread is started when there is work and ends
/// when there is none; what finds all of them busy waits in a queue that has a limit.
public final class OutboundThreads: Sendable {
  private struct State {
    var running = 0
    var waiting: [@Sendable () -> Void] = []
  }

  private let threadsMax: Int
  /// How many calls may wait for a thread.
  public let waitingMax: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - threadsMax: the most calls that run at once, at least 1.
  ///   - waitingMax: the most that wait; one more is refused.
  public init(threadsMax: Int = 4, waitingMax: Int = 64) {
    self.threadsMax = max(1, threadsMax)
    self.waitingMax = waitingMax
  }

  /// How many calls wait for a thread.
  public var waitingCount: Int { state.withLock(\.waiting.count) }

  /// Runs `body` on a thread of its own and returns what it returns; nil if too much waits already.
  ///
  /// - Parameter body: is told through the flag that the calling task was cancelled; it is waited for all the same.
  func run<R: Sendable>(_ body: @escaping @Sendable (Cancellation) -> R) async -> R? {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<R?, Never>) in
        let isTaken = submit { continuation.resume(returning: body(cancellation)) }
        if !isTaken { continuation.resume(returning: nil) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Runs a job on a thread of its own; false if too much waits already.
  public func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
    let (isTaken, isNewThread) = state.withLock { state -> (Bool, Bool) in
      if state.running < threadsMax {
        state.running += 1
        return (true, true)
      }
      guard state.waiting.count < waitingMax else { return (false, false) }
      state.waiting.append(job)
      return (true, false)
    }
    if isNewThread { start(job) }
    return isTaken
  }

  private func start(_ first: @escaping @Sendable () -> Void) {
    DedicatedThread.detached("outbound") { [self] in
      // OpenSSL writes to sockets that may be closed; the signal goes to the thread that wrote.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      var job: (@Sendable () -> Void)? = first
      while let current = job {
        current()
        job = state.withLock { state in
          if state.waiting.isEmpty {
            state.running -= 1
            return nil
          }
          return state.waiting.removeFirst()
        }
      }
    }
  }
}

/// Whether, and when, the task that waits for a call was cancelled.
final class Cancellation: Sendable {
  private let instant = Mutex<ContinuousClock.Instant?>(nil)

  func cancel() { instant.withLock { $0 = $0 ?? .now } }

  /// How long ago; nil if it was not.
  var age: Duration? { instant.withLock { $0.map { .now - $0 } } }
}
