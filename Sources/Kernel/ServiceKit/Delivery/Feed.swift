internal import DequeModule
package import Domain
package import Log
internal import Synchronization

/// What one filter has let through of the newest rows of the log, shared by all streams with that filter.
///
/// A feed holds readings no longer than the log's tail holds their rows: a stream that is further behind reads from
/// storage.
package final class Feed: Sendable {
  /// The part of a row that belongs to the feed.
  package struct Entry {
    package let position: LogPosition
    /// Shared with the row where the feed wants all of it, otherwise a copy, so that a feed never keeps a row alive.
    package let columns: ReadingColumns
    /// An entry that the feed wants; then there are no readings.
    package let entry: LogEntry?
    let bytes: Int
    /// What the entry takes beside the log's tail.
    let ownBytes: Int

    /// - Parameter isShared: whether the columns are the row's own.
    init(position: LogPosition, columns: ReadingColumns, isShared: Bool) {
      self.position = position
      self.columns = columns
      entry = nil
      bytes = columns.approximateBytes
      ownBytes = isShared ? 0 : bytes
    }

    init(position: LogPosition, entry: LogEntry) {
      self.position = position
      columns = ReadingColumns()
      self.entry = entry
      bytes = 64
      ownBytes = bytes
    }
  }

  private struct State {
    var entries: Deque<Entry> = []
    var ownBytes = 0
    /// Everything of this feed after this position is in `entries`.
    var floor: LogPosition
    var signals: [StreamSignal] = []
    /// The newest slices, where there are several streams: those that are equally far share them.
    var slices: Deque<FeedSlice> = []

    mutating func removeOldest() {
      let oldest = entries.removeFirst()
      ownBytes -= oldest.ownBytes
      floor = max(floor, oldest.position)
    }
  }

  /// A frame ends after about this many bytes of readings.
  package static let sliceBytes = 256 << 10
  private static let sharedSlices = 4
  /// The most bytes that a feed takes beside the log's tail: who is slower reads from storage.
  static let maxOwnBytes = 1 << 20

  package let filter: ReadingFilter
  private let state: Mutex<State>

  /// - Parameter head: the position after which rows will be offered.
  package init(filter: ReadingFilter, head: LogPosition) {
    self.filter = filter
    state = Mutex(State(floor: head))
  }

  package func add(_ signal: StreamSignal) { state.withLock { $0.signals.append(signal) } }

  /// Removes a stream; true if it was the last one.
  package func remove(_ signal: StreamSignal) -> Bool {
    state.withLock { state in
      state.signals.removeAll { $0 === signal }
      return state.signals.isEmpty
    }
  }

  /// Adds the part of a committed row and wakes the streams.
  ///
  /// - Parameter floor: rows up to here are not in memory any more.
  package func append(_ entry: Entry, floor: LogPosition) {
    let signals = state.withLock { state in
      state.entries.append(entry)
      state.ownBytes += entry.ownBytes
      while let oldest = state.entries.first,
        oldest.position <= floor || (state.ownBytes > Self.maxOwnBytes && state.entries.count > 1)
      {
        state.removeOldest()
      }
      return state.signals
    }
    for signal in signals { signal.signal(.data) }
  }

  /// Forgets everything: rows up to a position have not been offered.
  package func reset(to position: LogPosition) {
    state.withLock { state in
      state.entries.removeAll()
      state.ownBytes = 0
      state.slices.removeAll()
      state.floor = position
    }
  }

  /// Whether there is something after a position, in memory or in storage.
  package func hasMore(after position: LogPosition) -> Bool {
    state.withLock { $0.floor > position || $0.entries.last.map { $0.position > position } ?? false }
  }

  package enum Next {
    /// The next readings.
    case slice(FeedSlice)
    /// There are none.
    case nothing
    /// They are not in memory: read from storage.
    case behind
  }

  /// What follows a position.
  package func next(after position: LogPosition) -> Next {
    state.withLock { state in
      guard position >= state.floor else { return .behind }
      if let shared = state.slices.last(where: { $0.after == position }) { return .slice(shared) }
      guard let newest = state.entries.last, newest.position > position else { return .nothing }
      let slice = FeedSlice(after: position, entries: Self.entries(of: state, after: position))
      if state.signals.count > 1 {
        state.slices.append(slice)
        if state.slices.count > Self.sharedSlices { state.slices.removeFirst() }
      } else {
        // With one stream, what it takes will not be asked for again.
        state.slices.removeAll()
        while let oldest = state.entries.first, oldest.position <= slice.through { state.removeOldest() }
        state.floor = max(state.floor, slice.through)
      }
      return .slice(slice)
    }
  }

  private static func entries(of state: State, after position: LogPosition) -> [Entry] {
    var low = 0
    var high = state.entries.count
    while low < high {
      let middle = (low + high) / 2
      if state.entries[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    var bytes = 0
    var taken: [Entry] = []
    for entry in state.entries[low...] {
      // An entry of the log stands alone.
      if let last = taken.last, bytes + entry.bytes > sliceBytes || entry.entry != nil || last.entry != nil { break }
      bytes += entry.bytes
      taken.append(entry)
    }
    return taken
  }
}
