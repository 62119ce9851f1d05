internal import Domain
internal import Postgres

/// What the log holds of one person that is not in chunks yet.
enum PersonTail {
  /// The person's readings in rows that are in memory.
  static func blocks(
    _ rows: [CommittedRow], person: PersonID, metrics: Set<MetricID>, in time: Range<Microseconds>
  ) -> [ReadingBlock] {
    rows.compactMap { row in
      let columns = row.columns.readings(of: person, metrics: metrics, in: time)
      return columns.isEmpty ? nil : ReadingBlock(columns: columns, at: row.position)
    }
  }

  /// The person's readings in rows of the log up to a position, which are not in memory.
  static func stored(
    _ connection: Connection, through position: LogPosition, person: PersonID, metrics: Set<MetricID>,
    in time: Range<Microseconds>
  ) throws -> [ReadingBlock] {
    var blocks: [ReadingBlock] = []
    try connection.streamRows(
      "SELECT position, payload FROM reading_log WHERE position <= $1", [.int8(position)]
    ) { row in
      let block = try row.withBytes(1) { try BlockCodec.decode($0, persons: [person], metrics: metrics) }
      let columns = block.columns.readings(of: person, metrics: metrics, in: time)
      if !columns.isEmpty { blocks.append(ReadingBlock(columns: columns, at: try row.int64(0))) }
    }
    return blocks
  }
}

extension ReadingColumns {
  /// One person's readings, in their order.
  func readings(of person: PersonID, metrics: Set<MetricID>, in time: Range<Microseconds>) -> ReadingColumns {
    var found = ReadingColumns()
    scalars.person.withUnsafeBufferPointer { persons in
      for index in 0..<persons.count where persons[index] == person {
        if time.contains(scalars.time[index]), metrics.contains(scalars.metric[index]) {
          found.scalars.append(index, of: scalars)
        }
      }
    }
    for index in 0..<positions.count where positions.person[index] == person {
      if time.contains(positions.time[index]), metrics.contains(positions.metric[index]) {
        found.positions.append(index, of: positions)
      }
    }
    guard waveforms.person.contains(person) else { return found }
    let offsets = waveforms.sampleOffsets
    for index in 0..<waveforms.count where waveforms.person[index] == person {
      if time.contains(waveforms.time[index]), metrics.contains(waveforms.metric[index]) {
        found.waveforms.append(index, of: waveforms, firstSample: offsets[index])
      }
    }
    return found
  }
}
