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
    for index in 0..<columns.scalars.count where holds(columns.scalars.person[index], columns.scalars.time[index]) {
      indices.append(Int32(index))
    }
    var base = columns.scalars.count
    for index in 0..<columns.positions.count where holds(columns.positions.person[index], columns.positions.time[index])
    {
      indices.append(Int32(base + index))
    }
    base += columns.positions.count
    for index in 0..<columns.waveforms.count where holds(columns.waveforms.person[index], columns.waveforms.time[index])
    {
      indices.append(Int32(base + index))
    }
    var part = ReadingColumns()
    part.append(indices, of: columns)
    return part
  }

  private func holds(_ person: PersonID, _ time: Microseconds) -> Bool {
    // Persons and hours are numbered one after the other: the sum deals them out evenly.
    let key = UInt64(bitPattern: person &+ Int64(PersonHistory.hour(of: time)))
    return key % UInt64(count) == UInt64(number)
  }
}
