extension CountryMap {
  /// The countries in a tile as closed lines; of a line the last point is followed by the first. What an odd number of them
  /// encloses is land. Takes from tens of microseconds to some milliseconds: the more, the more of the world is in it.
  public func land(in tile: MapTile) -> [[MapTile.Point]] {
    // Outlines that cross the dateline go on beyond it.
    [-360.0, 0, 360].flatMap { shift in
      outlines.rings.compactMap { ring in
        guard touches(tile, ring, shift: shift) else { return nil }
        return outline(of: ring, in: tile, shift: shift)
      }
    }
  }

  private func touches(_ tile: MapTile, _ ring: CountryOutlines.Ring, shift: Double) -> Bool {
    tile.touches(
      west: longitude(ring.box.west) + shift, south: latitude(ring.box.south), east: longitude(ring.box.east) + shift,
      north: latitude(ring.box.north))
  }

  private func longitude(_ x: Int32) -> Double { outlines.origin.x + Double(x) * outlines.step.x }

  private func latitude(_ y: Int32) -> Double { outlines.origin.y + Double(y) * outlines.step.y }

  /// nil where it encloses nothing that can be seen.
  private func outline(of ring: CountryOutlines.Ring, in tile: MapTile, shift: Double) -> [MapTile.Point]? {
    var points = outlines.points[ring.points].map { point in
      tile.position(latitude: latitude(point.y), longitude: longitude(point.x) + shift)
    }
    // Sutherland and Hodgman: what is beyond one edge after the other is cut off.
    let edges = MapTile.margins
    for (axis, limit, isLower) in [
      (\(x: Double, y: Double).x, edges.lowerBound, true), (\.x, edges.upperBound, false),
      (\.y, edges.lowerBound, true), (\.y, edges.upperBound, false),
    ] {
      points = Self.cut(points, at: limit, along: axis, keepsAbove: isLower)
    }
    return Self.thinned(points)
  }

  private static func cut(
    _ points: [(x: Double, y: Double)], at limit: Double, along axis: KeyPath<(x: Double, y: Double), Double>,
    keepsAbove: Bool
  ) -> [(x: Double, y: Double)] {
    guard var before = points.last else { return [] }
    func isKept(_ point: (x: Double, y: Double)) -> Bool {
      keepsAbove ? point[keyPath: axis] >= limit : point[keyPath: axis] <= limit
    }
    var kept: [(x: Double, y: Double)] = []
    for point in points {
      if isKept(point) != isKept(before) {
        let part = (limit - before[keyPath: axis]) / (point[keyPath: axis] - before[keyPath: axis])
        kept.append((before.x + part * (point.x - before.x), before.y + part * (point.y - before.y)))
      }
      if isKept(point) { kept.append(point) }
      before = point
    }
    return kept
  }

  /// Whole numbers, without points that are half a pixel from the one before.
  private static func thinned(_ points: [(x: Double, y: Double)]) -> [MapTile.Point]? {
    var kept: [MapTile.Point] = []
    for (x, y) in points {
      let point = MapTile.Point(x: Int32(x.rounded()), y: Int32(y.rounded()))
      if let last = kept.last, abs(last.x - point.x) < 2, abs(last.y - point.y) < 2 { continue }
      kept.append(point)
    }
    return kept.count > 2 ? kept : nil
  }
}
