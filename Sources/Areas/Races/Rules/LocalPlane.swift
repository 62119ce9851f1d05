internal import Domain
internal import Glibc

/// A map in metres about a place: the azimuthal projection whose distances from the place are straight lines through the
/// Earth, which on a sphere is Lambert's (J. P. Snyder: Map Projections, a Working Manual, USGS 1987, p. 182).
///
/// Within 50 km of the place lengths are right to 1 in 100,000, wherever it is: at the poles and across the 180th meridian
/// too. No two points of the Earth are one on the map: what is far away is far away there.
public struct LocalPlane: Sendable {
  private let origin: Vector
  private let east: Vector
  private let north: Vector

  /// - Parameters:
  ///   - latitude: of the place, in degrees, -90 … 90.
  ///   - longitude: in degrees.
  public init(latitude: Double, longitude: Double) {
    origin = Geodesy.position(latitude, longitude)
    let up = Geodesy.normal(latitude, longitude)
    let meridian = longitude * .pi / 180
    // At a pole east is that of the longitude given, so it is always there.
    let east = Vector(x: -sin(meridian), y: cos(meridian), z: 0)
    self.east = east
    north = Vector(
      x: up.y * east.z - up.z * east.y, y: up.z * east.x - up.x * east.z, z: up.x * east.y - up.y * east.x)
  }

  /// Metres east and north of the place, by the directions that hold there.
  public func metres(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double) {
    let way = Geodesy.position(latitude, longitude) - origin
    let (x, y) = (way.dot(east), way.dot(north))
    let level = (x * x + y * y).squareRoot()
    // The place itself, or the other end of the Earth.
    guard level > 0 else { return (way.length, 0) }
    let stretch = way.length / level
    return (x * stretch, y * stretch)
  }
}
