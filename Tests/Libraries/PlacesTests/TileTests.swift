import Testing

@testable import Places

/// Tiles of the map that pages draw.
@Suite struct TileTests {
  @Test(arguments: [(0, 1, 0), (0, 0, 1), (3, 8, 0), (3, 0, 8), (-1, 0, 0), (17, 0, 0), (3, -1, 0)])
  func thereAreFourTimesAsManyTilesWithEachZoomAndNoOthers(_ zoom: Int, _ x: Int, _ y: Int) {
    #expect(MapTile(zoom: zoom, x: x, y: y) == nil)
  }

  @Test func aPlaceIsWhereTheWebsMapsHaveIt() throws {
    let world = try #require(MapTile(zoom: 0, x: 0, y: 0))
    #expect(world.position(latitude: 0, longitude: 0) == (512, 512))
    #expect(world.position(latitude: 0, longitude: -180).x == 0)
    #expect(abs(world.position(latitude: 85.0511, longitude: 0).y) < 0.001)
    #expect(world.position(latitude: 90, longitude: 0).y == world.position(latitude: 86, longitude: 0).y)
    // The cathedral of Milan, by OpenStreetMap's formula.
    let milan = try #require(MapTile(zoom: 16, x: 34_441, y: 23_454))
    let (x, y) = milan.position(latitude: 45.4642, longitude: 9.1916)
    #expect(0..<1_024 ~= x && 0..<1_024 ~= y)
    #expect(milan.longitudes.contains(9.1916) && milan.latitudes.contains(45.4642))
    #expect(milan.touches(west: 9, south: 45, east: 10, north: 46))
    #expect(!milan.touches(west: 9.3, south: 45, east: 10, north: 46))
    #expect(!milan.touches(west: 9, south: 45.6, east: 10, north: 46))
  }

  @Test(arguments: 0...8) func landStaysWithinATileAndItsMargin(_ zoom: Int) throws {
    let count = 1 << zoom
    for (x, y) in [(0, count / 3), (count / 2, count / 3), (count - 1, count / 4), (count / 2, count / 2)] {
      let tile = try #require(MapTile(zoom: zoom, x: x, y: y))
      for ring in CountryMap.shared.land(in: tile) {
        #expect(ring.count > 2)
        #expect(ring.allSatisfy { -32...1_056 ~= $0.x && -32...1_056 ~= $0.y })
      }
    }
  }

  @Test func inTheMiddleOfACountryTheWholeTileIsLandAndOnTheHighSeasNothingIs() throws {
    let milan = try #require(MapTile(zoom: 16, x: 34_441, y: 23_454))
    let land = try #require(CountryMap.shared.land(in: milan).first)
    let corners = [(-32, -32), (1_056, -32), (1_056, 1_056), (-32, 1_056)].map { MapTile.Point(x: $0.0, y: $0.1) }
    #expect(Set(land).isSuperset(of: corners))
    #expect(land.allSatisfy { [-32, 1_056].contains($0.x) || [-32, 1_056].contains($0.y) })
    #expect(CountryMap.shared.land(in: try #require(MapTile(zoom: 6, x: 27, y: 33))).isEmpty)
  }

  /// The bytes are what `SELECT ST_AsTWKB('MULTILINESTRING((0 0, 1024 10), (1024 10, -3 700))'::geometry)` gives.
  @Test func linesAreWrittenAsPostGISWritesThem() {
    let lines: [[MapTile.Point]] = [
      [.init(x: 0, y: 0), .init(x: 1_024, y: 10)], [.init(x: 1_024, y: 10), .init(x: -3, y: 700)],
    ]
    #expect(
      TinyLines.encoded(lines) == [
        0x05, 0x00, 0x02, 0x02, 0x00, 0x00, 0x80, 0x10, 0x14, 0x02, 0x00, 0x00, 0x85, 0x10, 0xe4, 0x0a,
      ])
    #expect(TinyLines.encoded([]) == [5, 0, 0])
  }
}

/// What is kept of tiles that were made.
@Suite struct TileCacheTests {
  private func tile(_ x: Int) throws -> MapTile { try #require(MapTile(zoom: 16, x: x, y: 0)) }

  @Test func itNeverTakesMoreThanItMay() throws {
    let cache = TileCache(maxBytes: 10_000)
    for x in 0..<1_000 {
      cache.keep(Array(repeating: 1, count: x % 700), of: try tile(x), version: 1)
      #expect(cache.byteCount <= 10_000)
    }
    // The same tile again takes no more.
    let before = cache.byteCount
    cache.keep(Array(repeating: 1, count: 999 % 700), of: try tile(999), version: 1)
    #expect(cache.byteCount == before)
  }

  @Test func thoseThatWereAskedForLastAreKept() throws {
    let cache = TileCache(maxBytes: 10_000)
    for x in 0..<500 {
      cache.keep(Array(repeating: 1, count: 400), of: try tile(x), version: 1)
      #expect(cache.bytes(of: try tile(0), version: 1) != nil)
      #expect(cache.bytes(of: try tile(x), version: 1) != nil)
    }
    #expect(cache.bytes(of: try tile(1), version: 1) == nil)
  }

  @Test func aTileThatWouldFillItIsNotKept() throws {
    let cache = TileCache(maxBytes: 10_000)
    cache.keep([1], of: try tile(1), version: 1)
    cache.keep(Array(repeating: 1, count: 6_000), of: try tile(2), version: 1)
    #expect(cache.bytes(of: try tile(2), version: 1) == nil)
    #expect(cache.bytes(of: try tile(1), version: 1) == [1])
  }

  @Test func anotherVersionIsAnotherMap() throws {
    let cache = TileCache(maxBytes: 10_000)
    cache.keep([1], of: try tile(1), version: 1)
    #expect(cache.bytes(of: try tile(1), version: 2) == nil)
    cache.keep([2], of: try tile(2), version: 2)
    #expect(cache.bytes(of: try tile(1), version: 1) == nil)
    // A tile that was begun before the import.
    cache.keep([1], of: try tile(1), version: 1)
    #expect(cache.bytes(of: try tile(1), version: 2) == nil)
    #expect(cache.bytes(of: try tile(2), version: 2) == [2])
  }
}
