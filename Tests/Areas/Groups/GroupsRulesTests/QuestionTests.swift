import Domain
import Testing

@testable import GroupsRules

@Suite("A-R9: questions on the grid")
struct QuestionTests {
  @Test func agesAreInBandsOfFiveYears() throws {
    let ages = try #require(AgeBands(from: 22, to: 38))
    #expect(ages.from == 20 && ages.to == 39 && ages == AgeBands(from: 20, to: 39))
    #expect(ages.contains(age: 20) && ages.contains(age: 39) && !ages.contains(age: 19) && !ages.contains(age: 40))
    let old = try #require(AgeBands(from: 91, to: nil))
    #expect(old.from == 90 && old.to == nil && old.contains(age: 120) && !old.contains(age: 89))
    for (from, to) in [(40, 30), (-1, 30), (20, 151), (0, 17)] { #expect(AgeBands(from: from, to: to) == nil) }
  }

  @Test("A-R8: nobody under 18 counts")
  func minors() throws {
    let all = try #require(AgeBands(from: nil, to: nil))
    #expect(all.from == 18 && all.contains(age: 18) && !all.contains(age: 17) && all.contains(age: 149))
    #expect(try #require(AgeBands(from: 3, to: 30)).from == 18)
  }

  @Test func weightsAreInBandsOfTenKilograms() throws {
    let middle = try #require(WeightBands(from: 62, to: 78))
    #expect(middle.from == 60 && middle.to == 80 && middle == WeightBands(from: 60, to: 80))
    #expect(middle.contains(kilograms: 60) && middle.contains(kilograms: 79.9) && !middle.contains(kilograms: 80))
    let light = try #require(WeightBands(from: nil, to: 50))
    #expect(light.from == nil && light.to == 50 && light.contains(kilograms: 1) && !light.contains(kilograms: 50))
    let heavy = try #require(WeightBands(from: 130, to: nil))
    #expect(heavy.from == 120 && heavy.to == nil && heavy.contains(kilograms: 700) && !heavy.contains(kilograms: 119.9))
    let all = try #require(WeightBands(from: nil, to: nil))
    #expect(all.from == nil && all.to == nil)
    for (from, to) in [(70.0, 70.0), (-1, 5), (5, 701), (.nan, 5)] { #expect(WeightBands(from: from, to: to) == nil) }
  }

  @Test("Every weight is in one band, and the bands follow each other")
  func weightNumbers() {
    let numbers = stride(from: 1.0, through: 700, by: 0.5).map { WeightBands.number(of: $0) }
    #expect(numbers == numbers.sorted() && Set(numbers) == Set(0...8))
  }

  @Test func slotsGoOverMidnight() throws {
    let night = try #require(HourSlot(from: 22, to: 6))
    #expect((0..<24).filter { night.contains($0) } == [0, 1, 2, 3, 4, 5, 22, 23])
    #expect((0..<24).allSatisfy { HourSlot.day.contains($0) })
    #expect(HourSlot(from: 5, to: 5) == nil && HourSlot(from: 24, to: 3) == nil && HourSlot(from: 3, to: 0) == nil)
  }

  @Test func placesAreCellsOfATwentiethOfADegree() throws {
    let duomo = PlaceGrid.cell(latitude: 45.4641, longitude: 9.1919)
    let middle = PlaceGrid.middle(of: duomo)
    #expect(abs(middle.latitude - 45.475) < 1e-9 && abs(middle.longitude - 9.175) < 1e-9)
    for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0), (-0.001, -0.001)] {
      let cell = PlaceGrid.cell(latitude: latitude, longitude: longitude)
      let middle = PlaceGrid.middle(of: cell)
      #expect(abs(middle.latitude - latitude) <= 0.05 && abs(middle.longitude - longitude) <= 0.05)
    }
  }

  @Test func placesThatHardlyDifferAreTheSamePlace() throws {
    let circle = try GroupPlace(latitude: 45.4641, longitude: 9.1919, radius: 20_000)
    #expect(try GroupPlace(latitude: 45.4642, longitude: 9.1918, radius: 20_010) == circle)
    let cells = try #require(circle.cells)
    // π · 20² km² in cells of 5.56 km by 3.9 km.
    #expect(50...66 ~= cells.count && cells == cells.sorted())
    #expect(cells.contains(PlaceGrid.cell(latitude: 45.4641, longitude: 9.1919)))
    let box = try GroupPlace(south: 45, west: 9, north: 45.5, east: 9.5)
    #expect(box.cells?.count == 100)
    #expect(try GroupPlace(south: 45.01, west: 9.01, north: 45.51, east: 9.51) == box)
  }

