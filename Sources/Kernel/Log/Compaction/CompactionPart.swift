internal import Domain

/// One of the parts into which a pass is divided so that each fits into memory. A person's hour is never divided, and a
/// person's hours are spread over the parts: who sends years of history at once does not fill one of them.
struct CompactionPart {
  let number: Int
  /// How many parts there are.
  let count: Int

  /// The readings that belong to the part, in their order.
  func readings(of columns: ReadingColumns) -> ReadingColumns {
    if count == 1 { return columns }
    var indices: [Int32] = []
    add(columns.scalars.person, columns.scalars.time, from: 0, to: &indices)
    add(columns.positions.person, columns.positions.time, from: columns.scalars.count, to: &indices)
    add(
      columns.waveforms.person, columns.waveforms.time, from: columns.scalars.count + columns.positions.count,
      to: &indices)
    var part = ReadingColumns()
    part.append(indices, of: columns)
    return part
  }

  /// - Parameter base: the index of the first reading.
  private func add(
    _ persons: [PersonID], _ times: [Microseconds], from base: Int, to indices: inout [Int32]
  ) {
    // Every reading is looked at for each part: the division is done where an hour begins.
    var start = times.first.map { Chunk.hourStart(of: $0) } ?? 0
    var hour = PersonHistory.hour(of: start)
    for index in persons.indices {
      if UInt64(bitPattern: times[index] &- start) >= UInt64(Chunk.hour) {
        start = Chunk.hourStart(of: times[index])
        hour = PersonHistory.hour(of: start)
      }
      if holds(persons[index], hour) { indices.append(Int32(base + index)) }
    }
  }

  /// Persons and hours are numbered one after the other: Fibonacci hashing deals their sums out evenly (Knuth, The Art of
  /// Computer Programming 3, 6.4), and needs no division.
  private func holds(_ person: PersonID, _ hour: Int32) -> Bool {
    let hash = (UInt64(bitPattern: person &+ Int64(hour)) &* 0x9E37_79B9_7F4A_7C15) >> 32
    return (hash &* UInt64(count)) >> 32 == UInt64(number)
  }
}
