public import Domain

/// An Italian fiscal code (codice fiscale): 16 characters by which the tax authority knows a person.
///
/// As the decree of the Minister of Finance of 23 December 1976, n. 13813, defines it:
///
///     RSS MRA 80A41 H501 Y
///      │   │    │    │   └ check character over the other fifteen
///      │   │    │    └ place of birth: the municipality's or, with Z, the foreign state's Belfiore code
///      │   │    └ year, month (one of ABCDEHLMPRST) and day of birth; 40 is added to the day of women
///      │   └ given names
///      └ family name
///
/// Where two persons would have the same code, the authority replaces digits with letters (omocodia): 0 to 9 become
/// L M N P Q R S T U V, from the rightmost digit on, and the check character is computed anew. Those are codes of
/// different persons, so codes are equal only if all their characters are. Any set of the seven digits may be replaced
/// here, since older codes were not made from the right.
///
/// A place code is not looked up: places are founded, merged and renamed, and a code keeps the place that was. So a
/// code with a well-formed place that never was is valid here, as it is to the check character.
public struct FiscalCode: Sendable, Hashable {
  /// The code in upper case.
  public let text: String
  /// The last two digits of the year of birth.
  public let yearOfCentury: Int
  /// The month of birth, 1 to 12.
  public let month: Int
  /// The day of birth, 1 to 31.
  public let day: Int
  public let sex: Sex
  /// The Belfiore code of the place of birth with its digits, such as "H501".
  public let place: String

  /// Reads a code in upper, lower or mixed case. Nothing may stand around or inside it, not even spaces.
  /// - Throws: `FiscalCodeError` for the first part that is wrong.
  public init(_ text: String) throws(FiscalCodeError) {
    let code = try Self.upperCase(text)
    guard FiscalCodeNames.isTriple(code[0..<3]) else { throw .familyName }
    guard FiscalCodeNames.isTriple(code[3..<6]) else { throw .givenNames }
    guard let tens = Self.digit(code[6]), let ones = Self.digit(code[7]) else { throw .year }
    guard let month = Self.monthLetters.firstIndex(of: code[8]).map({ $0 + 1 }) else { throw .month }
    guard let dayTens = Self.digit(code[9]), let dayOnes = Self.digit(code[10]) else { throw .day }
    let year = tens * 10 + ones
    let written = dayTens * 10 + dayOnes
    let day = written > 40 ? written - 40 : written
    // The century is not in the code. It matters to one day alone: 29 February of 1900 was not, that of 2000 was.
    guard 1...CalendarDate.dayCount(ofMonth: month, in: 2_000 + year) ~= day else { throw .day }
    let placeDigits = code[12..<15].compactMap(Self.digit)
    guard Self.isLetter(code[11]), placeDigits.count == 3 else { throw .place }
    guard Self.checkCharacter(of: code[0..<15]) == code[15] else { throw .checkCharacter }

    self.text = String(decoding: code, as: UTF8.self)
    yearOfCentury = year
    self.month = month
    self.day = day
    sex = written > 40 ? .female : .male
    place = String(decoding: [code[11]], as: UTF8.self) + placeDigits.map(String.init).joined()
  }

  /// The code that the decree gives a person, before any omocodia.
  ///
  /// - Parameter place: the Belfiore code of the place of birth, such as "H501".
  /// - Throws: `FiscalCodeError` for a name without a Latin letter or a place that is not well-formed.
  public init(
    familyName: String, givenNames: String, dateOfBirth: CalendarDate, sex: Sex, place: String
  ) throws(FiscalCodeError) {
    guard let family = FiscalCodeNames.familyName(familyName) else { throw .familyName }
    guard let given = FiscalCodeNames.givenNames(givenNames) else { throw .givenNames }
    let year = dateOfBirth.year % 100
    let day = dateOfBirth.day + (sex == .female ? 40 : 0)
    var code = family + given
    code += [year / 10, year % 10].map { UInt8(ascii: "0") + UInt8($0) }
    code.append(Self.monthLetters[dateOfBirth.month - 1])
    code += [day / 10, day % 10].map { UInt8(ascii: "0") + UInt8($0) }
    code += place.utf8
    guard code.count == 15, code.allSatisfy({ $0 < 0x80 }), let check = Self.checkCharacter(of: code[...]) else {
      throw .place
    }
    try self.init(String(decoding: code + [check], as: UTF8.self))
  }

  /// Whether the code is that of somebody with this date of birth and sex. The code has two digits of the year: the
  /// date says which century.
  public func matches(dateOfBirth: CalendarDate, sex: Sex) -> Bool {
    dateOfBirth.year % 100 == yearOfCentury && dateOfBirth.month == month && dateOfBirth.day == day && self.sex == sex
  }

  /// Whether the code is that of somebody with this family name: see `FiscalCodeNames`.
  public func matches(familyName: String) -> Bool {
    FiscalCodeNames.familyName(familyName).map { $0 == Array(text.utf8.prefix(3)) } ?? false
  }

  /// Whether the code is that of somebody with these given names: see `FiscalCodeNames`.
  public func matches(givenNames: String) -> Bool {
    FiscalCodeNames.givenNames(givenNames).map { $0 == Array(text.utf8.dropFirst(3).prefix(3)) } ?? false
  }

  /// Whether the code is that of somebody with these names.
  public func matches(familyName: String, givenNames: String) -> Bool {
    matches(familyName: familyName) && matches(givenNames: givenNames)
  }
}

/// Says nothing: a code is never in a log by mistake.
extension FiscalCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "a fiscal code" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
