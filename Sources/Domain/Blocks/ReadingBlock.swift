/// The log position of each reading, kind by kind and in the order of the readings' columns.
public struct BlockPositions: Sendable, Equatable {
  public var scalars: [LogPosition]
  public var positions: [LogPosition]
  public var waveforms: [LogPosition]

  public init(scalars: [LogPosition] = [], positions: [LogPosition] = [], waveforms: [LogPosition] = []) {
    self.scalars = scalars
    self.positions = positions
    self.waveforms = waveforms
  }

  /// All readings of `columns` were committed at `position`: what holds for a row of the log.
  public init(repeating position: LogPosition, for columns: ReadingColumns) {
    scalars = Array(repeating: position, count: columns.scalars.count)
    positions = Array(repeating: position, count: columns.positions.count)
    waveforms = Array(repeating: position, count: columns.waveforms.count)
  }

  public var isEmpty: Bool { scalars.isEmpty && positions.isEmpty && waveforms.isEmpty }

  func matches(_ columns: ReadingColumns) -> Bool {
    scalars.count == columns.scalars.count && positions.count == columns.positions.count
      && waveforms.count == columns.waveforms.count
  }
}

/// Decoded readings and, where the payload had them, the log positions at which they were committed.
public struct ReadingBlock: Sendable, Equatable {
  public var columns: ReadingColumns
  /// Empty for the payload of a log row, whose readings all have the row's position; one entry a reading in a chunk.
  public var positions: BlockPositions

  public init(columns: ReadingColumns = ReadingColumns(), positions: BlockPositions = BlockPositions()) {
    self.columns = columns
    self.positions = positions
  }

  /// The readings of the log row at `position`, each given that position.
  public init(columns: ReadingColumns, at position: LogPosition) {
    self.init(columns: columns, positions: BlockPositions(repeating: position, for: columns))
  }

  public var count: Int { columns.count }
  public var isEmpty: Bool { columns.isEmpty }
}
