internal import RPCRuntime
internal import Synchronization

/// What one stream's sender waits for. Signals that come while nobody waits are kept and merged; nothing is queued.
package final class StreamSignal: Sendable {
  package struct Reasons: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There may be readings to deliver.
    package static let data = Reasons(rawValue: 1)
    /// The client has acknowledged.
    package static let acknowledged = Reasons(rawValue: 2)
    /// The stream has been silent for a heartbeat interval.
    package static let heartbeat = Reasons(rawValue: 4)
    /// The server is ending.
    package static let drain = Reasons(rawValue: 8)
    /// The call is gone.
    package static let cancelled = Reasons(rawValue: 16)
  }

  private struct State {
    var reasons: Reasons = []
    var waiter: UnsafeContinuation<Reasons, Never>?
    var waitingSince: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether the stream has been told to end and nobody has waited since.
  package var isDraining: Bool { state.withLock { $0.reasons.contains(.drain) } }

  /// Wakes the waiter, or the next one at once.
  package func signal(_ reason: Reasons) {
    let waiter = state.withLock { state -> UnsafeContinuation<Reasons, Never>? in
      guard let waiter = state.waiter else {
        state.reasons.formUnion(reason)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: reason)
  }

  /// Wakes the waiter with `heartbeat` if it has waited since before the instant.
  package func beat(ifWaitingSince instant: ContinuousClock.Instant) {
    let isIdle = state.withLock { $0.waiter != nil && $0.waitingSince.map { $0 <= instant } ?? false }
    if isIdle { signal(.heartbeat) }
  }

  /// Waits for the next signal. One waiter at a time. Cancellation of the task returns `cancelled`.
  package func wait() async -> Reasons {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let pending = state.withLock { state -> Reasons in
          if state.reasons.isEmpty {
            state.waiter = continuation
            state.waitingSince = .now
          }
          defer { state.reasons.formIntersection([.drain, .cancelled]) }
          return state.reasons
        }
        if !pending.isEmpty { continuation.resume(returning: pending) }
      }
    } onCancel: {
      signal(.cancelled)
    }
  }
}

/// The loops of those who wait.
extension StreamSignal {
  /// What a stream has left to do.
  package enum Left {
    /// There may be more to do now.
    case more
    /// There was nothing, or no room for it: the next signal says when to look again.
    case nothing
  }

  /// Sends what there is until the call ends, and a heartbeat where there was nothing for a heartbeat interval. Whoever
  /// wakes the stream is heard from the moment at which the signal was registered on: what comes while `work` looks is
  /// looked for again.
  ///
  /// - Parameters:
  ///   - work: does the next piece of what there is to do. It is told what woke it, at first `data`; before a heartbeat
  ///     it is called too, with `heartbeat` alone, so that the heartbeat can say how far the stream is now.
  ///   - beat: sends a heartbeat.
  /// - Throws: `CancellationError` when the call is gone; UNAVAILABLE when the server is ending; what `work` and `beat`
  ///   throw, which ends the stream.
  package func pump(
    _ work: (_ woken: Reasons) async throws -> Left, beat: () async throws -> Void
  ) async throws -> Never {
    var woken = Reasons.data
    while true {
      // A stream that always has something to send must end too.
      if isDraining { throw RPCStatus.shuttingDown }
      if try await work(woken) == .more { continue }
      if woken.contains(.heartbeat) { try await beat() }
      woken = try await turn()
    }
  }

  /// Waits until there is a value, and looks for it again at each signal. One waiter at a time.
  /// - Throws: `CancellationError` if the task is cancelled first.
  package func first<Value>(_ look: () -> Value?) async throws -> Value {
    while true {
      if let value = look() { return value }
      if await wait().contains(.cancelled) { throw CancellationError() }
    }
  }

  /// Waits for something to do.
  /// - Returns: what it may be.
  /// - Throws: `CancellationError` when the call is gone; UNAVAILABLE when the server is ending.
  package func turn() async throws -> Reasons {
    let reasons = await wait()
    if reasons.contains(.cancelled) { throw CancellationError() }
    if reasons.contains(.drain) { throw RPCStatus.shuttingDown }
    return reasons
  }
}
