/// The part of a fiscal code that is wrong.
public enum FiscalCodeError: Error, Sendable, Equatable, CaseIterable {
  /// Not 16 characters.
  case length
  /// A character that is neither a letter A to Z nor a digit.
  case character
  /// Characters 1 to 3 are not what a family name gives.
  case familyName
  /// Characters 4 to 6 are not what given names give.
  case givenNames
  /// Characters 7 and 8 are no year.
  case year
  /// Character 9 is no month.
  case month
  /// Characters 10 and 11 are no day of that month.
  case day
  /// Characters 12 to 15 are no place.
  case place
  /// Character 16 does not fit the other fifteen.
  case checkCharacter

  /// What is wrong, for people, to be read after the field's name.
  public var problem: String {
    switch self {
    case .length: "must be 16 characters"
    case .character: "must be letters A to Z and digits"
    case .familyName: "has no family name in characters 1 to 3: consonants, then vowels, then X"
    case .givenNames: "has no given names in characters 4 to 6: consonants, then vowels, then X"
    case .year: "has no year in characters 7 and 8"
    case .month: "has no month in character 9: one of ABCDEHLMPRST"
    case .day: "has no day of its month in characters 10 and 11: 1 to 31, or 41 to 71 for women"
    case .place: "has no place in characters 12 to 15: a letter and three digits"
    case .checkCharacter: "has a last character that does not fit the others: a character is mistyped"
    }
  }
}
