/// Turns readings in the order of arrival into chunks, and several chunks of an hour into as few as possible.
public enum ChunkBuilder {
  /// The chunks that hold the readings of some rows of the log, sorted by kind, person, metric and hour.
  ///
  /// Of readings with the same person, metric, source and time the one with the greater position, then the later place
  /// in its row, is kept.
  public static func chunks(from rows: [(position: LogPosition, columns: ReadingColumns)]) -> [Chunk] {
    build(from: rows).chunks
  }

  /// The same, with what the chunks do not tell.
  public static func build(
    from rows: [(position: LogPosition, columns: ReadingColumns)]
  ) -> BuiltChunks {
    var all = ReadingBlock()
    all.reserveCapacity(for: rows.map(\.columns))
    for row in rows {
      all.columns.append(contentsOf: row.columns)
      all.positions.append(contentsOf: BlockPositions(repeating: row.position, for: row.columns))
    }
    return build(of: all)
  }

  /// The chunks that hold the readings of `blocks`, decoded from chunks: those of one hour become as few as the limits
  /// of `Chunk` allow. Repeats are resolved as in `chunks(from:)`.
  /// - Parameter blocks: each with its log positions. Of one key or of many.
  public static func merge(_ blocks: [ReadingBlock]) -> [Chunk] { build(of: blocks).chunks }

  /// The same, with what the chunks do not tell.
  public static func build(of blocks: [ReadingBlock]) -> BuiltChunks {
    var all = ReadingBlock()
    all.reserveCapacity(for: blocks.map(\.columns))
    for block in blocks {
      precondition(block.positions.matches(block.columns), "blocks of chunks have log positions")
      all.columns.append(contentsOf: block.columns)
      all.positions.append(contentsOf: block.positions)
    }
    return build(of: all)
  }

  /// Chunks that hold every reading of a block, also those that others in it replace.
  /// - Parameter block: with its log positions.
  public static func versions(of block: ReadingBlock) -> [Chunk] {
    build(of: block, isEveryVersionKept: true).chunks
  }

  private static func build(of all: ReadingBlock, isEveryVersionKept: Bool = false) -> BuiltChunks {
    var writer = ChunkWriter(isEveryVersionKept: isEveryVersionKept)
    writer.writeScalars(of: all)
    writer.writePositions(of: all)
    writer.writeWaveforms(of: all)
    return writer.take()
  }
}

/// What became of some readings.
public struct BuiltChunks: Sendable {
  public fileprivate(set) var chunks: [Chunk] = []
  /// The readings that others replaced, which are in none of the chunks.
  public fileprivate(set) var replaced = ReplacedReadings()
  /// Whose readings in the chunks are from which source, each pair at least once.
  public fileprivate(set) var uses: [SourceUse] = []
}

/// A source and a person of whose readings it is.
public struct SourceUse: Hashable, Sendable {
  public let source: SourceID
  public let person: PersonID

  public init(source: SourceID, person: PersonID) {
    self.source = source
    self.person = person
  }
}

/// Gathers the readings of one chunk after the other into columns that it keeps, and encodes them.
private struct ChunkWriter: ~Copyable {
  private var built = BuiltChunks()
  private var encoder = BlockEncoder()
  private var block = ReadingBlock()
  private let isEveryVersionKept: Bool

  init(isEveryVersionKept: Bool) { self.isEveryVersionKept = isEveryVersionKept }

  consuming func take() -> BuiltChunks { built }

  mutating func writeScalars(of all: ReadingBlock) {
    let order = SeriesOrder(all.scalarKeys, isEveryVersionKept: isEveryVersionKept)
    for (index, other) in order.replaced.lazy.map({ (Int($0), Int($1)) }) {
      built.replaced.block.columns.scalars.append(index, of: all.columns.scalars)
      built.replaced.block.positions.scalars.append(all.positions.scalars[index])
      built.replaced.replacements.scalars.append(all.positions.scalars[other])
    }
    for series in order.series {
      for range in series.range.pieces(of: Chunk.readingsMax) {
        let picked = order.indices[range]
        block.columns.scalars.append(picked, of: all.columns.scalars)
        block.positions.scalars.append(picked, of: all.positions.scalars)
        finish(series.key, PositionBounds(block.positions.scalars), block.columns.scalars.source)
        block.columns.scalars.removeAll(keepingCapacity: true)
        block.positions.scalars.removeAll(keepingCapacity: true)
      }
    }
  }

