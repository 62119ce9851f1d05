package import Domain
internal import RPCRuntime
internal import ServiceKit
internal import Synchronization

/// Tells open streams that the third party has cancelled their subscription, or changed it: on this server at once, on
/// others when they look the next time.
///
/// Whoever streams a subscription opens a gate, then reads the subscription, so that nothing falls between the two, and
/// lets a task of the call wait for the gate's end, which is the status of the call.
public final class SubscriptionWatch: Sendable {
  private let gates = Mutex(Members<SubscriptionID, SubscriptionGate>())

  public init() {}

  func open(_ gate: SubscriptionGate) { gates.withLock { $0.add(gate, to: gate.subscription) } }

  func close(_ gate: SubscriptionGate) { gates.withLock { $0.remove(gate, from: gate.subscription) } }

  /// The subscription has been cancelled.
  func cancelled(_ subscription: SubscriptionID) {
    for gate in gates.withLock({ $0[subscription] ?? [] }) { gate.end(with: .subscriptionEnded) }
  }

  /// The subscription has got a new version.
  func changed(_ subscription: SubscriptionID, to version: Int64) {
    for gate in gates.withLock({ $0[subscription] ?? [] }) { gate.see(version) }
  }

  /// Looks for what other servers have cancelled and changed.
  /// - Parameter find: the versions of those that have not ended.
  /// - Throws: what `find` throws.
  package func refresh(_ find: ([SubscriptionID]) async throws -> [SubscriptionID: Int64]) async throws {
    let ids = gates.withLock(\.topics)
    if ids.isEmpty { return }
    let versions = try await find(ids)
    for id in ids {
      if let version = versions[id] { changed(id, to: version) } else { cancelled(id) }
    }
  }
}

/// Open as long as the subscription stands as a stream knows it.
final class SubscriptionGate: Sendable {
  private struct State {
    var end: RPCStatus?
    /// What the stream follows; nil where changes are nothing to it.
    var version: Int64?
  }

  let subscription: SubscriptionID
  private let state = Mutex(State())
  private let signal = StreamSignal()

  init(_ subscription: SubscriptionID) { self.subscription = subscription }

  /// The stream follows this version and has to begin anew with any other.
  func follow(_ version: Int64) { state.withLock { $0.version = version } }

  func see(_ version: Int64) {
    let isOther = state.withLock { $0.version.map { $0 < version } ?? false }
    if isOther { end(with: .subscriptionChanged) }
  }

  /// The first end counts.
  func end(with status: RPCStatus) {
    state.withLock { if $0.end == nil { $0.end = status } }
    signal.signal(.data)
  }

  /// Waits until the gate is closed. One waiter at a time.
  /// - Returns: the status with which the stream ends.
  /// - Throws: `CancellationError` if the task is cancelled first.
  func waitForEnd() async throws -> RPCStatus {
    try await signal.first { state.withLock(\.end) }
  }
}
