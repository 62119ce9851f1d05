/// The code of an area with a name: IT-R03 is the region with ISTAT's code 03, IT-P015 a province, IT-M015146 a
/// municipality.
package struct AreaCode: Sendable, Hashable {
  package enum Level: Int, Sendable, CaseIterable {
    case region = 1
    case province = 2
    case municipality = 3

    /// What codes of the level begin with.
    var prefix: String {
      switch self {
      case .region: "IT-R"
      case .province: "IT-P"
      case .municipality: "IT-M"
      }
    }

    /// How many digits ISTAT's codes of the level have.
    package var digits: Int {
      switch self {
      case .region: 2
      case .province: 3
      case .municipality: 6
      }
    }
  }

  package let level: Level
  /// ISTAT's code.
  package let number: Int

  /// - Parameter istat: ISTAT's code, with all its digits.
  /// - Returns: nil for anything else.
  package init?(_ level: Level, istat: some StringProtocol) {
    guard istat.utf8.count == level.digits, istat.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(istat)
    else { return nil }
    self.level = level
    self.number = number
  }

  /// - Parameter text: as it is in lists; nil for a text that is no code.
  package init?(_ text: String) {
    guard let level = Level.allCases.first(where: { text.hasPrefix($0.prefix) }) else { return nil }
    self.init(level, istat: text.dropFirst(level.prefix.count))
  }

  package var text: String {
    let digits = "\(number)"
    return level.prefix + String(repeating: "0", count: max(level.digits - digits.utf8.count, 0)) + digits
  }

  /// The place in lists: regions first, each level in the order of ISTAT's codes.
  package var order: Int64 { Int64(level.rawValue) * Self.levelStep + Int64(number) }
  private static let levelStep: Int64 = 1_000_000

  /// - Parameter order: of a code; nil for any other number.
  package init?(order: Int64) {
    let (level, number) = order.quotientAndRemainder(dividingBy: Self.levelStep)
    guard let level = Int(exactly: level).flatMap({ Level(rawValue: $0) }), number >= 0,
      "\(number)".utf8.count <= level.digits
    else { return nil }
    self.level = level
    self.number = Int(number)
  }
}