  mutating func writePositions(of all: ReadingBlock) {
    let order = SeriesOrder(all.positionKeys, isEveryVersionKept: isEveryVersionKept)
    for (index, other) in order.replaced.lazy.map({ (Int($0), Int($1)) }) {
      built.replaced.block.columns.positions.append(index, of: all.columns.positions)
      built.replaced.block.positions.positions.append(all.positions.positions[index])
      built.replaced.replacements.positions.append(all.positions.positions[other])
    }
    for series in order.series {
      for range in series.range.pieces(of: Chunk.readingsMax) {
        let picked = order.indices[range]
        block.columns.positions.append(picked, of: all.columns.positions)
        block.positions.positions.append(picked, of: all.positions.positions)
        finish(series.key, PositionBounds(block.positions.positions), block.columns.positions.source)
        block.columns.positions.removeAll(keepingCapacity: true)
        block.positions.positions.removeAll(keepingCapacity: true)
      }
    }
  }

  mutating func writeWaveforms(of all: ReadingBlock) {
    let order = SeriesOrder(all.waveformKeys, isEveryVersionKept: isEveryVersionKept)
    let offsets = all.columns.waveforms.sampleOffsets
    for (index, other) in order.replaced.lazy.map({ (Int($0), Int($1)) }) {
      built.replaced.block.columns.waveforms.append(index, of: all.columns.waveforms, firstSample: offsets[index])
      built.replaced.block.positions.waveforms.append(all.positions.waveforms[index])
      built.replaced.replacements.waveforms.append(all.positions.waveforms[other])
    }
    for series in order.series {
      for index in order.indices[series.range].lazy.map(Int.init) {
        let samples = block.columns.waveforms.samples.count + Int(all.columns.waveforms.sampleCount[index])
        let isFull = block.columns.waveforms.count == Chunk.readingsMax || samples > Chunk.samplesMax
        if isFull, !block.columns.waveforms.isEmpty { finishWaveforms(series.key) }
        block.columns.waveforms.append(index, of: all.columns.waveforms, firstSample: offsets[index])
        block.positions.waveforms.append(all.positions.waveforms[index])
      }
      finishWaveforms(series.key)
    }
  }

  private mutating func finishWaveforms(_ key: SeriesKey) {
    finish(key, PositionBounds(block.positions.waveforms), block.columns.waveforms.source)
    block.columns.waveforms.removeAll(keepingCapacity: true)
    block.positions.waveforms.removeAll(keepingCapacity: true)
  }

  private mutating func finish(_ key: SeriesKey, _ positions: PositionBounds, _ sources: [SourceID]) {
    built.chunks.append(
      Chunk(
        person: key.person, metric: key.metric, hourStart: key.hour &* Chunk.hour, count: positions.count,
        minPosition: positions.min, maxPosition: positions.max,
        payload: encoder.encode(block.columns, positions: block.positions)))
    note(sources, of: key.person)
  }

  /// Notes whose readings are from which sources: most often from one, and from the same as those of the chunk before.
  private mutating func note(_ sources: [SourceID], of person: PersonID) {
    let first = sources[0]
    if sources.allSatisfy({ $0 == first }) {
      if let last = built.uses.last, last.source == first, last.person == person { return }
      built.uses.append(SourceUse(source: first, person: person))
    } else {
      built.uses += Set(sources).lazy.map { SourceUse(source: $0, person: person) }
    }
  }
}

/// What a chunk tells about its log positions, which are not empty.
private struct PositionBounds {
  var count: Int
  var min = LogPosition.max
  var max = LogPosition.min

  init(_ positions: [LogPosition]) {
    count = positions.count
    for position in positions {
      min = Swift.min(min, position)
      max = Swift.max(max, position)
    }
  }
}

extension Range<Int> {
  /// The range in consecutive ranges of at most `size`.
  fileprivate func pieces(of size: Int) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: size).map { $0..<Swift.min($0 + size, upperBound) }
  }
}
