internal import Glibc

/// Distances and places on WGS 84 over at most some tens of kilometres, everywhere alike: at the poles and across the 180th
/// meridian too.
public enum Geodesy {
  /// WGS 84 (NIMA TR8350.2): semi-major axis in metres, first eccentricity squared.
  private static let semiMajorAxis = 6_378_137.0
  private static let eccentricitySquared = 0.006_694_379_990_141_33

  /// How many metres a degree is at a latitude, northwards and eastwards: by the radii of curvature in the meridian and
  /// in the prime vertical. Nothing to measure lengths with near the poles, where a degree eastwards soon is another one.
  public static func metresPerDegree(atLatitude latitude: Double) -> (north: Double, east: Double) {
    let radians = latitude * .pi / 180
    let s = sin(radians)
    let w = 1 - eccentricitySquared * s * s
    let primeVertical = semiMajorAxis / w.squareRoot()
    let meridian = primeVertical * (1 - eccentricitySquared) / w
    return (meridian * .pi / 180, primeVertical * cos(radians) * .pi / 180)
  }

  /// The distance of two points in metres, on the straight line between them: that is less than along the ground by below
  /// 1 in 100,000 up to 50 km, and by 1 in 100 at 3,000 km.
  public static func distance(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
  ) -> Double {
    (position(latitude2, longitude2) - position(latitude1, longitude1)).length
  }

  /// The point at a share of the way from one point to another.
  /// - Parameter share: 0 … 1.
  public static func point(
    between a: (latitude: Double, longitude: Double), and b: (latitude: Double, longitude: Double), at share: Double
  ) -> (latitude: Double, longitude: Double) {
    if share <= 0 { return a }
    if share >= 1 { return b }
    // Between the normals of the ellipsoid, which have no singular point (K. Gade: A Non-singular Horizontal Position
    // Representation, Journal of Navigation 63, 2010).
    let from = normal(a.latitude, a.longitude)
    let found = from + (normal(b.latitude, b.longitude) - from) * share
    let level = (found.x * found.x + found.y * found.y).squareRoot()
    return (atan2(found.z, level) * 180 / .pi, atan2(found.y, found.x) * 180 / .pi)
  }

  /// Where a point is, in metres from the middle of the Earth: towards the Gulf of Guinea, the Indian Ocean and the north.
  package static func position(_ latitude: Double, _ longitude: Double) -> Vector {
    var position = normal(latitude, longitude)
    let primeVertical = semiMajorAxis / (1 - eccentricitySquared * position.z * position.z).squareRoot()
    position = position * primeVertical
    position.z *= 1 - eccentricitySquared
    return position
  }

  /// What points straight up at a place; its length is 1.
  package static func normal(_ latitude: Double, _ longitude: Double) -> Vector {
    let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
    let level = cos(north)
    return Vector(x: level * cos(east), y: level * sin(east), z: sin(north))
  }
}

/// A direction with a length, in space.
package struct Vector {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  package var length: Double { dot(self).squareRoot() }

  package func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  package static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  package static func - (a: Vector, b: Vector) -> Vector { Vector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  package static func * (a: Vector, factor: Double) -> Vector {
    Vector(x: a.x * factor, y: a.y * factor, z: a.z * factor)
  }
}
