/// Readings that others with the same person, metric, source and time have replaced, and the position of what replaced
/// each. They are in no answer about readings; some of them count in minutes and hours that were shown (see
/// `ShownIntervals`).
public struct ReplacedReadings: Sendable, Equatable {
  /// In no order.
  public internal(set) var block = ReadingBlock()
  var replacements = BlockPositions()

  public var isEmpty: Bool { block.isEmpty }

  /// Those that may count in an interval: a watermark fell between them and what replaced them.
  ///
  /// - Parameter watermarks: all whose positions lie between those of the replaced readings and of the others.
  public func kept(by watermarks: Watermarks) -> ReadingBlock {
    if watermarks.isEmpty { return ReadingBlock() }
    var indices: [Int32] = []
    var base = 0
    for (keys, replacements) in [
      (block.scalarKeys, replacements.scalars), (block.positionKeys, replacements.positions),
      (block.waveformKeys, replacements.waveforms),
    ] {
      for index in 0..<keys.count {
        // The shortest interval is the first to be over.
        let end = IntervalID(keys, index, .second).end(.second)
        if watermarks.fall(between: keys.logPosition[index], and: replacements[index], end: end) {
          indices.append(Int32(base + index))
        }
      }
      base += keys.count
    }
    return block.picked(indices)
  }

  /// Those that count in an interval, of everything that is stored of an hour.
  ///
  /// - Parameters:
  ///   - versions: of one person, as `ReadingMerge.versions` gives it.
  ///   - watermarks: those that close the intervals.
  public static func counting(in versions: ReadingBlock, by watermarks: Watermarks) -> ReadingBlock {
    if watermarks.isEmpty { return ReadingBlock() }
    var indices: [Int32] = []
    var base = 0
    for keys in [versions.scalarKeys, versions.positionKeys, versions.waveformKeys] {
      var counting: Set<Int> = []
      for unit in Set(Granularity.allCases.map(\.unit)) {
        counting.formUnion(ClosedReadings(keys, unit, in: .min..<(.max), by: watermarks).indices)
      }
      for index in counting.sorted() where index + 1 < keys.count && keys.isSameReading(index, index + 1) {
        indices.append(Int32(base + index))
      }
      base += keys.count
    }
    return versions.picked(indices)
  }
}

extension ReadingBlock {
  /// Some readings, by their numbers, which rise, with their positions.
  func picked(_ indices: [Int32]) -> ReadingBlock {
    var picked = ReadingBlock()
    picked.columns.append(indices, of: columns)
    let (scalars, points) = (columns.scalars.count, columns.scalars.count + columns.positions.count)
    for index in indices.lazy.map(Int.init) {
      if index < scalars {
        picked.positions.scalars.append(positions.scalars[index])
      } else if index < points {
        picked.positions.positions.append(positions.positions[index - scalars])
      } else {
        picked.positions.waveforms.append(positions.waveforms[index - points])
      }
    }
    return picked
  }
}
