internal import Domain

/// Where readings were taken: cells of the grid. Two places with the same cells are the same place.
package struct GroupPlace: Sendable, Hashable {
  /// In their order; nil is anywhere, also where nobody knows.
  package let cells: [PlaceGrid.Cell]?
  package static let anywhere = GroupPlace(cells: nil)

  /// The most cells of a place: a circle of 500 km has some 40,000.
  package static let cellsMax = 100_000
  /// Metres.
  package static let radiusMax = 500_000.0

  private init(cells: [PlaceGrid.Cell]?) { self.cells = cells }

  /// The cells whose middle is in a circle.
  /// - Parameter radius: metres.
  package init(latitude: Double, longitude: Double, radius: Double) throws(QuestionFault) {
    try Self.check(latitude, 90, "circle.latitude")
    try Self.check(longitude, 180, "circle.longitude")
    guard radius > 0, radius <= Self.radiusMax else {
      throw QuestionFault("circle.radius_m", "must be more than 0 and at most 500,000")
    }
    try self.init(PlaceGrid.cells(latitude: latitude, longitude: longitude, radius: radius), "circle")
  }

  /// The cells whose middle is in a box.
  /// - Parameter west: where it is greater than `east`, the box reaches over ±180°.
  package init(south: Double, west: Double, north: Double, east: Double) throws(QuestionFault) {
    try Self.check(south, 90, "box.south")
    try Self.check(north, 90, "box.north")
    try Self.check(west, 180, "box.west")
    try Self.check(east, 180, "box.east")
    guard south < north else { throw QuestionFault("box.north", "must be greater than south") }
    // Counted before it is made.
    let width = west <= east ? east - west : 360 - west + east
    let count = (north - south) * width * Double(PlaceGrid.perDegree * PlaceGrid.perDegree)
    guard count <= Double(Self.cellsMax) else {
      throw QuestionFault("box", "must be smaller: at most 250 square degrees")
    }
    try self.init(PlaceGrid.cells(latitudes: south...north, west: west, east: east), "box")
  }

  /// The cells of an area with a name.
  package init(area cells: [Range<PlaceGrid.Cell>]) throws(QuestionFault) {
    guard !cells.isEmpty else { throw QuestionFault("area", "is too small: no cell of 0.05 degrees belongs to it") }
    try self.init(cells.flatMap { Array($0) }, "area")
  }

  private init(_ cells: [PlaceGrid.Cell], _ field: String) throws(QuestionFault) {
    guard !cells.isEmpty else { throw QuestionFault(field, "must have the middle of a cell of 0.05 degrees in it") }
    self.init(cells: cells.sorted())
  }

  private static func check(_ degrees: Double, _ limit: Double, _ field: String) throws(QuestionFault) {
    guard degrees >= -limit, degrees <= limit else {
      throw QuestionFault(field, "must be between \(Int(-limit)) and \(Int(limit))")
    }
  }
}
