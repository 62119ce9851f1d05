public import Domain
internal import Synchronization

/// One delivery of readings under a grant, from its first frame to its last, in the ledger.
///
/// A delivery notes each frame before it sends it. Its owner calls `end` when nothing more is sent, however it ended.
public final class Disclosure: Sendable {
  private struct State {
    /// The day that counts now, behind earlier ones that are not in the database to their end.
    var days: [DisclosureDay]
    var isEnded = false
    /// Since when something that was noted is not in the database.
    var unwrittenSince: ContinuousClock.Instant?

    /// Begins a new day if one has begun. A clock that goes back changes nothing.
    mutating func turn(to now: Microseconds) {
      let last = days[days.count - 1]
      guard DisclosureDay.day(of: now) > last.day else { return }
      let next = Microseconds(DisclosureDay.day(of: now)) * DisclosureDay.length
      days[days.count - 1].ended = Microseconds(last.day + 1) * DisclosureDay.length
      days[days.count - 1].revision += 1
      days.append(DisclosureDay(at: now, began: next, through: last.through))
    }
  }

  let delivery = Int64.random(in: .min ... .max)
  let request: AccessRequestID
  let kind: DisclosureKind
  private let ledger: DisclosureLedger
  private let state: Mutex<State>

  init(_ ledger: DisclosureLedger, request: AccessRequestID, kind: DisclosureKind, after position: LogPosition) {
    self.ledger = ledger
    self.request = request
    self.kind = kind
    let now = ledger.clock()
    state = Mutex(State(days: [DisclosureDay(at: now, began: now, through: position)]))
  }

  /// Notes a frame that is about to be sent.
  ///
  /// Of a stream this is work in memory: the database hears of it within about a second, and if the server dies before
  /// that, what it may have sent is counted out of the log. While the database has not heard of the stream for the
  /// ledger's `patience`, the call waits for it: so little is ever unwritten. Digests and exports, whose readings have
  /// no order that the log could tell, are written before the call returns.
  ///
  /// - Parameters:
  ///   - columns: the readings as they are sent.
  ///   - position: how far in the log the delivery is with this frame.
  /// - Throws: `CancellationError` if the task is cancelled while it waits for the database.
  public func note(_ columns: ReadingColumns, through position: LogPosition) async throws {
    let now = ledger.clock()
    let mustWait = state.withLock { state in
      state.turn(to: now)
      state.days[state.days.count - 1].add(columns, through: position)
      let since = state.unwrittenSince ?? .now
      state.unwrittenSince = since
      return kind != .stream || .now - since > ledger.patience
    }
    if mustWait { try await ledger.write(until: { [self] in isWritten }) }
  }

  /// Ends the delivery; its row is written at once if that is possible, otherwise a little later.
  public func end() async {
    markEnded()
    // The task of a call whose client has gone is cancelled: then the ledger's own task writes it.
    try? await ledger.writeChanged()
  }

  func markEnded() {
    let now = ledger.clock()
    state.withLock { state in
      guard !state.isEnded else { return }
      state.isEnded = true
      state.turn(to: now)
      state.days[state.days.count - 1].ended = max(now, state.days[state.days.count - 1].began)
      state.days[state.days.count - 1].revision += 1
    }
  }

  /// Whether the database has everything.
  var isWritten: Bool { state.withLock { $0.days.allSatisfy(\.isWritten) } }

  /// Whether nothing will be written any more.
  var isOver: Bool { state.withLock { $0.isEnded && $0.days.allSatisfy(\.isWritten) } }

  /// The days that the database has not as they are.
  func unwritten() -> [DisclosureDay] { state.withLock { $0.days.filter { !$0.isWritten } } }

  /// Notes that the database has a day as it was.
  func written(_ day: DisclosureDay, at instant: ContinuousClock.Instant) {
    state.withLock { state in
      guard let index = state.days.firstIndex(where: { $0.day == day.day }) else { return }
      state.days[index].writtenRevision = day.revision
      if index < state.days.count - 1, state.days[index].isWritten { state.days.remove(at: index) }
      state.unwrittenSince = state.days.allSatisfy(\.isWritten) ? nil : instant
    }
  }
}
