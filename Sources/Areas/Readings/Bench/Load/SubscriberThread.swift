internal import BenchKit
internal import Glibc
internal import Synchronization
internal import Threads

/// The thread on which all subscriptions are read.
final class SubscriberThread: Sendable {
  /// Gets the audience, or the error that has ended the thread.
  private typealias Work = @Sendable (() throws -> Audience) -> Void

  private struct State {
    var work: [Work] = []
    var failure: BenchError?
    var isClosed = false
    var thread: DedicatedThread?
  }

  private let state = Mutex(State())
  /// A byte in this pipe wakes the thread.
  private let (wakeRead, wakeWrite): (Int32, Int32)

  /// Starts the thread, to which the audience belongs from now on.
  init(_ audience: sending Audience) throws {
    var ends: [Int32] = [0, 0]
    try check(pipe(&ends) == 0, "no pipe: \(describeError())")
    (wakeRead, wakeWrite) = (ends[0], ends[1])
    // nonisolated(unsafe): handed over; nobody else has a reference.
    nonisolated(unsafe) let audience = audience
    let thread = DedicatedThread("load") { [self] in run(audience) }
    state.withLock { $0.thread = thread }
  }

  /// Runs something on the thread, between two reads.
  func perform<R: Sendable>(_ body: @escaping @Sendable (Audience) throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      submit { audience in continuation.resume(with: Result { try body(audience()) }) }
    }
  }

  /// Waits until a condition holds, which is looked at after each read.
  func wait(until isMet: @escaping @Sendable (Audience) -> Bool) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      submit { audience in
        do { try audience().wait(until: isMet, continuation) } catch { continuation.resume(throwing: error) }
      }
    }
  }

  /// Closes every connection and ends the thread.
  func close() {
    let thread = state.withLock { state in
      state.isClosed = true
      return state.thread
    }
    wake()
    thread?.join()
    for end in [wakeRead, wakeWrite] { Glibc.close(end) }
  }

  private func submit(_ work: @escaping Work) {
    let failure = state.withLock { state in
      if state.failure == nil { state.work.append(work) }
      return state.failure
    }
    if let failure { work { throw failure } } else { wake() }
  }

  private func wake() {
    var byte: UInt8 = 1
    _ = write(wakeWrite, &byte, 1)
  }

  private func run(_ audience: Audience) {
    do {
      while true {
        try audience.read(wakeRead)
        let (work, isClosed) = takeWork()
        if isClosed { return }
        for one in work { one { audience } }
      }
    } catch {
      let failure = BenchError("\(error)")
      state.withLock { $0.failure = failure }
      for one in takeWork().0 { one { throw failure } }
      audience.fail(failure)
    }
  }

  private func takeWork() -> ([Work], isClosed: Bool) {
    state.withLock { state in
      defer { state.work = [] }
      return (state.work, state.isClosed)
    }
  }
}
