import TestSupport
import Testing

@testable import Domain
@testable import RacesRules

@Suite struct GeodesyTests {
  /// Lengths along the ground by C. F. F. Karney's geographiclib 2.1 for Python (`Geodesic.WGS84.Inverse`), in metres.
  @Test(
    "Distances are right to 1 in 100,000 everywhere: at the equator, over a pole and across the 180th meridian",
    arguments: [
      (0.0, 0.0, 0.0, 0.4, 44_527.796), (0, 0, 0.4, 0, 44_229.718), (45, 9, 45.1, 9.1, 13_622.221),
      (89.9, 0, 89.9, 180, 22_338.796), (89.9, 0, 89.9, 90, 15_795.910), (-89.9, 30, -89.9, -150, 22_338.796),
      (89.8, 10, 90, 77, 22_338.795), (-17, 179.9, -17, -179.9, 21_297.165), (60, -180, 60, 180, 0),
    ])
  func distance(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ metres: Double) {
    #expect(abs(Geodesy.distance(a, b, c, d) - metres) <= 1e-5 * metres + 1e-6)
  }

  @Test(
    "A point on the way is on the way: over a pole and across the 180th meridian too",
    arguments: [
      (45.0, 9.0, 45.1, 9.1), (89.9, 0, 89.9, 180), (-89.99, 20, -89.9, -100), (-17, 179.9, -16.9, -179.9),
      (90, 0, 89.9, 50), (0, 0, 0, 0.4),
    ])
  func between(_ a: Double, _ b: Double, _ c: Double, _ d: Double) {
    let whole = Geodesy.distance(a, b, c, d)
    for share in [0.0, 0.1, 0.5, 0.75, 1] {
      let point = Geodesy.point(between: (a, b), and: (c, d), at: share)
      let there = Geodesy.distance(a, b, point.latitude, point.longitude)
      #expect(abs(there - share * whole) < 1e-4 * whole)
      #expect(abs(there + Geodesy.distance(point.latitude, point.longitude, c, d) - whole) < 1e-4 * whole)
      #expect(abs(point.latitude) <= 90 && abs(point.longitude) <= 180)
    }
  }

  @Test(
    "A map of 50 km has the lengths of the ground, wherever it is",
    arguments: [
      (45.0, 9.0), (90, 0), (-90, 123), (89.999, -60), (89.7, 179), (-17, 180), (0, -180), (71, 25),
    ])
  func plane(latitude: Double, longitude: Double) {
    let plane = LocalPlane(latitude: latitude, longitude: longitude)
    #expect(plane.metres(latitude, longitude) == (0, 0))
    var random = SeededGenerator(seed: 7)
    // Within 0.4 degrees of the place, in every direction.
    func near() -> (Double, Double) {
      let north = min(90, max(-90, latitude + .random(in: -0.3...0.3, using: &random)))
      let turn = abs(latitude) > 89.9 ? 180.0 : abs(latitude) > 89 ? 30 : 0.3
      return (north, (longitude + .random(in: -turn...turn, using: &random)).remainder(dividingBy: 360))
    }
    for _ in 0..<1_000 {
      let (a, b) = (near(), near())
      let (p, q) = (plane.metres(a.0, a.1), plane.metres(b.0, b.1))
      let drawn = ((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)).squareRoot()
      let real = Geodesy.distance(a.0, a.1, b.0, b.1)
      #expect(abs(drawn - real) <= 1e-5 * real + 1e-6, "\(a) \(b)")
    }
  }

  @Test("What is far away is far away on the map, also on the other side of the Earth")
  func farAway() {
    let plane = LocalPlane(latitude: 45, longitude: 9)
    for (latitude, longitude) in [(-45.0, -171.0), (-45, -170.9), (-44.9, -171), (90, 0), (-90, 0), (0, 99)] {
      let point = plane.metres(latitude, longitude)
      #expect((point.x * point.x + point.y * point.y).squareRoot() > 4_000_000)
    }
    let north = plane.metres(45.1, 9)
    let east = plane.metres(45, 9.1)
    #expect(north.y > 11_000 && abs(north.x) < 1 && east.x > 7_800 && abs(east.y) < 10)
  }
}
