package import Domain
package import RPCRuntime
internal import Synchronization

/// Consecutive readings of a feed, or an entry, encoded at most once for all streams that send them.
package final class FeedSlice: Sendable {
  /// The slice follows this position …
  package let after: LogPosition
  /// … and ends with this one.
  package let through: LogPosition
  private let entries: [Feed.Entry]
  private let encoded = Mutex<RPCMessage?>(nil)
  /// Made once, for the ledger and for the message.
  private let view = Mutex<ReadingColumns?>(nil)

  package init(after: LogPosition, entries: [Feed.Entry]) {
    self.after = after
    self.entries = entries
    through = entries[entries.count - 1].position
  }

  /// What was committed together, in the order of the log.
  package var rows: [Feed.Entry] { entries }

  /// The readings in the order of the log.
  package var columns: ReadingColumns {
    var columns = entries[0].columns
    for entry in entries.dropFirst() { columns.append(contentsOf: entry.columns) }
    return columns
  }

  /// The readings as a grant shows them at its finest granularity.
  package var shown: ReadingColumns {
    view.withLock { view in
      if let view { return view }
      let shown = columns.shown(at: .second)
      view = shown
      return shown
    }
  }

  /// The message that carries the slice. The first caller makes it, the others share its bytes.
  package func message(_ encode: (FeedSlice) throws -> RPCMessage) rethrows -> RPCMessage {
    try encoded.withLock { encoded in
      if let encoded { return encoded }
      let message = try encode(self)
      encoded = message
      return message
    }
  }
}
