internal import BenchKit
internal import Glibc

/// All subscriptions with their connections; used on one thread alone.
///
/// The first subscription, which may stall, has a connection of its own: a stalled stream also holds up TCP for those
/// that share it, which is the client's doing.
final class Audience {
  let subscriptions: [Subscription]
  private let connections: [SubscriberConnection]
  private var descriptors: [pollfd]
  private var waiters: [(isMet: (Audience) -> Bool, continuation: CheckedContinuation<Void, any Error>)] = []

  init(schedule: PushSchedule, target: String, connections count: Int, token: String) throws {
    let decoder = DeliveryDecoder(schedule: schedule)
    connections = try (0...count).map { _ in try SubscriberConnection(target: target) }
    subscriptions = (0..<schedule.subscribers).map { Subscription($0, schedule: schedule, decoder: decoder) }
    for (number, subscription) in subscriptions.enumerated() {
      try connections[number == 0 ? count : number % count].open(subscription, token: token)
    }
    descriptors = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
  }

  /// Waits until something is there, and reads it.
  /// - Parameter wake: a descriptor whose bytes are taken away and end the wait.
  func read(_ wake: Int32) throws {
    var all = descriptors + [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
    guard poll(&all, nfds_t(all.count), -1) > 0 else { return }
    for (index, connection) in connections.enumerated() where all[index].revents != 0 { try connection.receive() }
    if all[connections.count].revents != 0 {
      var bytes: UInt64 = 0
      _ = Glibc.read(wake, &bytes, 8)
    }
    waiters.removeAll { waiter in
      guard waiter.isMet(self) else { return false }
      waiter.continuation.resume()
      return true
    }
  }

  /// Resumes the continuation when the condition holds.
  func wait(until isMet: @escaping (Audience) -> Bool, _ continuation: CheckedContinuation<Void, any Error>) {
    if isMet(self) { continuation.resume() } else { waiters.append((isMet, continuation)) }
  }

  /// Lets a stalled subscription read on.
  func resume(_ subscription: Subscription) throws {
    subscription.resume()
    for connection in connections { try connection.grant(subscription) }
  }

  /// Tells everyone who waits.
  func fail(_ failure: BenchError) {
    subscriptions.first?.ledger?.failed(failure.description)
    for waiter in waiters { waiter.continuation.resume(throwing: failure) }
    waiters = []
  }
}
