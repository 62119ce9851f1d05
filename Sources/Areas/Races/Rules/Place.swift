internal import Domain

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

extension Geodesy {
  /// The same of two points with names.
  package static func distance(_ a: Place, _ b: Place) -> Double {
    distance(a.latitude, a.longitude, b.latitude, b.longitude)
  }
}
