internal import Domain
internal import RacesRules

/// The line of a piece of street, with the distance of each of its points from the first.
struct RoadLine: Sendable, Hashable {
  struct Point: Sendable, Hashable {
    var latitude: Double
    var longitude: Double
  }

  let points: [Point]
  /// Metres along the line, one for each point.
  let distances: [Double]
  var length: Double { distances[distances.count - 1] }

  /// nil with fewer than two points.
  init?(_ points: [Point]) {
    guard points.count > 1 else { return nil }
    var distances = [0.0]
    for (a, b) in zip(points, points.dropFirst()) {
      distances.append(
        distances[distances.count - 1] + Geodesy.distance(a.latitude, a.longitude, b.latitude, b.longitude))
    }
    self.points = points
    self.distances = distances
  }

  /// A LINESTRING in the well-known binary form, little endian, as PostGIS writes it; nil for anything else.
  init?(wkb bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 9, bytes[0] == 1, bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self) == 2 else {
      return nil
    }
    let count = Int(bytes.loadUnaligned(fromByteOffset: 5, as: UInt32.self))
    guard bytes.count == 9 + 16 * count else { return nil }
    self.init(
      (0..<count).map { index in
        Point(
          latitude: bytes.loadUnaligned(fromByteOffset: 17 + 16 * index, as: Double.self),
          longitude: bytes.loadUnaligned(fromByteOffset: 9 + 16 * index, as: Double.self))
      })
  }

  /// Where the line is nearest to a place.
  /// - Returns: metres along the line, and metres from the place.
  func nearest(to place: Place) -> (offset: Double, distance: Double) {
    // Flat within the few hundred metres that matter.
    let scale = Geodesy.metresPerDegree(atLatitude: place.latitude)
    func flat(_ point: Point) -> (x: Double, y: Double) {
      (
        (point.longitude - place.longitude).remainder(dividingBy: 360) * scale.east,
        (point.latitude - place.latitude) * scale.north
      )
    }
    var best = (offset: 0.0, distance: Double.infinity)
    for index in 1..<points.count {
      let (a, b) = (flat(points[index - 1]), flat(points[index]))
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let square = dx * dx + dy * dy
      let share = square > 0 ? min(1, max(0, -(a.x * dx + a.y * dy) / square)) : 0
      let (x, y) = (a.x + share * dx, a.y + share * dy)
      let distance = (x * x + y * y).squareRoot()
      if distance < best.distance {
        best = (distances[index - 1] + share * (distances[index] - distances[index - 1]), distance)
      }
    }
    return best
  }

  /// The point so many metres along the line.
  func point(at offset: Double) -> Point {
    let next = min(points.count - 1, max(1, distances.firstIndex { $0 >= offset } ?? points.count - 1))
    let step = distances[next] - distances[next - 1]
    let share = step > 0 ? min(1, max(0, (offset - distances[next - 1]) / step)) : 0
    let (a, b) = (points[next - 1], points[next])
    return Point(
      latitude: a.latitude + (b.latitude - a.latitude) * share,
      longitude: a.longitude + (b.longitude - a.longitude) * share)
  }

  /// The part between two distances along the line, the first of which is smaller; nil if nothing is between them.
  func part(from first: Double, to last: Double) -> RoadLine? {
    guard first < last else { return nil }
    let inner = points.indices.filter { distances[$0] > first && distances[$0] < last }.map { points[$0] }
    return RoadLine([point(at: first)] + inner + [point(at: last)])
  }
}
