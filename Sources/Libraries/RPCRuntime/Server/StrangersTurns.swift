internal import Threads

/// How far all strangers together may run ahead of the server: one that has sent more than a little is read when it is its
/// turn. With TLS a connection's bytes say nothing until a record is whole, which may hold 16 KiB: some 600 calls. So few
/// have turns at once, however many wait. Addresses take turns, and of each address whoever waits longest: many connections
/// of one keep nobody else out. The listener's thread only.
struct StrangersTurns {
  private static let max = 4
  /// Whoever has not sent as much as it may by then gives up its turn, and what is left of it.
  private static let time: Duration = .milliseconds(5)

  /// So long after one turn comes another, whatever was begun without one.
  private let interval: Duration
  private var lastBegun: ContinuousClock.Instant?
  /// The calls that they begin. One that is refused costs some 0.1 ms.
  private var calls = TokenBucket(size: 1_000, perSecond: 5_000)
  private var counted = 0
  private var current: [(connection: Connection, end: ContinuousClock.Instant)] = []
  /// Who waits, by address. Nil: those that are not counted.
  private var waiting = RoundRobin<ClientAddress?, Connection>()
  /// When the calls that strangers have begun allow another turn.
  private var ready: ContinuousClock.Instant?

  init(interval: Duration) { self.interval = interval }

  /// A connection that does not wait yet waits for its turn.
  mutating func enqueue(_ connection: Connection) { waiting.append(connection, of: connection.client) }

  /// A connection waits no longer.
  mutating func dequeue(_ connection: Connection) {
    _ = waiting.remove(of: connection.client) { $0 === connection }
  }

  /// Takes out the connection whose turn it is, if somebody may have one.
  /// - Parameter count: the calls that strangers have begun, since the start.
  mutating func popNext(after count: Int, at now: ContinuousClock.Instant) -> Connection? {
    let pause = pause(after: count, at: now)
    ready = now + pause
    return pause == .zero && current.count < Self.max ? waiting.popNext()?.element : nil
  }

  private mutating func pause(after count: Int, at now: ContinuousClock.Instant) -> Duration {
    let pause = calls.take(count - counted, at: now)
    counted = count
    return min(pause, lastBegun.map { Swift.max(.zero, $0 + interval - now) } ?? .zero)
  }

  /// The connection that was taken out has its turn.
  mutating func begin(of connection: Connection, at now: ContinuousClock.Instant) {
    current.append((connection, now + Self.time))
    lastBegun = now
  }

  /// A connection has used its turn up, if it had one.
  mutating func end(of connection: Connection) { current.removeAll { $0.connection === connection } }

  /// No connection has a turn any more, or waits for one.
  mutating func removeAll() { (current, waiting) = ([], RoundRobin()) }

  /// When a turn ends that has not been used up, or another one may begin.
  var nextChange: ContinuousClock.Instant? {
    let next = waiting.isEmpty || current.count == Self.max ? nil : ready
    return [current.first?.end, next].compactMap(\.self).min()
  }

  /// Takes out a connection whose turn has ended.
  mutating func popEnded(at now: ContinuousClock.Instant) -> Connection? {
    guard let first = current.first, first.end <= now else { return nil }
    return current.removeFirst().connection
  }
}
