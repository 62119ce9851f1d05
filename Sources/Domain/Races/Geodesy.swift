internal import Glibc

/// A point on WGS 84 with a name for people.
public struct Place: Sendable, Hashable {
  /// Degrees, -90 … 90.
  public var latitude: Double
  /// Degrees, -180 … 180.
  public var longitude: Double
  /// At most 100 characters; may be empty.
  public var name: String

  public init(latitude: Double, longitude: Double, name: String = "") {
    self.latitude = latitude
    self.longitude = longitude
    self.name = name
  }
}

/// Distances on WGS 84 over at most some tens of kilometres.
public enum Geodesy {
  /// WGS 84 (NIMA TR8350.2): semi-major axis in metres, first eccentricity squared.
  private static let semiMajorAxis = 6_378_137.0
  private static let eccentricitySquared = 0.006_694_379_990_141_33

  /// How many metres a degree is at a latitude, northwards and eastwards: by the radii of curvature in the meridian and
  /// in the prime vertical.
  public static func metresPerDegree(atLatitude latitude: Double) -> (north: Double, east: Double) {
    let radians = latitude * .pi / 180
    let s = sin(radians)
    let w = 1 - eccentricitySquared * s * s
    let primeVertical = semiMajorAxis / w.squareRoot()
    let meridian = primeVertical * (1 - eccentricitySquared) / w
    return (meridian * .pi / 180, primeVertical * cos(radians) * .pi / 180)
  }

  /// The distance of two points in metres, by the radii of curvature at their mean latitude: the error is below 1 in
  /// 100,000 up to 50 km, away from the poles.
  public static func distance(
    _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double
  ) -> Double {
    let scale = metresPerDegree(atLatitude: (latitude1 + latitude2) / 2)
    let north = (latitude2 - latitude1) * scale.north
    // The short way round at the 180th meridian.
    let east = (longitude2 - longitude1).remainder(dividingBy: 360) * scale.east
    return (north * north + east * east).squareRoot()
  }

  public static func distance(_ a: Place, _ b: Place) -> Double {
    distance(a.latitude, a.longitude, b.latitude, b.longitude)
  }
}
