internal import Foundation
internal import Synchronization

/// How often longer tests wait for what must come than a machine takes that has nothing else to do: `TRACKME_TEST_PATIENCE`, 4
/// without it. Only waiting grows with it; what is promised in time stays what it is.
public let patience = ProcessInfo.processInfo.environment["TRACKME_TEST_PATIENCE"].flatMap { Double($0) } ?? 4

/// Waits until a condition holds, without holding a thread that the other side may need.
/// - Parameter limit: on a machine that has nothing else to do.
/// - Throws: `WaitedInVain` if it does not within `limit`, times `patience`; what `condition` throws.
public func eventually(
  within limit: Duration = .seconds(20), _ condition: () async throws -> Bool
) async throws {
  let began = ContinuousClock.now
  while true {
    if try await condition() { return }
    let waited = began.duration(to: .now)
    guard waited < limit * patience else { throw WaitedInVain() }
    try await Task.sleep(for: pause(after: waited))
  }
}

/// Before a condition is looked at again: the longer it lasts the longer, as whoever looks takes the processor from what is
/// waited for.
public func pause(after waited: Duration) -> Duration { min(.milliseconds(20), max(.milliseconds(1), waited / 10)) }

public struct WaitedInVain: Error {
  public init() {}
}

/// Holds whoever waits until it is opened.
public final class Gate: Sendable {
  private let isOpen = Atomic(false)

  public init() {}

  public func open() { isOpen.store(true, ordering: .releasing) }

  public func wait() async throws { try await eventually { isOpen.load(ordering: .acquiring) } }
}

/// A number that several tasks change.
public final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  public init() {}

  public var value: Int { number.load(ordering: .acquiring) }

  public func increment() { add(1) }

  public func add(_ more: Int) { number.add(more, ordering: .acquiringAndReleasing) }
}
