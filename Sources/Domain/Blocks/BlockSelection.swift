/// Indices, rising, of some readings of a block, kind by kind.
public struct BlockMatches: Sendable, Equatable {
  public var scalars: [Int32] = []
  public var positions: [Int32] = []
  public var waveforms: [Int32] = []

  public var isEmpty: Bool { scalars.isEmpty && positions.isEmpty && waveforms.isEmpty }
}

extension BlockCodec {
  /// Which readings of a payload are about `person`: the person columns are searched as they lie there, and nothing is
  /// decoded.
  public static func indices(
    ofPerson person: PersonID, in bytes: UnsafeRawBufferPointer
  ) throws(BlockError) -> BlockMatches {
    let parser = try BlockParser(bytes)
    return parser.matches { $0.person.indices(of: person) }
  }

  /// The readings of a payload that are about one of `persons` and one of `metrics`, in the payload's order; nil stands
  /// for all. Only what is selected is decoded.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, persons: Set<PersonID>?, metrics: Set<MetricID>? = nil
  ) throws(BlockError) -> ReadingBlock {
    let parser = try BlockParser(bytes)
    guard persons != nil || metrics != nil else { return try parser.block(selected: nil) }
    let metrics = metrics.map { Set($0.map(Int64.init)) }
    let matches = parser.matches { keys in
      guard let persons else { return keys.metric.indices(of: metrics ?? []) }
      let indices = keys.person.indices(of: persons)
      guard let metrics else { return indices }
      return keys.metric.indices(of: metrics, among: indices)
    }
    return matches.isEmpty ? ReadingBlock() : try parser.block(selected: matches)
  }
}

extension BlockParser {
  fileprivate func matches(_ indices: (Keys) -> [Int32]) -> BlockMatches {
    BlockMatches(
      scalars: scalars.map { indices($0.keys) } ?? [],
      positions: positions.map { indices($0.keys) } ?? [],
      waveforms: waveforms.map { indices($0.keys) } ?? [])
  }
}

extension IntegerColumn {
  /// Indices of the entries equal to `value`; the column is a frame without divisor.
  fileprivate func indices(of value: Int64) -> [Int32] {
    guard let wanted = entry(for: value) else { return [] }
    var indices: [Int32] = []
    forEachEntry { index, entry in
      if entry == wanted { indices.append(Int32(truncatingIfNeeded: index)) }
    }
    return indices
  }

  /// Indices of the entries that are in `values`.
  fileprivate func indices(of values: Set<Int64>) -> [Int32] {
    // Unwrapped: there is one.
    if values.count == 1 { return indices(of: values.first.unsafelyUnwrapped) }
    let isWanted = EntryFilter(values, in: self)
    var indices: [Int32] = []
    forEachEntry { index, entry in
      if isWanted(entry) { indices.append(Int32(truncatingIfNeeded: index)) }
    }
    return indices
  }

  /// Those of `candidates` whose entries are in `values`.
  fileprivate func indices(of values: Set<Int64>, among candidates: [Int32]) -> [Int32] {
    let entries = Set(values.compactMap { entry(for: $0) })
    return candidates.filter { entries.contains(entry(at: Int($0))) }
  }

  /// What is stored for `value`, nil if the column's width cannot hold it.
  fileprivate func entry(for value: Int64) -> UInt64? {
    let entry = UInt64(bitPattern: value &- base)
    return entry.byteWidth <= width ? entry : nil
  }
}

/// Tells in a few instructions whether an entry is wanted: by a table where entries have at most two bytes.
private struct EntryFilter {
  private let table: [Bool]
  private let set: Set<UInt64>

  init(_ values: Set<Int64>, in column: IntegerColumn) {
    let entries = values.compactMap { column.entry(for: $0) }
    guard column.width <= 2 else {
      table = []
      set = Set(entries)
      return
    }
    var table = [Bool](repeating: false, count: 1 << (8 * column.width))
    for entry in entries { table[Int(entry)] = true }
    self.table = table
    set = []
  }

  @inline(__always)
  func callAsFunction(_ entry: UInt64) -> Bool {
    table.isEmpty ? set.contains(entry) : table[Int(entry)]
  }
}
