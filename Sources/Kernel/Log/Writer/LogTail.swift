internal import DequeModule
public import Domain
internal import Synchronization

/// The order in which the observers of the log hear of a commit: all of a stage after all of the stages above it.
public enum CommitStage: Int, CaseIterable, Sendable {
  /// Rows are offered to feeds.
  case feeds
  /// Streams are told of entries: they look at feeds and read up to the position that feeds have reached.
  case entries
  /// What follows and wakes nobody at once, such as a look at the database.
  case background
}

/// Hears of each commit, in order.
public protocol CommitObserver: Sendable {
  /// Its place among the observers. Those of one stage hear of a commit in the order in which they were added.
  var stage: CommitStage { get }
  /// Rows have been committed. Called on the writer's thread, one call at a time; must not block.
  func committed(_ rows: [CommittedRow])
}

/// The newest rows of the log in memory, for readers who are close behind and for questions about what is not
/// compacted yet. It holds at most `maxBytes`; older rows are read from storage.
public final class LogTail: Sendable {
  private struct State {
    var rows: Deque<CommittedRow> = []
    var bytes = 0
    /// Every row after this position is in `rows`.
    var floor: LogPosition
    var head: LogPosition
    var compacted: LogPosition
    /// In the order in which they are called.
    var observers: [any CommitObserver] = []
    var times = CommitTimes()
  }

  /// The newest rows and how far they reach back.
  public struct Snapshot: Sendable {
    /// In the order of their positions.
    public let rows: [CommittedRow]
    /// Every row after this position is in `rows`, and what is not in chunks is after it, unless `isComplete` is false.
    public let floor: LogPosition
    /// Readings up to here are in chunks.
    public let compacted: LogPosition
    /// Whether chunks and `rows` together hold everything.
    public var isComplete: Bool { floor <= compacted }
  }

  private let state: Mutex<State>
  private let maxBytes: Int

  /// - Parameters:
  ///   - head: the newest position when the server started.
  ///   - compacted: the position up to which readings were in chunks then.
  public init(head: LogPosition, compacted: LogPosition, maxBytes: Int = 64 << 20) {
    state = Mutex(State(floor: head, head: head, compacted: compacted))
    self.maxBytes = maxBytes
  }

  /// The newest position that this server knows.
  public var head: LogPosition { state.withLock { $0.head } }

  /// Readings up to here are in chunks.
  public var compactedHead: LogPosition { state.withLock { $0.compacted } }

  /// Every row after this position is in memory.
  public var floor: LogPosition { state.withLock { $0.floor } }

  /// How many positions of the log are after one, and for how long the first of them has been committed: that is a tenth of
  /// a second or a tenth of itself too much, at most. What is older than this server counts from its start.
  public func lag(after position: LogPosition) -> (positions: LogPosition, time: Duration) {
    state.withLock { state in
      guard position < state.head else { return (0, .zero) }
      return (state.head - position, ContinuousClock.now - state.times.time(of: position + 1))
    }
  }

  /// Those who hear of commits, in the order in which they do.
  var observers: [any CommitObserver] { state.withLock { $0.observers } }

  /// Adds an observer at the end of its stage; it hears of every commit after the returned position.
  public func observe(_ observer: any CommitObserver) -> LogPosition {
    state.withLock { state in
      let later = state.observers.firstIndex { $0.stage.rawValue > observer.stage.rawValue }
      state.observers.insert(observer, at: later ?? state.observers.endIndex)
      return state.head
    }
  }

  func append(_ rows: [CommittedRow]) {
    guard !rows.isEmpty else { return }
    let observers = state.withLock { state in
      state.times.note(rows[0].position, at: .now)
      for row in rows {
        if row.position != state.head + 1 {
          // Somebody else wrote in between: those rows are read from storage.
          state.rows.removeAll()
          state.bytes = 0
          state.floor = row.position - 1
        }
        state.rows.append(row)
        state.bytes += row.bytes
        state.head = row.position
      }
      while state.bytes > maxBytes, state.rows.count > 1 {
        let oldest = state.rows.removeFirst()
        state.bytes -= oldest.bytes
        state.floor = oldest.position
      }
      return state.observers
    }
    for observer in observers { observer.committed(rows) }
  }

  /// Notes that chunks now hold everything up to a position; rows up to it are kept only for readers close behind.
  func compacted(through position: LogPosition) {
    state.withLock { $0.compacted = max($0.compacted, position) }
  }

  /// Lets go of rows that are in chunks, up to a position: who has not read them reads from storage.
  func drop(through position: LogPosition) {
    state.withLock { state in
      while let oldest = state.rows.first, oldest.position <= min(position, state.compacted) {
        state.rows.removeFirst()
        state.bytes -= oldest.bytes
        state.floor = oldest.position
      }
    }
  }

  /// The rows in memory that are not in chunks.
  public func uncompacted() -> Snapshot {
    state.withLock { state in
      let from = max(state.compacted, state.floor)
      return Snapshot(rows: Self.rows(of: state, after: from), floor: from, compacted: state.compacted)
    }
  }

  /// The rows after a position, or nil if they are not all in memory any more.
  public func rows(after position: LogPosition) -> [CommittedRow]? {
    state.withLock { position >= $0.floor ? Self.rows(of: $0, after: position) : nil }
  }

  private static func rows(of state: State, after position: LogPosition) -> [CommittedRow] {
    // Positions in memory follow each other without a gap, so the place of a row is its distance from the first.
    guard let first = state.rows.first, position < state.head else { return [] }
    return Array(state.rows.dropFirst(max(0, Int(position - first.position) + 1)))
  }
}
