internal import DequeModule
internal import Synchronization

/// The connections that are open, and which of them has to go when there are too many: the one that has been without a
/// request for longest, of those first that never had one; but a body that has been waited for longer than these goes before
/// them, and where each connection has a request, the one whose body has been waited for longest.
final class ConnectionTable: Sendable {
  private struct State {
    /// By descriptor.
    var open: [Int32: Connection] = [:]
    var leaving: Set<Int32> = []
    var counts: [PeerAddress.Group: Int] = [:]
    /// Of those without a request, or whose body is waited for; a connection that has come on since has another ticket, or
    /// none.
    var tickets: [Int32: UInt64] = [:]
    var lastTicket: UInt64 = 0
    var unused: Deque<(ticket: UInt64, connection: Connection)> = []
    var used: Deque<(ticket: UInt64, connection: Connection)> = []
    var sending: Deque<(ticket: UInt64, connection: Connection)> = []

    mutating func idle(
      _ connection: Connection, _ queue: WritableKeyPath<State, Deque<(ticket: UInt64, connection: Connection)>>
    ) {
      lastTicket += 1
      tickets[connection.file] = lastTicket
      self[keyPath: queue].append((lastTicket, connection))
      guard self[keyPath: queue].count > 2 * tickets.count + 64 else { return }
      // So that who asks often does not leave more here than there are connections.
      self[keyPath: queue].removeAll { [tickets] in tickets[$0.connection.file] != $0.ticket }
    }

    /// Takes the one that makes room. Whoever has just come gets the time to say something: a body that has been waited
    /// for longer goes first.
    mutating func longestIdle() -> Connection? {
      let (unused, sending) = (first(\.unused), first(\.sending))
      let isSendingLonger = sending.map { sending in unused.map { sending < $0 } ?? false } ?? false
      if unused != nil { return take(isSendingLonger ? \.sending : \.unused) }
      return take(first(\.used) != nil ? \.used : \.sending)
    }

    /// The ticket of the one that is first in a queue, without those that have come on.
    private mutating func first(
      _ queue: WritableKeyPath<State, Deque<(ticket: UInt64, connection: Connection)>>
    ) -> UInt64? {
      while let (ticket, connection) = self[keyPath: queue].first {
        if tickets[connection.file] == ticket { return ticket }
        self[keyPath: queue].removeFirst()
      }
      return nil
    }

    private mutating func take(
      _ queue: WritableKeyPath<State, Deque<(ticket: UInt64, connection: Connection)>>
    ) -> Connection? {
      guard first(queue) != nil, let (_, connection) = self[keyPath: queue].popFirst() else { return nil }
      tickets[connection.file] = nil
      return connection
    }
  }

  private let max: Int
  private let maxPerGroup: Int
  private let state = Mutex(State())

  init(max: Int, maxPerGroup: Int) {
    self.max = max
    self.maxPerGroup = maxPerGroup
  }

  /// Whether one more may come. If it needs the place of another one, that one is cut.
  func admits(_ group: PeerAddress.Group?) -> Bool {
    let (admits, leaves) = state.withLock { state -> (Bool, Connection?) in
      if let group, state.counts[group, default: 0] >= maxPerGroup { return (false, nil) }
      guard state.open.count - state.leaving.count >= max else { return (true, nil) }
      guard let idle = state.longestIdle() else { return (false, nil) }
      state.leaving.insert(idle.file)
      return (true, idle)
    }
    leaves?.cut()
    return admits
  }

  func add(_ connection: Connection) {
    state.withLock { state in
      state.open[connection.file] = connection
      if let group = connection.group { state.counts[group, default: 0] += 1 }
      state.idle(connection, \.unused)
    }
  }

  func remove(_ connection: Connection) {
    state.withLock { state in
      state.open[connection.file] = nil
      state.leaving.remove(connection.file)
      state.tickets[connection.file] = nil
      guard let group = connection.group, let count = state.counts[group] else { return }
      state.counts[group] = count > 1 ? count - 1 : nil
    }
  }

  /// Its request's body is waited for.
  func isSending(_ connection: Connection) { state.withLock { $0.idle(connection, \.sending) } }

  /// It has a request, and nothing more is waited for.
  func isBusy(_ connection: Connection) { state.withLock { $0.tickets[connection.file] = nil } }

  /// It has none any more.
  func isIdle(_ connection: Connection) { state.withLock { $0.idle(connection, \.used) } }

  var all: [Connection] { state.withLock { Array($0.open.values) } }

  /// How many entries are kept to know who has waited longest.
  var rememberedCount: Int { state.withLock { $0.unused.count + $0.used.count + $0.sending.count } }

  var isEmpty: Bool { state.withLock { $0.open.isEmpty } }

  /// Cuts all that have no request.
  func cutIdle() {
    let idle = state.withLock { state in
      let sending = Set(state.sending.filter { state.tickets[$0.connection.file] == $0.ticket }.map(\.ticket))
      return state.tickets.filter { !sending.contains($0.value) }.compactMap { state.open[$0.key] }
    }
    for connection in idle { connection.cut() }
  }
}
