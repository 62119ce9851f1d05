/// Readings of several blocks as one history: what a query gives out of chunks and the log's tail.
public enum ReadingMerge {
  /// The readings with `from` ≤ time < `to`, ordered by time, then person, metric and source. Of readings that agree in
  /// all four, the one with the greatest log position counts, then the one latest in `blocks`.
  ///
  /// Blocks that do not overlap in time are copied run by run; only what overlaps, or is not sorted, is sorted.
  /// - Parameter blocks: in any order, each with its log positions (`ReadingBlock(columns:at:)` for a row of the log).
  public static func merge(_ blocks: [ReadingBlock], from: Microseconds, to: Microseconds) -> ReadingBlock {
    merge(blocks, from: from, to: to, isEveryVersionKept: false)
  }

  /// The same with every reading that another one replaces: readings that agree in all four stand side by side, the
  /// one that counts last. One that is in `blocks` twice, at the same position, may be there twice.
  public static func versions(_ blocks: [ReadingBlock], from: Microseconds, to: Microseconds) -> ReadingBlock {
    merge(blocks, from: from, to: to, isEveryVersionKept: true)
  }

  private static func merge(
    _ blocks: [ReadingBlock], from: Microseconds, to: Microseconds, isEveryVersionKept: Bool
  ) -> ReadingBlock {
    for block in blocks { precondition(block.positions.matches(block.columns), "merged blocks have log positions") }
    let wanted = from..<max(from, to)
    var merged = ReadingBlock()
    merged.reserveCapacity(for: blocks.map(\.columns))
    merge(blocks.map(\.scalarKeys), wanted, isEveryVersionKept) { block, range in
      merged.columns.scalars.append(contentsOf: blocks[block].columns.scalars, in: range)
      merged.positions.scalars.append(contentsOf: blocks[block].positions.scalars[range])
    }
    merge(blocks.map(\.positionKeys), wanted, isEveryVersionKept) { block, range in
      merged.columns.positions.append(contentsOf: blocks[block].columns.positions, in: range)
      merged.positions.positions.append(contentsOf: blocks[block].positions.positions[range])
    }
    let offsets = blocks.map(\.columns.waveforms.sampleOffsets)
    merge(blocks.map(\.waveformKeys), wanted, isEveryVersionKept) { block, range in
      merged.columns.waveforms.append(
        contentsOf: blocks[block].columns.waveforms, in: range, firstSample: offsets[block][range.lowerBound])
      merged.positions.waveforms.append(contentsOf: blocks[block].positions.waveforms[range])
    }
    return merged
  }

  /// Calls `append` with runs of readings of blocks, which together are the merged readings of one kind.
  private static func merge(
    _ keys: [ReadingKeys], _ wanted: Range<Microseconds>, _ isEveryVersionKept: Bool,
    _ append: (_ block: Int, Range<Int>) -> Void
  ) {
    var slices = keys.indices.compactMap { MergeSlice(keys[$0], block: $0, wanted) }
    slices.sort { $0.firstTime < $1.firstTime }
    var rest = slices[...]
    while let first = rest.popFirst() {
      var overlapping = [first]
      var lastTime = first.lastTime
      while let next = rest.first, next.firstTime <= lastTime {
        overlapping.append(next)
        lastTime = max(lastTime, next.lastTime)
        rest.removeFirst()
      }
      if overlapping.count == 1, first.isStrictlySorted {
        append(first.block, first.range)
      } else {
        mergeSorting(overlapping, keys, wanted, isEveryVersionKept, append)
      }
    }
  }

  private static func mergeSorting(
    _ slices: [MergeSlice], _ keys: [ReadingKeys], _ wanted: Range<Microseconds>, _ isEveryVersionKept: Bool,
    _ append: (_ block: Int, Range<Int>) -> Void
  ) {
    var candidates: [MergeCandidate] = []
    candidates.reserveCapacity(slices.reduce(0) { $0 + $1.range.count })
    for slice in slices {
      for index in slice.range where wanted.contains(keys[slice.block].time[index]) {
        candidates.append(MergeCandidate(keys[slice.block], block: slice.block, index: index))
      }
    }
    candidates.sort(by: MergeCandidate.precedes)
    for (place, candidate) in candidates.enumerated() {
      if !isEveryVersionKept, place + 1 < candidates.count, candidate.isSameReading(as: candidates[place + 1]) {
        continue
      }
      append(candidate.block, candidate.index..<candidate.index + 1)
    }
  }
}

/// The part of a block that lies in the time asked for.
private struct MergeSlice {
  let block: Int
  /// Exactly the readings asked for if the slice is sorted, otherwise all of the block.
  let range: Range<Int>
  /// Sorted by time, person, metric and source, with no repeat.
  let isStrictlySorted: Bool
  let firstTime: Microseconds
  let lastTime: Microseconds

  /// Nil if the block has nothing in `wanted`.
  init?(_ keys: ReadingKeys, block: Int, _ wanted: Range<Microseconds>) {
    self.block = block
    isStrictlySorted = keys.isStrictlySorted
    if isStrictlySorted {
      range = keys.firstIndex(from: wanted.lowerBound)..<keys.firstIndex(from: wanted.upperBound)
      guard !range.isEmpty else { return nil }
      firstTime = keys.time[range.lowerBound]
      lastTime = keys.time[range.upperBound - 1]
    } else {
      range = 0..<keys.count
      let times = keys.time.lazy.filter(wanted.contains)
      guard let first = times.min(), let last = times.max() else { return nil }
      (firstTime, lastTime) = (first, last)
    }
  }
}

extension ReadingKeys {
  fileprivate var isStrictlySorted: Bool {
    for index in 0..<max(0, count - 1) where time[index] >= time[index + 1] {
      guard time[index] == time[index + 1] else { return false }
      let next = index + 1
      let key = (person[index], metric[index], source[index])
      guard key < (person[next], metric[next], source[next]) else { return false }
    }
    return true
  }

  /// The first reading at or after `start`, of columns sorted by time; `count` if there is none.
  fileprivate func firstIndex(from start: Microseconds) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if time[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A reading that may have to give way to another.
private struct MergeCandidate {
  let time: Microseconds
  let person: PersonID
  let metric: MetricID
  let source: SourceID
  let logPosition: LogPosition
  let block: Int
  let index: Int

  init(_ keys: ReadingKeys, block: Int, index: Int) {
    time = keys.time[index]
    person = keys.person[index]
    metric = keys.metric[index]
    source = keys.source[index]
    logPosition = keys.logPosition[index]
    self.block = block
    self.index = index
  }

  func isSameReading(as other: MergeCandidate) -> Bool {
    time == other.time && person == other.person && metric == other.metric && source == other.source
  }

  static func precedes(_ a: MergeCandidate, _ b: MergeCandidate) -> Bool {
    if a.time != b.time { return a.time < b.time }
    if a.person != b.person { return a.person < b.person }
    if a.metric != b.metric { return a.metric < b.metric }
    if a.source != b.source { return a.source < b.source }
    if a.logPosition != b.logPosition { return a.logPosition < b.logPosition }
    if a.block != b.block { return a.block < b.block }
    return a.index < b.index
  }
}