  @Test func placesReachOverTheDateLineAndThePoles() throws {
    let line = try GroupPlace(south: -18, west: 179.9, north: -17.9, east: -179.9)
    #expect(line.cells?.count == 2 * 4)
    let fiji = try #require(try GroupPlace(latitude: -17, longitude: 179.99, radius: 10_000).cells)
    #expect(Set(fiji.map { PlaceGrid.middle(of: $0).longitude > 0 }) == [true, false])
    let pole = try #require(try GroupPlace(latitude: 89.99, longitude: 10, radius: 8_000).cells)
    #expect(Set(pole.map { PlaceGrid.middle(of: $0).longitude }).count == 7_200)
  }

  @Test(
    "Places that are none name the field",
    arguments: [
      (91.0, 9.0, 1_000.0, "circle.latitude"), (45, 181, 1_000, "circle.longitude"), (45, 9, 0, "circle.radius_m"),
      (45, 9, 500_001, "circle.radius_m"), (.nan, 9, 1_000, "circle.latitude"), (45.0, 9.0, 10, "circle"),
    ])
  func badCircle(_ latitude: Double, _ longitude: Double, _ radius: Double, _ field: String) {
    #expect { try GroupPlace(latitude: latitude, longitude: longitude, radius: radius) } throws: {
      ($0 as? QuestionFault)?.field == field
    }
  }

  @Test(
    "Boxes that are none, or too large, name the field",
    arguments: [
      (45.0, 9.0, 44.0, 10.0, "box.north"), (-91, 9, 44, 10, "box.south"), (-80, -180, 80, 180, "box"),
      (44, 9, 45, 200, "box.east"), (45.03, 9.03, 45.04, 9.04, "box"),
    ])
  func badBox(_ south: Double, _ west: Double, _ north: Double, _ east: Double, _ field: String) {
    #expect { try GroupPlace(south: south, west: west, north: north, east: east) } throws: {
      ($0 as? QuestionFault)?.field == field
    }
  }

  private func times(
    _ from: String, _ to: String, _ buckets: GroupQuestion.Buckets
  ) throws -> GroupQuestion.Times {
    try GroupQuestion.Times(
      days: CalendarDate(iso8601: from)!...CalendarDate(iso8601: to)!, slot: .day, timeZone: "Europe/Rome",
      buckets: buckets)
  }

  @Test func bucketsBeginWithDaysMondaysAndMonths() throws {
    #expect(try times("2026-11-20", "2026-11-26", .whole).boundaries.map(\.text) == ["2026-11-20", "2026-11-27"])
    #expect(try times("2026-11-20", "2026-11-22", .days).boundaries.count == 4)
    // A Friday to a Thursday.
    #expect(
      try times("2026-11-20", "2026-11-26", .weeks).boundaries.map(\.text) == [
        "2026-11-20", "2026-11-23", "2026-11-27",
      ])
    #expect(
      try times("2026-01-31", "2026-03-01", .months).boundaries.map(\.text)
        == ["2026-01-31", "2026-02-01", "2026-03-01", "2026-03-02"])
    #expect(throws: QuestionFault.self) { try times("2025-01-01", "2026-01-02", .whole) }
    #expect(try times("2025-01-01", "2026-01-01", .whole).boundaries.count == 2)
  }

  private func question(
    metrics: [String] = ["heart_rate"], personsMin: Int = 1_000, statistics: Set<Statistic> = [.mean]
  ) throws -> GroupQuestion {
    try GroupQuestion(
      metrics: metrics,
      persons: try .init(
        ages: AgeBands(from: nil, to: nil)!, weights: WeightBands(from: nil, to: nil)!, sex: nil, address: ""),
      place: .anywhere, times: times("2026-11-16", "2026-11-22", .days), statistics: statistics, precision: .medium,
      personsMin: personsMin)
  }

  @Test func kindsAreAskedInAnyOrder() throws {
    #expect(try question(metrics: ["steps", "heart_rate", "steps"]) == question(metrics: ["heart_rate", "steps"]))
    #expect(throws: QuestionFault.self) { try question(metrics: []) }
    #expect(throws: QuestionFault.self) { try question(metrics: (0...10).map { "metric_\($0)" }) }
    #expect(throws: QuestionFault.self) { try question(personsMin: 999) }
  }

  @Test func everyKindAndBucketCosts() throws {
    #expect(try question().loss.billionths == 7 * 2 * 200_000)
    #expect(try question(metrics: ["heart_rate", "steps"], statistics: []).loss.billionths == 14 * 200_000)
  }
}
