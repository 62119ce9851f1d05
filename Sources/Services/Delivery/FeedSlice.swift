internal import Domain
internal import RPCRuntime
internal import Storage
internal import Synchronization

/// Consecutive readings of a feed, encoded at most once for all streams that send them.
final class FeedSlice: Sendable {
  /// The slice follows this position …
  let after: LogPosition
  /// … and ends with this one.
  let through: LogPosition
  private let entries: [Feed.Entry]
  private let encoded = Mutex<RPCMessage?>(nil)

  init(after: LogPosition, entries: [Feed.Entry]) {
    self.after = after
    self.entries = entries
    through = entries[entries.count - 1].row.position
  }

  /// The readings in the order of the log.
  var columns: ReadingColumns {
    if entries.count == 1, entries[0].indices == nil { return entries[0].row.columns }
    var columns = ReadingColumns()
    for entry in entries {
      if let indices = entry.indices {
        columns.append(indices, of: entry.row.columns)
      } else {
        columns.append(contentsOf: entry.row.columns)
      }
    }
    return columns
  }

  /// The message that carries the slice. The first caller makes it, the others share its bytes.
  func message(_ encode: (FeedSlice) throws -> RPCMessage) rethrows -> RPCMessage {
    try encoded.withLock { encoded in
      if let encoded { return encoded }
      let message = try encode(self)
      encoded = message
      return message
    }
  }
}
