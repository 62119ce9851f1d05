/// Encodes block after block in buffers that it keeps: what makes many small chunks cheap.
struct BlockEncoder: ~Copyable {
  private var writer = BlockWriter()
  private var scratch: [Int64] = []

  /// See `BlockCodec.encode(_:positions:)`.
  mutating func encode(_ columns: ReadingColumns, positions: BlockPositions? = nil) -> [UInt8] {
    precondition(positions?.matches(columns) ?? true, "one log position a reading")
    reserveScratch(max(columns.scalars.count, columns.positions.count))
    reserveScratch(max(columns.waveforms.count, columns.waveforms.samples.count))
    writer.removeAll()
    writer.append(byte: BlockCodec.version)
    writer.append(byte: flags(columns, positions).rawValue)
    append(columns.scalars, positions?.scalars)
    append(columns.positions, positions?.positions)
    append(columns.waveforms, positions?.waveforms)
    return writer.bytes
  }

  private func flags(_ columns: ReadingColumns, _ positions: BlockPositions?) -> BlockCodec.Flags {
    var flags: BlockCodec.Flags = []
    if !columns.scalars.isEmpty { flags.insert(.scalars) }
    if !columns.positions.isEmpty { flags.insert(.positions) }
    if !columns.waveforms.isEmpty { flags.insert(.waveforms) }
    if positions != nil { flags.insert(.logPositions) }
    return flags
  }

  private mutating func append(_ columns: ScalarColumns, _ positions: [LogPosition]?) {
    guard !columns.isEmpty else { return }
    let count = columns.count
    writer.append(UInt64(count), size: 4)
    append(columns.person, .scannable, count)
    append(columns.metric, count)
    append(columns.source, count)
    append(columns.time, .smallest, count)
    append(columns.value, count)
    if let positions { append(positions, .smallest, count) }
  }

  private mutating func append(_ columns: PositionColumns, _ positions: [LogPosition]?) {
    guard !columns.isEmpty else { return }
    let count = columns.count
    writer.append(UInt64(count), size: 4)
    append(columns.person, .scannable, count)
    append(columns.metric, count)
    append(columns.source, count)
    append(columns.time, .smallest, count)
    append(columns.latitude, count)
    append(columns.longitude, count)
    append(columns.altitude, count)
    append(columns.accuracy, count)
    append(columns.speed, count)
    append(columns.course, count)
    if let positions { append(positions, .smallest, count) }
  }

  private mutating func append(_ columns: WaveformColumns, _ positions: [LogPosition]?) {
    guard !columns.isEmpty else { return }
    let count = columns.count
    let total = columns.sampleCount.reduce(0) { $0 + Int($1) }
    writer.append(UInt64(count), size: 4)
    writer.append(UInt64(total), size: 4)
    append(columns.person, .scannable, count)
    append(columns.metric, count)
    append(columns.source, count)
    append(columns.time, .smallest, count)
    append(columns.rate, count)
    append(columns.sampleCount, count)
    append(columns.samples, total)
    if let positions { append(positions, .smallest, count) }
  }

  private mutating func append(_ column: [Int64], _ layout: IntegerLayout, _ count: Int) {
    precondition(column.count == count, "columns of one kind are equally long")
    column.withUnsafeBufferPointer { writer.append(integers: $0, layout) }
  }

  private mutating func append(_ column: [Int32], _ count: Int) {
    precondition(column.count == count, "columns of one kind are equally long")
    scratch.withUnsafeMutableBufferPointer { scratch in
      for index in 0..<count { scratch[unchecked: index] = Int64(column[index]) }
      writer.append(integers: UnsafeBufferPointer(rebasing: scratch[..<count]), .scannable)
    }
  }

  private mutating func append(_ column: [Double], _ count: Int) {
    precondition(column.count == count, "columns of one kind are equally long")
    column.withUnsafeBufferPointer { column in
      scratch.withUnsafeMutableBufferPointer { writer.append(values: column, scratch: $0) }
    }
  }

  private mutating func reserveScratch(_ count: Int) {
    if scratch.count < count { scratch = Array(repeating: 0, count: count) }
  }
}
