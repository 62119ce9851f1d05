internal import Domain
internal import Postgres

/// Readings out of chunks, each with its log position, to be put back into the order of the log.
struct PositionedReadings {
  private var columns = ReadingColumns()
  private var scalars: [LogPosition] = []
  private var positions: [LogPosition] = []
  private var waveforms: [LogPosition] = []

  /// About the memory that the readings take.
  var bytes: Int { columns.approximateBytes }

  /// Adds the readings of a block that were committed in (after, through] and taken in an interval; nil is whenever.
  mutating func append(
    from block: ReadingBlock, after: LogPosition, through: LogPosition, taken interval: Range<Microseconds>?
  ) {
    let isWanted = { (position: LogPosition, time: Microseconds) in
      position > after && position <= through && (interval?.contains(time) ?? true)
    }
    for (index, position) in block.positions.scalars.enumerated()
    where isWanted(position, block.columns.scalars.time[index]) {
      columns.scalars.append(index, of: block.columns.scalars)
      scalars.append(position)
    }
    for (index, position) in block.positions.positions.enumerated()
    where isWanted(position, block.columns.positions.time[index]) {
      columns.positions.append(index, of: block.columns.positions)
      positions.append(position)
    }
    guard !block.columns.waveforms.isEmpty else { return }
    var sample = 0
    for (index, position) in block.positions.waveforms.enumerated() {
      if isWanted(position, block.columns.waveforms.time[index]) {
        columns.waveforms.append(index, of: block.columns.waveforms, firstSample: sample)
        waveforms.append(position)
      }
      sample += Int(block.columns.waveforms.sampleCount[index])
    }
  }

  /// The readings by position; those of one position, which were committed as one batch, are in no order.
  func rows() -> [CatchUpReader.Row] {
    var rows: [LogPosition: ReadingColumns] = [:]
    for (index, position) in scalars.enumerated() {
      rows[position, default: .init()].scalars.append(index, of: columns.scalars)
    }
    for (index, position) in positions.enumerated() {
      rows[position, default: .init()].positions.append(index, of: columns.positions)
    }
    var sample = 0
    for (index, position) in waveforms.enumerated() {
      rows[position, default: .init()].waveforms.append(index, of: columns.waveforms, firstSample: sample)
      sample += Int(columns.waveforms.sampleCount[index])
    }
    return rows.sorted { $0.key < $1.key }.map { .init(position: $0.key, columns: $0.value) }
  }
}
