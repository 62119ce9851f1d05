internal import Synchronization
internal import Threads

/// Lets a few bodies run at a time, and the others wait for their turn. Waiting here costs nothing, unlike waiting in a
/// connection pool, whose queue is first come, first served.
///
/// - Fairness: of each asker only some run at a time. A place that is free goes to the oldest of the next asker in
///   turn, however many one of them brings. Where there is one asker, that is the order in which they come.
/// - Cancellation: who is cancelled while waiting leaves at once and runs nothing; a body that runs is not disturbed.
/// - Bound: as many wait as `init` lets, of an asker and in all.
public final class FairTurns: Sendable {
  /// How many questions about readings are answered at a time: a processor is busy with each. An account has one of
  /// them, so that another one's question always finds a place soon.
  static let questionPlaces = 2
  /// How many of those that read little are: somebody is looking at a page, and waits for no history of somebody else.
  static let briefPlaces = 2
  /// How many of an account's questions may wait: as many as a page full of charts asks at once.
  public static let questionsWaitingPerAsker = 32
  static let questionsWaiting = 1_024
  /// How many streams read from storage at a time.
  static let catchUpPlaces = 2

  /// As many wait as may: nothing was run.
  public struct Full: Error {
    /// How many the asker may have waiting, if that is the limit; nil: too many of all askers wait.
    public let limitOfAsker: Int?
  }

  fileprivate enum Entry {
    case place
    case cancelled
    case full(Full)
  }

  fileprivate struct Waiter {
    let id: UInt64
    let continuation: CheckedContinuation<Entry, Never>
  }

  fileprivate struct State {
    var free: Int
    var running: [Asker: Int] = [:]
    var waiting = RoundRobin<Asker, Waiter>()
    var lastID: UInt64 = 0
  }

  private let perAsker: Int
  private let waitingPerAsker: Int
  /// How many may wait; nobody counts where that is `Int.max`.
  public let waitingMax: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - places: how many run at a time.
  ///   - perAsker: how many of one asker.
  ///   - waitingPerAsker: how many of one asker may wait.
  ///   - waiting: how many may wait. One more takes the place of the newest of whoever has most waiting.
  public init(places: Int, perAsker: Int, waitingPerAsker: Int = .max, waiting: Int = .max) {
    self.perAsker = perAsker
    self.waitingPerAsker = waitingPerAsker
    waitingMax = waiting
    state = Mutex(State(free: places))
  }

  /// For questions about readings.
  static func forQuestions(places: Int = questionPlaces) -> FairTurns {
    FairTurns(places: places, perAsker: 1, waitingPerAsker: questionsWaitingPerAsker, waiting: questionsWaiting)
  }

  /// For streams that are behind: after a restart all of them are at once, so all may wait.
  public static func forCatchingUp() -> FairTurns { FairTurns(places: catchUpPlaces, perAsker: catchUpPlaces) }

  /// Runs the body when it is the asker's turn.
  /// - Throws: `CancellationError` if the task is cancelled while it waits; `Full`; what the body throws.
  public func run<T>(for asker: Asker = .current, _ body: () async throws -> T) async throws -> T {
    switch await enter(asker) {
    case .place: break
    case .cancelled: throw CancellationError()
    case .full(let full): throw full
    }
    defer { leave(asker) }
    return try await body()
  }

  /// How many wait.
  public var waitingCount: Int { state.withLock(\.waiting.count) }

  /// How many run.
  public var runningCount: Int { state.withLock { $0.running.values.reduce(0, +) } }

  /// Waits for a place. Without one there is none to give back.
  private func enter(_ asker: Asker) async -> Entry {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, ousted) = state.withLock { state -> (Entry?, Waiter?) in
          if Task.isCancelled { return (.cancelled, nil) }
          // While a place is free, everybody who waits has as many as an asker may have.
          if state.free > 0, state.running[asker, default: 0] < perAsker {
            state.take(asker)
            return (.place, nil)
          }
          return wait(asker, Waiter(id: id, continuation: continuation), &state)
        }
        ousted?.continuation.resume(returning: .full(Full(limitOfAsker: nil)))
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiting.remove(of: asker) { $0.id == id } }?.continuation.resume(returning: .cancelled)
    }
  }

  /// - Returns: the answer if there is one already, and who has to go instead.
  private func wait(_ asker: Asker, _ waiter: Waiter, _ state: inout State) -> (Entry?, Waiter?) {
    let own = state.waiting.count(of: asker)
    guard own < waitingPerAsker else { return (.full(Full(limitOfAsker: waitingPerAsker)), nil) }
    var ousted: Waiter?
    if state.waiting.count >= waitingMax {
      guard let most = state.waiting.longest, state.waiting.count(of: most) > own else {
        return (.full(Full(limitOfAsker: nil)), nil)
      }
      ousted = state.waiting.removeLast(of: most)
    }
    state.waiting.append(waiter, of: asker)
    return (nil, ousted)
  }

  private func leave(_ asker: Asker) {
    let next = state.withLock { state -> Waiter? in
      state.giveBack(asker)
      // No more are passed over than run.
      let running = state.running
      guard let next = state.waiting.popNext(where: { running[$0, default: 0] < perAsker }) else { return nil }
      state.take(next.key)
      return next.element
    }
    next?.continuation.resume(returning: .place)
  }
}

extension FairTurns.State {
  fileprivate mutating func take(_ asker: Asker) {
    free -= 1
    running[asker, default: 0] += 1
  }

  fileprivate mutating func giveBack(_ asker: Asker) {
    free += 1
    running[asker, default: 1] -= 1
    if running[asker] == 0 { running[asker] = nil }
  }
}
