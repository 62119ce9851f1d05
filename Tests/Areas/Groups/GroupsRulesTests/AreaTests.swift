import Testing

@testable import GroupsRules

@Suite("A-R9: areas with names, in cells")
struct AreaTests {
  @Test func codesAreThoseOfISTAT() throws {
    for (text, order) in [("IT-R03", 1_000_003), ("IT-P015", 2_000_015), ("IT-M015146", 3_015_146)] as [(String, Int64)]
    {
      let code = try #require(AreaCode(text))
      #expect(code.text == text && code.order == order && AreaCode(order: order) == code)
    }
    #expect(AreaCode(.province, istat: "001")?.text == "IT-P001")
  }

  @Test(
    "What is no code is none",
    arguments: [
      "", "IT-R", "IT-R3", "IT-R003", "it-r03", "IT-X03", "IT-R+3", "IT-R٠٣", "IT-P15", "IT-M01514", "IT-R03 ", "03",
    ])
  func badCode(_ text: String) {
    #expect(AreaCode(text) == nil)
  }

  @Test func ordersOfNoCodeAreNone() {
    for order: Int64 in [0, -1, 999_999, 1_000_100, 2_001_000, 4_000_001, .min, .max] {
      #expect(AreaCode(order: order) == nil)
    }
  }

  private func ring(_ corners: [(Double, Double)]) -> [AreaOutline.Point] {
    (corners + corners.prefix(1)).map { .init(longitude: $0.0, latitude: $0.1) }
  }

  private func square(_ west: Double, _ south: Double, _ side: Double) -> [AreaOutline.Point] {
    ring([(west, south), (west + side, south), (west + side, south + side), (west, south + side)])
  }

  private func cells(_ parts: [[AreaOutline.Point]]...) throws -> Set<PlaceGrid.Cell> {
    Set(try AreaOutline(parts: parts).cells().joined())
  }

  @Test func aCellIsWhereItsMiddleIs() throws {
    // Half a degree: ten cells by ten. A little more or less is the same.
    let box = Set(try GroupPlace(south: 48, west: 20, north: 48.5, east: 20.5).cells ?? [])
    #expect(try cells([square(20, 48, 0.5)]) == box && box.count == 100)
    #expect(try cells([square(20.01, 48.01, 0.48)]) == box)
    #expect(try cells([square(20.03, 48.03, 0.49)]).count == 81)
    // Around none.
    #expect(try AreaOutline(parts: [[square(20.001, 48.001, 0.02)]]).cells() == [])
  }

  @Test func holesAreOutAndPartsAddUp() throws {
    let whole = try cells([square(20, 48, 1)])
    let hole = try cells([square(20.4, 48.4, 0.2)])
    #expect(try cells([square(20, 48, 1), square(20.4, 48.4, 0.2)]) == whole.subtracting(hole))
    #expect(try cells([square(20, 48, 1), square(20.4, 48.4, 0.2)], [square(20.4, 48.4, 0.2)]) == whole)
    #expect(hole.count == 16 && whole.count == 400)
  }

  @Test("Two areas that share a slanted border, also one through middles of cells, share no cell and lose none")
  func neighbours() throws {
    for (low, high) in [(20.13, 20.87), (20.025, 20.975), (20.5, 20.5), (20.025, 20.025)] {
      let west = ring([(20, 48), (low, 48), (high, 49), (20, 49)])
      let east = ring([(high, 49), (low, 48), (21, 48), (21, 49)])
      let (one, other) = (try cells([west]), try cells([east]))
      #expect(one.isDisjoint(with: other))
      #expect(one.union(other) == (try cells([square(20, 48, 1)])))
    }
  }

  @Test("The middle of Palermo's cell is in the sea: a point of its land stands for it")
  func coasts() throws {
    let palermo = PlaceGrid.cell(latitude: 38.115, longitude: 13.36)
    let coast = try #require(AreaOutline.coasts.first { $0.cell == palermo })
    #expect(PlaceGrid.cell(latitude: coast.point.latitude, longitude: coast.point.longitude) == palermo)
    let (x, y) = (coast.point.longitude, coast.point.latitude)
    #expect(try cells([square(x - 0.001, y - 0.001, 0.002)]) == [palermo])
    // The sea alone is nobody's.
    let middle = PlaceGrid.middle(of: palermo)
    #expect(try cells([square(middle.longitude - 0.001, middle.latitude - 0.001, 0.002)]) == [])
    #expect(
      AreaOutline.coasts.allSatisfy {
        PlaceGrid.cell(latitude: $0.point.latitude, longitude: $0.point.longitude) == $0.cell
      })
    #expect(AreaOutline.coasts.count > 700)
  }

  @Test func outlinesThatAreNoneAreRefused() throws {
    let open = Array(square(20, 48, 1).dropLast())
    for parts in [
      [], [[]], [[open]], [[[]]], [[square(500_000, 5_000_000, 1)]], [[ring([(20, 48), (.nan, 49), (21, 48)])]],
    ]
      as [[[[AreaOutline.Point]]]]
    {
      #expect(throws: OutlineFault.self) { try AreaOutline(parts: parts) }
    }
    let half = try AreaOutline(parts: [[ring([(-180, -90), (180, -90), (180, 0), (-180, 0)])]])
    #expect(throws: OutlineFault.self) { try half.cells() }
  }

  @Test func aPlaceIsTheCellsOfAnArea() throws {
    let area = try AreaOutline(parts: [[square(20, 48, 0.5)]]).cells()
    #expect(try GroupPlace(area: area) == GroupPlace(south: 48, west: 20, north: 48.5, east: 20.5))
    #expect { try GroupPlace(area: []) } throws: { ($0 as? QuestionFault)?.field == "area" }
  }
}
