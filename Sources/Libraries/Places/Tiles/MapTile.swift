internal import Glibc

/// A square of the world as maps on the web cut it: at zoom 0 one has the whole world, and each further zoom cuts each
/// square into four. The world is drawn in the web's Mercator projection, from 85.05 degrees north to as many south.
public struct MapTile: Hashable, Sendable {
  /// A point of a tile, from its north-western corner to the east and to the south.
  public struct Point: Hashable, Sendable {
    public var x: Int32
    public var y: Int32

    public init(x: Int32, y: Int32) {
      self.x = x
      self.y = y
    }
  }

  /// How wide and high a tile is in the numbers of its points: a quarter of a pixel where it is drawn with 256 pixels.
  public static let extent = 1_024
  /// How far its lines go beyond its edges, so that none is seen to end there.
  public static let margin = 32
  /// From here on a tile shows nothing that is not in the one that it was cut from.
  public static let maxZoom = 16

  public let zoom: Int
  /// From the dateline to the east.
  public let x: Int
  /// From the north to the south.
  public let y: Int

  /// nil where there is no such tile.
  public init?(zoom: Int, x: Int, y: Int) {
    guard 0...Self.maxZoom ~= zoom, 0..<(1 << zoom) ~= x, 0..<(1 << zoom) ~= y else { return nil }
    self.zoom = zoom
    self.x = x
    self.y = y
  }

  /// Degrees of longitude of its edges, its margin included.
  var longitudes: ClosedRange<Double> {
    let (from, to) = (Self.margins.lowerBound, Self.margins.upperBound)
    return longitude(from)...longitude(to)
  }

  /// Degrees of latitude of its edges, its margin included.
  var latitudes: ClosedRange<Double> {
    let (from, to) = (Self.margins.lowerBound, Self.margins.upperBound)
    return latitude(to)...latitude(from)
  }

  /// Whether it has anything of a box, in degrees.
  public func touches(west: Double, south: Double, east: Double, north: Double) -> Bool {
    longitudes.overlaps(west...east) && latitudes.overlaps(south...north)
  }

  /// Where its lines end, in the numbers of its points.
  static let margins = -Double(margin)...Double(extent + margin)

  private var count: Double { Double(1 << zoom) }

  private func longitude(_ x: Double) -> Double { ((Double(self.x) + x / Double(Self.extent)) / count - 0.5) * 360 }

  private func latitude(_ y: Double) -> Double {
    let world = (Double(self.y) + y / Double(Self.extent)) / count
    return atan(sinh((0.5 - world) * 2 * .pi)) * 180 / .pi
  }

  /// Where a place is in the tile, in the numbers of its points, also where it is far beyond its edges. What no such map
  /// shows, near the poles, is at its edge.
  func position(latitude: Double, longitude: Double) -> (x: Double, y: Double) {
    let sine = sin(min(max(latitude, -85.0511), 85.0511) * .pi / 180)
    let worldX = longitude / 360 + 0.5
    let worldY = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
    let extent = Double(Self.extent)
    return ((worldX * count - Double(x)) * extent, (worldY * count - Double(y)) * extent)
  }
}
