internal import Glibc

/// Tells in which country a place is, without asking anybody.
///
/// The outlines are of 1:50 million, in the boundary view of the United Nations: a border may be off by a few kilometres,
/// and there is no Kosovo (it is in Serbia's outline) and no Northern Cyprus (in that of Cyprus). They are read at the
/// first use, in a few milliseconds; a question then takes some 20 microseconds. Safe from any thread.
public struct CountryMap: Sendable {
  /// The one map: it is read once in a process.
  public static let shared = CountryMap()

  /// Metres from a coast up to which the sea counts as the country's: harbours and bathers, ships under the coast, small
  /// islands, and land that the coarse outlines leave in the sea. Territorial waters are 12 nautical miles, 22 km.
  public static let coastReach = 25_000.0

  /// On a sphere of the Earth's mean radius; the error of half a percent is nothing beside that of the outlines.
  private static let metresPerDegree = 111_195.0

  let outlines = CountryOutlines()

  /// The country of a place.
  ///
  /// - Parameters:
  ///   - latitude: degrees, WGS 84, north positive.
  ///   - longitude: degrees, WGS 84, east positive; 181 is -179.
  /// - Returns: ISO 3166-1 alpha-2; nil on the high seas, in Antarctica, and for coordinates that no place has.
  public func country(latitude: Double, longitude: Double) -> String? {
    guard (-90...90).contains(latitude), longitude.isFinite else { return nil }
    var longitude = longitude.remainder(dividingBy: 360)
    if longitude >= 180 { longitude = -180 }
    let place = Place(latitude: latitude, longitude: longitude, outlines)
    if let island = outlines.islands.first(where: { place.distance(to: $0) <= 0 }) { return island.code }
    for x in timesAround(place) {
      if let country = outlines.countries.first(where: { contains($0, x, place.y) }) { return country.code }
    }
    return nearest(to: place)
  }

  /// A place on the grid of the outlines.
  private struct Place {
    let latitude: Double
    let longitude: Double
    /// In steps of the grid.
    let x: Double
    let y: Double
    /// Metres a step of the grid here.
    let scale: (x: Double, y: Double)

    init(latitude: Double, longitude: Double, _ outlines: CountryOutlines) {
      self.latitude = latitude
      self.longitude = longitude
      x = (longitude - outlines.origin.x) / outlines.step.x
      y = (latitude - outlines.origin.y) / outlines.step.y
      // At the poles a step east is nothing; kept above it, so that a reach in steps stays a number.
      let narrowing = max(cos(latitude * .pi / 180), 0.001)
      scale = (outlines.step.x * metresPerDegree * narrowing, outlines.step.y * metresPerDegree)
    }

    /// Metres to the edge of an island's circle; negative inside.
    func distance(to island: CountryOutlines.Island) -> Double {
      let north = (island.latitude - latitude) * metresPerDegree
      let east =
        (island.longitude - longitude).remainder(dividingBy: 360) * metresPerDegree * cos(latitude * .pi / 180)
      return (north * north + east * east).squareRoot() - island.radius
    }
  }

  /// Where on the grid the place is: outlines that cross the dateline go on beyond it, so it may be there twice.
  private func timesAround(_ place: Place) -> [Double] {
    let around = 360 / outlines.step.x
    let reach = Self.coastReach / place.scale.x
    let (west, east) = (Double(outlines.box.west) - reach, Double(outlines.box.east) + reach)
    return [place.x, place.x - around, place.x + around].filter { west <= $0 && $0 <= east }
  }

  // MARK: Inside

  private func contains(_ country: CountryOutlines.Country, _ x: Double, _ y: Double) -> Bool {
    var isInside = false
    for ring in outlines.rings[country.rings] where crosses(ring, x, y) { isInside.toggle() }
    return isInside
  }

  /// Whether a line from the place to the east crosses a ring an odd number of times.
  private func crosses(_ ring: CountryOutlines.Ring, _ x: Double, _ y: Double) -> Bool {
    guard Self.mayCross(ring.box, x, y) else { return false }
    var isOdd = false
    for block in ring.blocks where Self.mayCross(outlines.blocks[block], x, y) {
      forEachEdge(of: block, in: ring) { from, to in
        // Half open: of two edges that meet at the line's height one counts. The lower end first, so that neighbours
        // find the same point of a border that they share: each place is in one of them.
        let (low, high) = from.y <= to.y ? (from, to) : (to, from)
        guard Double(low.y) <= y, y < Double(high.y) else { return }
        let part = (y - Double(low.y)) / Double(high.y - low.y)
        if Double(low.x) + part * Double(high.x - low.x) > x { isOdd.toggle() }
      }
    }
    return isOdd
  }

  private static func mayCross(_ box: CountryOutlines.Box, _ x: Double, _ y: Double) -> Bool {
    Double(box.south) <= y && y < Double(box.north) && x <= Double(box.east)
  }

  // MARK: Near

  /// The country of the nearest coast, or island, within reach.
  private func nearest(to place: Place) -> String? {
    var best = (distance: Self.coastReach, code: String?.none)
    for island in outlines.islands {
      let distance = place.distance(to: island)
      if distance <= best.distance { best = (distance, island.code) }
    }
    for x in timesAround(place) {
      for country in outlines.countries {
        for ring in outlines.rings[country.rings] {
          let distance = distance(from: x, place, to: ring, below: best.distance)
          if distance < best.distance { best = (distance, country.code) }
        }
      }
    }
    return best.code
  }

  /// Metres to the nearest point of a ring, or `limit` if it is not nearer than that.
  private func distance(from x: Double, _ place: Place, to ring: CountryOutlines.Ring, below limit: Double) -> Double {
    let (scale, y) = (place.scale, place.y)
    let (reachX, reachY) = (limit / scale.x, limit / scale.y)
    func isNear(_ box: CountryOutlines.Box) -> Bool {
      Double(box.west) - reachX <= x && x <= Double(box.east) + reachX && Double(box.south) - reachY <= y
        && y <= Double(box.north) + reachY
    }
    guard isNear(ring.box) else { return limit }
    var least = limit * limit
    for block in ring.blocks where isNear(outlines.blocks[block]) {
      forEachEdge(of: block, in: ring) { from, to in
        let (eastward, northward) = (Double(to.x - from.x) * scale.x, Double(to.y - from.y) * scale.y)
        let (east, north) = ((x - Double(from.x)) * scale.x, (y - Double(from.y)) * scale.y)
        let length = eastward * eastward + northward * northward
        let part = length > 0 ? min(max((east * eastward + north * northward) / length, 0), 1) : 0
        let (offEast, offNorth) = (east - part * eastward, north - part * northward)
        least = min(least, offEast * offEast + offNorth * offNorth)
      }
    }
    return least.squareRoot()
  }

  private func forEachEdge(
    of block: Int, in ring: CountryOutlines.Ring, _ body: ((x: Int32, y: Int32), (x: Int32, y: Int32)) -> Void
  ) {
    let first = ring.points.lowerBound + (block - ring.blocks.lowerBound) * CountryOutlines.blockEdges
    let end = min(first + CountryOutlines.blockEdges, ring.points.upperBound)
    var from = outlines.points[first]
    for index in first..<end {
      let to = outlines.points[index + 1 < ring.points.upperBound ? index + 1 : ring.points.lowerBound]
      body(from, to)
      from = to
    }
  }
}
