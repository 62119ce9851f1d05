import Testing

@testable import Places

/// 112 in Europe, 911 in the USA, by position (A-R15, B-R.S3).
@Suite struct EmergencyNumbersTests {
  private let numbers = EmergencyNumbers(elsewhere: "000", byCountry: ["JP": "119", "BR": "192"])

  @Test(arguments: Place.cities + Place.borders + Place.islands) func theNumberIsThatOfThePlace(_ place: Place) {
    let found = EmergencyNumbers(elsewhere: "elsewhere").number(
      latitude: place.latitude, longitude: place.longitude)
    #expect(found.number == place.number ?? "elsewhere", "\(place.name)")
    #expect(found.country == place.country, "\(place.name)")
  }

  @Test func elsewhereTheConfiguredNumberIsCalled() {
    #expect(numbers.number(latitude: 35.68, longitude: 139.65) == ("119", "JP"))
    #expect(numbers.number(latitude: -23.55, longitude: -46.63) == ("192", "BR"))
    #expect(numbers.number(latitude: -33.87, longitude: 151.21) == ("000", "AU"))
    #expect(numbers.number(latitude: 45.46, longitude: 9.19) == ("112", "IT"))
    #expect(numbers.number(latitude: 40.71, longitude: -74.0) == ("911", "US"))
  }

  @Test func whereThereIsNoCountryTheNumberForElsewhereIsCalled() {
    #expect(numbers.number(latitude: 30, longitude: -40) == ("000", ""))
    #expect(numbers.number(latitude: -90, longitude: 0) == ("000", ""))
    #expect(numbers.number(latitude: .nan, longitude: 0) == ("000", ""))
    #expect(EmergencyNumbers().number(latitude: 30, longitude: -40) == ("112", ""))
  }

  @Test func aConfiguredNumberHoldsBeforeTheOneThatIsKnown() {
    let own = EmergencyNumbers(elsewhere: "112", byCountry: ["GB": "999"])
    #expect(own.number(latitude: 51.51, longitude: -0.13) == ("999", "GB"))
    #expect(own.number(latitude: 53.35, longitude: -6.26) == ("112", "IE"))
  }

  /// Whatever part of the outlines is asked for, an ISO code that has a number stands for a place that is on the map.
  @Test func everyCountryWithANumberIsOnTheMap() {
    let outlines = CountryOutlines()
    let known = Set(outlines.countries.map(\.code)).union(outlines.islands.map(\.code))
    // Kosovo has no outline of its own; the code is for maps that have one.
    #expect(EmergencyNumbers.countriesOf112.subtracting(known) == ["XK"])
    #expect(EmergencyNumbers.countriesOf911.subtracting(known).isEmpty)
    #expect(EmergencyNumbers.countriesOf112.isDisjoint(with: EmergencyNumbers.countriesOf911))
  }
}
