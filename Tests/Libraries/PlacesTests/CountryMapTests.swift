import Testing

@testable import Places

/// Where a place is, without asking anybody.
@Suite struct CountryMapTests {
  @Test(arguments: Place.cities + Place.borders + Place.islands) func everyPlaceIsInItsCountry(_ place: Place) {
    #expect(place.foundCountry == place.country, "\(place.name)")
  }

  /// The outlines are of 1:50 million: their lines leave out what a river or a road does within some kilometres. In these
  /// towns, all within 3 km of a border, the country is therefore the neighbour's. The number is right all the same:
  /// neighbours that the outlines can confuse have the same one.
  @Test(arguments: Place.wrongSide) func townsAtABorderMayBeFoundOnTheOtherSideWhereTheNumberIsTheSame(_ place: Place) {
    #expect(place.foundCountry != place.country, "\(place.name) is right now: it belongs among the borders")
    let numbers = EmergencyNumbers(elsewhere: "elsewhere")
    #expect(
      numbers.number(latitude: place.latitude, longitude: place.longitude).number == numbers.number(in: place.country))
  }

  @Test(arguments: [
    ("Ostia, 8 km off the coast", 41.68, 12.18, "IT"), ("harbour of Marseille", 43.33, 5.33, "FR"),
    ("Strait of Messina", 38.2, 15.6, "IT"), ("off Miami", 25.77, -79.95, "US"),
    ("Strait of Dover, English side", 51.08, 1.38, "GB"), ("Strait of Dover, French side", 50.95, 1.68, "FR"),
    ("between Lampedusa and nothing", 35.35, 12.59, "IT"), ("off Taveuni, east of the dateline", -16.85, -179.75, "FJ"),
    ("off Wrangel Island, beyond 180 degrees", 70.75, -179.9, "RU"),
  ]) func theSeaUpTo25KilometresFromACoastIsItsCountry(_ name: String, _ lat: Double, _ lon: Double, _ country: String)
  {
    #expect(CountryMap.shared.country(latitude: lat, longitude: lon) == country, "\(name)")
  }

  @Test(arguments: [
    ("middle of the Mediterranean", 34.0, 18.0), ("Ostia, 45 km off the coast", 41.5, 11.8),
    ("Atlantic", 30.0, -40.0), ("Pacific at the dateline", 0.0, 180.0), ("Gulf of Mexico", 25.5, -90.0),
    ("where both lines are 0", 0.0, 0.0), ("Arctic Ocean", 88.0, 40.0), ("North Pole", 90.0, 0.0),
    ("South Pole", -90.0, 0.0), ("South Pole, another longitude", -90.0, 137.0), ("McMurdo Station", -77.85, 166.67),
    ("Antarctica at the dateline", -78.0, -180.0),
  ]) func theHighSeasAndAntarcticaAreNobodys(_ name: String, _ latitude: Double, _ longitude: Double) {
    #expect(CountryMap.shared.country(latitude: latitude, longitude: longitude) == nil, "\(name)")
  }

  /// Chukotka and Taveuni are on both sides of 180 degrees: no line is drawn there.
  @Test(arguments: [(68.0, "RU"), (66.0, "RU"), (-16.8, "FJ")]) func theDatelineIsNoBorder(
    _ latitude: Double, _ country: String
  ) {
    for longitude in [179.999, 180, -180, -179.999, 179.9999999999, -179.9999999999, 180.001, 540, -540] {
      #expect(CountryMap.shared.country(latitude: latitude, longitude: longitude) == country, "\(longitude)")
    }
    // What crosses the dateline has no shadow on the other side of the Earth.
    #expect(CountryMap.shared.country(latitude: 66.5, longitude: 5) == nil)
  }

  @Test func noCoordinateIsTooMuch() {
    let odd: [Double] = [
      .nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude,
      -0.0, 90, -90, 90.000001, -90.000001, 180, -180, 1e9, -1e300, 83.6, 84,
    ]
    for latitude in odd {
      for longitude in odd {
        let country = CountryMap.shared.country(latitude: latitude, longitude: longitude)
        if !(abs(latitude) <= 90) || !longitude.isFinite { #expect(country == nil) }
      }
    }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5_000 {
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -180...180, using: &random)
      let country = CountryMap.shared.country(latitude: latitude, longitude: longitude)
      #expect(country.map { $0.utf8.count == 2 && $0.allSatisfy(\.isUppercase) } ?? true)
      #expect(country != "AQ")
    }
  }

  /// Countries that share a border share its points, so no place falls between them or into both; holes are seen.
  @Test func whatIsInsideAnotherCountryIsNotInIt() {
    for place in [("LS", -29.6, 28.2), ("SM", 43.94, 12.46), ("VA", 41.903, 12.453)] {
      #expect(CountryMap.shared.country(latitude: place.1, longitude: place.2) == place.0)
    }
    #expect(CountryMap.shared.country(latitude: 43.7, longitude: 12.3) == "IT")
    #expect(CountryMap.shared.country(latitude: -29, longitude: 26) == "ZA")
  }

  @Test func everythingThatIsBuiltInIsRead() {
    let outlines = CountryOutlines()
    #expect(outlines.countries.count == 245)
    #expect(outlines.points.count == 92_950)
    #expect(outlines.islands.count == 113)
    #expect(Set(outlines.countries.map(\.code)).count == 245)
    #expect(outlines.rings.allSatisfy { $0.points.count >= 3 && $0.box.north > $0.box.south })
    #expect(outlines.islands.allSatisfy { $0.radius > 100 && $0.radius < 20_000 })
    // The grid is that of the source: 360 degrees wide, from the pole up.
    #expect(abs(outlines.origin.x + 180) < 0.001 && abs(outlines.origin.y + 90) < 0.01)
  }

  /// Measured in release: 2 ms to read, 20 µs a question. The limit is for a debug build on a busy machine.
  @Test func aQuestionTakesMicroseconds() throws {
    _ = CountryMap.shared.country(latitude: 45, longitude: 9)
    var random = SystemRandomNumberGenerator()
    let places = (0..<2_000).map { _ in
      (Double.random(in: -60...75, using: &random), Double.random(in: -180...180, using: &random))
    }
    // The fastest hundred: others may take the processor away at any time.
    let fastest = stride(from: 0, to: places.count, by: 100).map { start in
      ContinuousClock().measure {
        for (latitude, longitude) in places[start..<start + 100] {
          _ = CountryMap.shared.country(latitude: latitude, longitude: longitude)
        }
      }
    }.min()
    #expect(try #require(fastest) / 100 < .milliseconds(2))
  }
}
