/// The outline of an area: parts, each an outer ring and the holes in it.
package struct AreaOutline: Sendable {
  package struct Point: Sendable, Hashable {
    /// Degrees, WGS 84.
    package let longitude: Double
    /// Degrees, WGS 84.
    package let latitude: Double

    package init(longitude: Double, latitude: Double) {
      self.longitude = longitude
      self.latitude = latitude
    }
  }

  private let parts: [[[Point]]]

  /// - Parameter parts: rings that end where they begin.
  /// - Throws: `OutlineFault` where they don't, or are no places on Earth.
  package init(parts: [[[Point]]]) throws(OutlineFault) {
    guard !parts.isEmpty, !parts.contains(where: \.isEmpty) else { throw OutlineFault("has no outline") }
    for ring in parts.joined() {
      guard ring.count >= 4, ring.first == ring.last else { throw OutlineFault("has a ring that is not closed") }
      guard ring.allSatisfy({ -180...180 ~= $0.longitude && -90...90 ~= $0.latitude }) else {
        throw OutlineFault("has points that are no longitude and latitude in degrees")
      }
    }
    self.parts = parts
  }

  /// The cells that belong to the area: those whose middle is in it. Where a middle is in the sea off Italy, the point of
  /// the cell that is deepest in its land stands for it, so that the towns of a coast are in their region. Of areas that
  /// border on each other, a cell belongs to one.
  /// - Returns: numbers of cells that follow each other, in their order.
  /// - Throws: `OutlineFault` for more cells than a question may be about.
  package func cells() throws(OutlineFault) -> [Range<PlaceGrid.Cell>] {
    let spans = parts.flatMap { Self.spans(of: $0) }
    let count = spans.reduce(0) { $0 + $1.count }
    guard count <= GroupPlace.cellsMax else { throw OutlineFault("has more cells than a question may be about") }
    var cells = Set(spans.joined())
    let latitudes = parts.joined().joined().map(\.latitude)
    let reach = (latitudes.min() ?? 0)...(latitudes.max() ?? 0)
    for coast in Self.coasts {
      if reach.contains(coast.point.latitude), contains(coast.point) {
        cells.insert(coast.cell)
      } else {
        cells.remove(coast.cell)
      }
    }
    var ranges: [Range<PlaceGrid.Cell>] = []
    for cell in cells.sorted() {
      if let last = ranges.last, last.upperBound == cell {
        ranges[ranges.count - 1] = last.lowerBound..<cell + 1
      } else {
        ranges.append(cell..<cell + 1)
      }
    }
    return ranges
  }

  /// The cells of a part whose middle is in it: row by row, between the first and the second edge that the line through the
  /// middles of the row meets, the third and the fourth, and so on.
  private static func spans(of part: [[Point]]) -> [Range<PlaceGrid.Cell>] {
    /// Columns or rows from `origin` on; whole numbers are middles.
    func steps(_ degrees: Double, from origin: Double) -> Double {
      (degrees - origin) * Double(PlaceGrid.perDegree) - 0.5
    }
    var edges: [Int: [Double]] = [:]
    for ring in part {
      for (from, to) in zip(ring, ring.dropFirst()) {
        // The lower end first, so that neighbours meet their border at the same point.
        let (low, high) = from.latitude <= to.latitude ? (from, to) : (to, from)
        let (south, north) = (steps(low.latitude, from: -90), steps(high.latitude, from: -90))
        let (west, east) = (steps(low.longitude, from: -180), steps(high.longitude, from: -180))
        for row in Int(south.rounded(.up))..<Int(north.rounded(.up)) {
          edges[row, default: []].append(west + (Double(row) - south) * (east - west) / (north - south))
        }
      }
    }
    return edges.flatMap { row, columns -> [Range<PlaceGrid.Cell>] in
      let sorted = columns.sorted()
      return stride(from: 0, to: sorted.count - 1, by: 2).compactMap { index in
        let first = Int(sorted[index].rounded(.up))
        let end = Int(sorted[index + 1].rounded(.up))
        let start = row * PlaceGrid.columns
        return first < end ? PlaceGrid.Cell(start + first)..<PlaceGrid.Cell(start + end) : nil
      }
    }
  }

  private func contains(_ point: Point) -> Bool {
    parts.contains { part in
      var isInside = false
      for ring in part {
        for (from, to) in zip(ring, ring.dropFirst()) {
          let (low, high) = from.latitude <= to.latitude ? (from, to) : (to, from)
          guard low.latitude <= point.latitude, point.latitude < high.latitude else { continue }
          let share = (point.latitude - low.latitude) / (high.latitude - low.latitude)
          if low.longitude + share * (high.longitude - low.longitude) > point.longitude { isInside.toggle() }
        }
      }
      return isInside
    }
  }

  /// Cells whose middle is in the sea off Italy, and the points that stand for them.
  static let coasts: [(cell: PlaceGrid.Cell, point: Point)] = CoastPoints.packed.split(whereSeparator: \.isWhitespace)
    .compactMap { Int($0) }.map { packed in
      let fine = CoastPoints.fine
      let (cell, place) = packed.quotientAndRemainder(dividingBy: fine * fine)
      let (row, column) = cell.quotientAndRemainder(dividingBy: PlaceGrid.columns)
      func degrees(_ step: Int, _ part: Int, from origin: Double) -> Double {
        (Double(step) + (Double(part) + 0.5) / Double(fine)) / Double(PlaceGrid.perDegree) + origin
      }
      let point = Point(
        longitude: degrees(column, place % fine, from: -180), latitude: degrees(row, place / fine, from: -90))
      return (PlaceGrid.Cell(cell), point)
    }
}

/// Why an outline is none, to be read after the area's name.
package struct OutlineFault: Error, Sendable, Hashable {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}
