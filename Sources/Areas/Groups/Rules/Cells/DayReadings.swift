package import Domain

/// The rows of one person, day and kind, made of the readings: what a place is, and what counts.
package enum DayReadings {
  /// - Parameters:
  ///   - person: the number within a part.
  ///   - day: days since 1 January 1970, UTC.
  ///   - readings: of the day, of one kind, in the order of time, each once.
  ///   - positions: of the day in the order of time; empty where the person does not share them.
  ///   - isCounted: whether readings of an hour are added up, where those of other kinds are averaged.
  ///   - countsFrom: readings taken before it do not count.
  package static func rows(
    of person: UInt16, day: Int32, _ readings: ScalarColumns, _ positions: PositionColumns, _ scale: ValueScale,
    isCounted: Bool, countsFrom: Microseconds
  ) -> [CellRow] {
    let begins = Microseconds(day) * 24 * Chunk.hour
    var rows: [PlaceGrid.Cell: CellRow] = [:]
    // Of what is added up: the value of each place and hour so far.
    var values: [PlaceGrid.Cell: [Double]] = [:]
    var hasBegun = [Bool](repeating: false, count: CellRow.hours)
    var next = 0
    for index in readings.time.indices where readings.time[index] >= countsFrom {
      let time = readings.time[index]
      let hour = Int((time - begins) / Chunk.hour)
      guard time >= begins, hour < CellRow.hours else { continue }
      while next < positions.count, positions.time[next] <= time { next += 1 }
      let place = place(at: time, before: next, positions)
      var row = rows[place] ?? CellRow(person: person, place: place)
      if isCounted {
        values[place, default: .init(repeating: 0, count: CellRow.hours)][hour] += readings.value[index]
        row.sums[hour] = scale.step(of: values[place]![hour])
        // An hour counts once, in the place where it began.
        if !hasBegun[hour] { row.counts[hour] = 1 }
        hasBegun[hour] = true
      } else {
        row.counts[hour] += 1
        row.sums[hour] += scale.step(of: readings.value[index])
      }
      rows[place] = row
    }
    return rows.values.sorted { $0.place < $1.place }
  }

  /// The last position of the same hour that is not later, or else the first one that is; nowhere if there is none.
  private static func place(at time: Microseconds, before next: Int, _ positions: PositionColumns) -> PlaceGrid.Cell {
    let hour = Chunk.hourStart(of: time)
    for index in [next - 1, next] where positions.time.indices.contains(index) {
      if Chunk.hourStart(of: positions.time[index]) == hour {
        return PlaceGrid.cell(latitude: positions.latitude[index], longitude: positions.longitude[index])
      }
    }
    return PlaceGrid.nowhere
  }
}
