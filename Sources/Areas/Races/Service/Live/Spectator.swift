internal import Emergencies
internal import RPCRuntime
internal import Synchronization

/// One stream's place at a race. It holds the tick of the newest frame that it was given and, as long as it waits, its
/// continuation: no frame is ever queued for it.
final class Spectator: Sendable {
  enum Delivery {
    case frame(RPCMessage)
    /// Nothing follows; nil: the race is over.
    case end(RPCStatus?)
    /// The call is gone.
    case cancelled
  }

  /// What it should be given at a tick.
  enum Wish {
    /// It is still sending, or it is too early.
    case nothing
    case snapshot
    /// What has changed since a tick.
    case since(Int)
  }

  private struct State {
    var waiter: UnsafeContinuation<Delivery, Never>?
    var tick: Int?
    /// How the stream ends, when the waiter comes.
    var end: Delivery?
  }

  /// Among those that are served together.
  let phase: Int
  private let state: Mutex<State>

  /// - Parameter tick: of the newest frame that it has; nil: none.
  init(phase: Int, tick: Int?) {
    self.phase = phase
    state = Mutex(State(tick: tick))
  }

  /// What it should be given now.
  /// - Parameter pause: the least number of ticks between two frames.
  func wish(at tick: Int, pause: Int) -> Wish {
    state.withLock { state in
      guard state.waiter != nil else { return .nothing }
      guard let newest = state.tick else { return .snapshot }
      return tick - newest >= pause ? .since(newest) : .nothing
    }
  }

  /// Gives it a frame, if it waits.
  func give(_ frame: RPCMessage, of tick: Int) {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      if state.waiter != nil { state.tick = tick }
      return state.waiter
    }
    waiter?.resume(returning: .frame(frame))
  }

  /// Ends it, after what it is sending. The first end counts.
  /// - Parameter status: nil: the race is over.
  func end(_ status: RPCStatus?) { finish(.end(status)) }

  private func finish(_ end: Delivery) {
    let waiter = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: end)
  }

  /// Waits for the next frame. One waiter at a time.
  func next() async -> Delivery {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let end = state.withLock { state in
          if state.end == nil { state.waiter = continuation }
          return state.end
        }
        if let end { continuation.resume(returning: end) }
      }
    } onCancel: {
      finish(.cancelled)
    }
  }
}
