import Synchronization
internal import Threads

/// A fixed number of event loops, shared by servers and channels.
///
/// One loop costs the least CPU a message; more loops use more cores. End the servers and channels of a group before
/// the group.
public final class EventLoopGroup: Sendable {
  /// The loops, by index.
  public let loops: [EventLoop]
  private let turn = Atomic<Int>(0)
  private let isShutDown = Atomic<Bool>(false)

  /// Starts `count` loops (at least one), each with its own thread.
  public convenience init(count: Int) { self.init(count: count, name: "rpc-loop", priority: .normal) }

  init(count: Int, name: String, priority: DedicatedThread.Priority) {
    precondition(count > 0, "a group needs a loop")
    loops = (0..<count).map { EventLoop(index: $0, name: name, priority: priority) }
    for loop in loops { loop.start() }
  }

  deinit {
    if !isShutDown.load(ordering: .acquiring) { for loop in loops { loop.beginClose() } }
  }

  /// The loops in turn.
  public func next() -> EventLoop {
    loops[Int(bitPattern: UInt(bitPattern: turn.wrappingAdd(1, ordering: .relaxed).oldValue) % UInt(loops.count))]
  }

  /// The calling thread's loop if it belongs to the group, else the next in turn.
  func nearest() -> EventLoop {
    if let current = EventLoop.current, current.index < loops.count, loops[current.index] === current { return current }
    return next()
  }

  /// Ends the loops and waits for their threads. Blocks until the last call on them has ended, so call it after the
  /// group's servers have shut down and its channels have closed, and never from a task that runs on one of the loops.
  /// A second call does nothing.
  public func shutdown() {
    if isShutDown.exchange(true, ordering: .acquiringAndReleasing) { return }
    for loop in loops { loop.beginClose() }
    for loop in loops { loop.join() }
  }

  /// What the loops hold at this moment.
  public var statistics: LoopStatistics {
    LoopStatistics(
      liveCalls: loops.reduce(0) { $0 + $1.liveCalls }, liveBatches: loops.reduce(0) { $0 + $1.liveBatches })
  }
}

/// What a group of loops holds: numbers that return to 0 when nothing is going on.
public struct LoopStatistics: Sendable, Equatable {
  /// Calls that have not ended, of servers and of channels.
  public let liveCalls: Int
  /// Operations of calls that have not come back.
  public let liveBatches: Int

  /// Nothing is going on.
  public static let nothing = LoopStatistics(liveCalls: 0, liveBatches: 0)
}
