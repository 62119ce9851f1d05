import Synchronization
import Threads

/// The pool's thread for deadlines and cancellations. Cancelling takes a connect, which must not happen on the thread
/// of the task that is cancelled.
final class PoolClock: Sendable {
  private struct State {
    var timed: [ObjectIdentifier: PoolJob] = [:]
    var interrupted: [ObjectIdentifier: (job: PoolJob, reason: PoolJob.Interruption)] = [:]
    var wakeAt: ContinuousClock.Instant?
    var isStopped = false
  }

  /// A request that arrives between two statements of a job has no effect, so it is repeated until the job ends.
  private static let repeatInterval: Duration = .milliseconds(50)

  private let state = Monitored(State())
  /// Told about jobs that ended while waiting.
  private let onEndedWaiting: @Sendable (PoolJob) -> Void

  init(onEndedWaiting: @escaping @Sendable (PoolJob) -> Void) { self.onEndedWaiting = onEndedWaiting }

  /// Watches a job's deadline.
  func add(_ job: PoolJob, deadline: ContinuousClock.Instant) {
    let mustWake = state.withLock { state in
      state.timed[ObjectIdentifier(job)] = job
      guard let wakeAt = state.wakeAt else { return true }
      return deadline < wakeAt
    }
    if mustWake { state.change { $0.wakeAt = nil } }
  }

  /// The job ended; its deadline is no longer of interest.
  func remove(_ job: PoolJob) {
    state.withLock { _ = $0.timed.removeValue(forKey: ObjectIdentifier(job)) }
  }

  /// Stops a job, waiting or running; returns at once.
  func interrupt(_ job: PoolJob, _ reason: PoolJob.Interruption) {
    if job.failWaiting(reason.error) { return onEndedWaiting(job) }
    state.change {
      $0.interrupted[ObjectIdentifier(job)] = (job, reason)
      $0.wakeAt = nil
    }
  }

  func stop() { state.change(wakingAll: true) { $0.isStopped = true } }

  /// The thread's body.
  func run() {
    while true {
      let (due, isStopped) = takeDue()
      if isStopped { return }
      for (job, reason) in due {
        if job.failWaiting(reason.error) { onEndedWaiting(job) } else { job.cancelRunning(reason) }
      }
      sleep()
    }
  }

  private func takeDue() -> (jobs: [(PoolJob, PoolJob.Interruption)], isStopped: Bool) {
    state.withLock { state in
      let now = ContinuousClock.now
      for (id, job) in state.timed where job.deadline.map({ $0 <= now }) ?? true {
        state.timed[id] = nil
        state.interrupted[id] = state.interrupted[id] ?? (job, .deadline)
      }
      for (id, entry) in state.interrupted where entry.job.isEnded { state.interrupted[id] = nil }
      let next = state.interrupted.isEmpty ? nil : now + Self.repeatInterval
      state.wakeAt = (state.timed.values.compactMap(\.deadline) + [next].compactMap { $0 }).min() ?? .distantFuture
      return (state.interrupted.values.map { ($0.job, $0.reason) }, state.isStopped)
    }
  }

  /// Until `wakeAt`, or until someone sets it to nil.
  private func sleep() {
    let wakeAt = state.withLock { $0.isStopped ? nil : $0.wakeAt }
    guard let wakeAt else { return }
    state.wait(until: wakeAt == .distantFuture ? nil : wakeAt) { state -> Void? in
      state.wakeAt == nil || state.isStopped ? () : nil
    }
  }
}

extension ContinuousClock.Instant {
  /// Later than any deadline.
  static let distantFuture = ContinuousClock.now + .seconds(60 * 60 * 24 * 365 * 100)
}
