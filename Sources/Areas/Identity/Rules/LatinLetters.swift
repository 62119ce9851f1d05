/// Text in the letters A to Z.
enum LatinLetters {
  /// The upper-case letters A to Z of a text: without accents and other signs, without anything that is no letter.
  /// - Returns: nil if there is a letter of another script or a character that is no part of a name.
  static func of(_ text: String) -> [UInt8]? {
    var letters: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter:
        guard let folded = fold(scalar) else { return nil }
        letters += folded
      case .nonspacingMark: break  // An accent that is a character of its own.
      case .spaceSeparator, .dashPunctuation: break
      default:
        guard signs.contains(scalar) else { return nil }
      }
    }
    return letters
  }

  /// Apostrophes as people type them, a dot after an abbreviation, and what separates names.
  private static let signs: Set<Unicode.Scalar> = ["'", "\u{2019}", "\u{2018}", "\u{02BC}", "`", "\u{00B4}", ".", ","]

  /// Letters whose names in Unicode do not begin with the letters that they stand for.
  private static let special: [String: String] = [
    "SHARP": "SS", "ETH": "D", "THORN": "TH", "DOTLESS": "I", "ENG": "N", "SCHWA": "E", "OPEN": "E",
  ]

  /// The letters of one that is Latin. Its name says which: "LATIN SMALL LETTER E WITH ACUTE", "… LIGATURE OE".
  private static func fold(_ scalar: Unicode.Scalar) -> [UInt8]? {
    if scalar.isASCII { return [UInt8(scalar.value) & 0xDF] }
    guard let words = scalar.properties.name?.split(separator: " "), words.count >= 4, words[0] == "LATIN",
      words[2] == "LETTER" || words[2] == "LIGATURE"
    else { return nil }
    let named = String(words[3])
    let letters = special[named] ?? named
    guard letters.utf8.count <= 2, letters.utf8.allSatisfy(FiscalCode.isLetter) else { return nil }
    return Array(letters.utf8)
  }
}
