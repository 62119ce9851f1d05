public import Domain

/// A row of the log as it is kept in memory after its commit. Immutable, shared by all readers.
public final class CommittedRow: Sendable {
  public let position: LogPosition
  public let columns: ReadingColumns
  /// What the row costs in memory, about.
  public let bytes: Int

  init(position: LogPosition, columns: ReadingColumns) {
    self.position = position
    self.columns = columns
    bytes = columns.approximateBytes
  }
}
