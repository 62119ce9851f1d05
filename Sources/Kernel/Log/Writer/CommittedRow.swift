public import Domain

/// A row of the log as it is kept in memory after its commit: readings, or an entry. Immutable, shared by all readers.
public final class CommittedRow: Sendable {
  public let position: LogPosition
  /// Empty for an entry.
  public let columns: ReadingColumns
  public let entry: LogEntry?
  /// What the row costs in memory, about.
  public let bytes: Int

  init(position: LogPosition, columns: ReadingColumns) {
    self.position = position
    self.columns = columns
    entry = nil
    bytes = columns.approximateBytes
  }

  init(position: LogPosition, entry: LogEntry) {
    self.position = position
    columns = ReadingColumns()
    self.entry = entry
    bytes = 128
  }
}
