internal import Domain
internal import RacesRules

/// A line of points with the distance of each along it, as `Course` counts it.
struct TrackLine {
  struct Point: Hashable {
    var latitude: Double
    var longitude: Double
  }

  let points: [Point]
  /// Metres along the line, one for each point.
  let distances: [Double]
  var length: Double { distances.last ?? 0 }

  /// - Parameter points: one that is where the one before is adds no length.
  init(_ points: [Point]) {
    self.points = points
    var distances: [Double] = []
    var last: (point: Point, distance: Double)?
    for point in points {
      var distance = last?.distance ?? 0
      if let before = last {
        let step = Geodesy.distance(
          before.point.latitude, before.point.longitude, point.latitude, point.longitude)
        // A course drops such a point.
        if step >= 0.01 {
          distance += step
          last = (point, distance)
        }
      } else {
        last = (point, 0)
      }
      distances.append(distance)
    }
    self.distances = distances
  }

  /// The point so many metres along the line; nil without points.
  func point(at distance: Double) -> Point? {
    guard let next = distances.firstIndex(where: { $0 >= distance }), next > 0 else {
      return distance <= 0 ? points.first : points.last
    }
    let share = (distance - distances[next - 1]) / max(1e-9, distances[next] - distances[next - 1])
    let (a, b) = (points[next - 1], points[next])
    let found = Geodesy.point(between: (a.latitude, a.longitude), and: (b.latitude, b.longitude), at: share)
    return Point(latitude: found.latitude, longitude: found.longitude)
  }

  /// Where the line passes a place for the first time after a distance along it: the nearest point of that pass.
  /// - Parameter reach: how near it must come, in metres.
  /// - Returns: metres along the line; or how near it comes at all after that distance, if that is too far.
  func pass(of place: Place, after passed: Double, within reach: Double) -> (distance: Double?, nearest: Double) {
    let plane = LocalPlane(latitude: place.latitude, longitude: place.longitude)
    var nearest = Double.infinity
    var best: (distance: Double, apart: Double)?
    var end = (x: 0.0, y: 0.0)
    for index in points.indices {
      let (ax, ay) = end
      end = plane.metres(points[index].latitude, points[index].longitude)
      guard index > 0, distances[index] > passed else { continue }
      let (dx, dy) = (end.x - ax, end.y - ay)
      let square = dx * dx + dy * dy
      let step = distances[index] - distances[index - 1]
      // The part before `passed` does not count.
      let least = step > 0 ? max(0, (passed - distances[index - 1]) / step) : 0
      let share = square > 0 ? min(1, max(least, -(ax * dx + ay * dy) / square)) : least
      let (x, y) = (ax + share * dx, ay + share * dy)
      let apart = (x * x + y * y).squareRoot()
      nearest = min(nearest, apart)
      if apart <= reach {
        if apart < best?.apart ?? .infinity { best = (distances[index - 1] + share * step, apart) }
      } else if best != nil {
        break
      }
    }
    return (best?.distance, nearest)
  }
}
