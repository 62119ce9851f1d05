/// Which number is called for an emergency at a place: 112 in Europe, 911 in the USA (B-R.S3), elsewhere a configured one.
public struct EmergencyNumbers: Sendable {
  /// The number that is called where no other holds, and where the place is not known.
  public let elsewhere: String
  private let byCountry: [String: String]
  private let map: CountryMap

  /// - Parameters:
  ///   - elsewhere: the number outside Europe and the USA. Every GSM telephone takes 112 for an emergency call (3GPP
  ///     TS 22.101), so it is a good one.
  ///   - byCountry: numbers by ISO 3166-1 alpha-2. They hold before 112 and 911: who configures `GB` means it.
  ///   - map: where countries are.
  public init(elsewhere: String = "112", byCountry: [String: String] = [:], map: CountryMap = .shared) {
    self.elsewhere = elsewhere
    self.byCountry = byCountry
    self.map = map
  }

  /// The number for a place.
  ///
  /// - Parameters:
  ///   - latitude: degrees, WGS 84, north positive.
  ///   - longitude: degrees, WGS 84, east positive.
  /// - Returns: the number, and the country as ISO 3166-1 alpha-2; empty where there is none.
  public func number(latitude: Double, longitude: Double) -> (number: String, country: String) {
    guard let country = map.country(latitude: latitude, longitude: longitude) else { return (elsewhere, "") }
    return (number(in: country), country)
  }

  /// The number of a country, by its ISO 3166-1 alpha-2 code.
  func number(in country: String) -> String {
    if let number = byCountry[country] { return number }
    if Self.countriesOf112.contains(country) { return "112" }
    if Self.countriesOf911.contains(country) { return "911" }
    return elsewhere
  }
}

extension EmergencyNumbers {
  /// Europe: where 112 is called.
  static let countriesOf112 = codes(
    // The European Union: directive (EU) 2018/1972, article 109.
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK",
    // The rest of the European Economic Area, which has the directive too, and Svalbard with Jan Mayen.
    "IS LI NO SJ",
    // Parts of member states with codes of their own: Aland; the Faroes and Greenland, whose alarm centres have 112 too;
    // the French overseas departments and the islands of the French telephone network beside them.
    "AX FO GL", "GF GP MQ RE YT BL MF PM",
    // The United Kingdom, where 112 is 999; Gibraltar; the Crown dependencies.
    "GB GI GG IM JE",
    // Switzerland, and the small states within or beside members, with or on the networks of their neighbours.
    "CH AD MC SM VA",
    // The Western Balkans. Kosovo is in the outline of Serbia.
    "AL BA ME MK RS XK",
    // The rest of Europe, and the members of the Council of Europe in the Caucasus and Asia Minor. The outlines have
    // the north of Cyprus in Cyprus, and Crimea in Ukraine.
    "BY MD RU UA", "TR", "AM AZ GE")

  /// Where 911 is called.
  static let countriesOf911 = codes(
    // The USA with its territories: Puerto Rico, the Virgin Islands, Guam, the Northern Marianas, American Samoa, and the
    // outlying islands.
    "US PR VI GU MP AS UM",
    // Its neighbours, who have the same number: so a border that the outlines have on the wrong side of a town does not
    // matter.
    "CA MX")

  private static func codes(_ lists: String...) -> Set<String> {
    Set(lists.flatMap { $0.split(separator: " ").map(String.init) })
  }
}
