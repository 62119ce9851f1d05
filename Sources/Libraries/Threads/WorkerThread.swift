/// A thread that does one job after the other, for work that computes for long: see `DedicatedThread`. It ends with this
/// object, after the jobs that wait.
package final class WorkerThread: Sendable {
  /// As many jobs wait as may.
  package struct Full: Error {}

  private struct Queue {
    var jobs: [@Sendable () -> Void] = []
    var isClosed = false
  }

  /// The most jobs that wait.
  package let maxWaiting: Int
  private let queue = Monitored(Queue())

  /// - Parameters:
  ///   - name: of the thread, at most 15 bytes.
  ///   - priority: low for work that somebody's safety never waits for.
  ///   - maxWaiting: the most jobs that wait beside the one that is being done.
  package init(_ name: String, priority: DedicatedThread.Priority, maxWaiting: Int) {
    self.maxWaiting = maxWaiting
    let queue = queue
    DedicatedThread.detached(name, priority: priority) {
      while let job = Self.next(queue) { job() }
    }
  }

  deinit { queue.change { $0.isClosed = true } }

  private static func next(_ queue: Monitored<Queue>) -> (@Sendable () -> Void)? {
    queue.wait { queue -> (@Sendable () -> Void)?? in
      if !queue.jobs.isEmpty { return .some(queue.jobs.removeFirst()) }
      return queue.isClosed ? .some(nil) : nil
    } ?? nil
  }

  /// How many jobs wait.
  package var waitingCount: Int { queue.withLock(\.jobs.count) }

  /// Does a job on the thread. Once it waits it is done, also where the task is cancelled.
  /// - Throws: `Full`; what the job throws.
  package func run<T: Sendable>(_ job: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      let isQueued = queue.change { queue in
        guard queue.jobs.count < maxWaiting else { return false }
        queue.jobs.append { continuation.resume(with: Result(catching: job)) }
        return true
      }
      if !isQueued { continuation.resume(throwing: Full()) }
    }
  }
}
