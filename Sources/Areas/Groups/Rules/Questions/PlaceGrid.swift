internal import Domain

/// Places in cells of a twentieth of a degree: 5.6 km from south to north, 4 km from west to east in Italy.
package enum PlaceGrid {
  /// Cells in a degree.
  package static let perDegree = 20
  static let columns = 360 * perDegree
  private static let rows = 180 * perDegree

  /// A cell by its number: row by row from the South Pole, each from -180° eastwards.
  package typealias Cell = Int32

  /// Of readings whose place is not known.
  package static let nowhere: Cell = -1

  /// The cell of a place.
  /// - Parameters:
  ///   - latitude: degrees, WGS 84, -90 to 90.
  ///   - longitude: degrees, WGS 84, -180 to 180.
  package static func cell(latitude: Double, longitude: Double) -> Cell {
    let row = min(max(Int((latitude + 90) * Double(perDegree)), 0), rows - 1)
    let column = min(max(Int((longitude + 180) * Double(perDegree)), 0), columns - 1)
    return Cell(row * columns + column)
  }

  /// The middle of a cell, in degrees.
  package static func middle(of cell: Cell) -> (latitude: Double, longitude: Double) {
    let (row, column) = Int(cell).quotientAndRemainder(dividingBy: columns)
    return (
      (Double(row) + 0.5) / Double(perDegree) - 90, (Double(column) + 0.5) / Double(perDegree) - 180
    )
  }

  /// The cells whose middle is in a box.
  /// - Parameters:
  ///   - latitudes: degrees, from the south.
  ///   - west: degrees; where it is greater than `east`, the box reaches over ±180°.
  static func cells(latitudes: ClosedRange<Double>, west: Double, east: Double) -> [Cell] {
    let spans = west <= east ? [west...east] : [-180...east, west...180]
    let rows = middles(in: latitudes, from: -90, count: Self.rows)
    let columns = spans.flatMap { middles(in: $0, from: -180, count: Self.columns) }
    return rows.flatMap { row in columns.map { Cell(row * Self.columns + $0) } }
  }

  /// Rows or columns whose middle is in a span of degrees.
  private static func middles(in span: ClosedRange<Double>, from origin: Double, count: Int) -> Range<Int> {
    let first = Int(((span.lowerBound - origin) * Double(perDegree) - 0.5).rounded(.up))
    let last = Int(((span.upperBound - origin) * Double(perDegree) - 0.5).rounded(.down))
    let low = min(max(first, 0), count)
    return low..<max(low, min(last + 1, count))
  }

  /// The cells whose middle is in a circle.
  /// - Parameter radius: metres, along the Earth's surface.
  static func cells(latitude: Double, longitude: Double, radius: Double) -> [Cell] {
    // A box around the circle: a degree is shortest northwards at the Equator, and eastwards where it is nearest to a pole.
    let degrees = radius / Geodesy.metresPerDegree(atLatitude: 0).north
    let (south, north) = (latitude - degrees, latitude + degrees)
    let eastwards = Geodesy.metresPerDegree(atLatitude: min(max(abs(south), abs(north)), 90)).east
    let isPolar = south <= -90 || north >= 90 || radius / eastwards >= 180
    let reach = isPolar ? 180 : radius / eastwards
    let box = cells(
      latitudes: max(south, -90)...min(north, 90), west: isPolar ? -180 : wrapped(longitude - reach),
      east: isPolar ? 180 : wrapped(longitude + reach))
    return box.filter { cell in
      let middle = middle(of: cell)
      return Geodesy.distance(latitude, longitude, middle.latitude, middle.longitude) <= radius
    }
  }

  private static func wrapped(_ longitude: Double) -> Double {
    longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
  }
}
