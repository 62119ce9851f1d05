/// How names become letters of a fiscal code: D.M. 23 December 1976, n. 13813, articles 2 and 3.
///
/// - A family name gives its first three consonants; where it has fewer, its vowels follow in their order, then X.
/// - Given names give the same, save that of four or more consonants the first, third and fourth count.
/// - A name of several words counts as one: "De Luca" is DELUCA. Particles are part of it. Apostrophes, hyphens, dots
///   and spaces are left out.
/// - A letter with an accent or another sign counts as the letter without it (`LatinLetters`).
/// - Given names after a comma are not part of the name in official documents (D.P.R. 396/2000, art. 35) and do not
///   count. All names before it do.
/// - A name with letters that are not Latin gives nothing: what the code was made of is how the tax authority has
///   written it in Latin letters, and that is what a form must say.
public enum FiscalCodeNames {
  /// The three letters of a family name; nil if it has no letter, or one that is not Latin.
  public static func familyName(_ name: String) -> [UInt8]? {
    guard let letters = LatinLetters.of(name), !letters.isEmpty else { return nil }
    return triple(letters, consonants: letters.filter { !isVowel($0) })
  }

  /// The three letters of given names; nil if they have no letter, or one that is not Latin.
  public static func givenNames(_ names: String) -> [UInt8]? {
    let counting = names.prefix { $0 != "," }
    guard let letters = LatinLetters.of(String(counting)), !letters.isEmpty else { return nil }
    var consonants = letters.filter { !isVowel($0) }
    if consonants.count >= 4 { consonants.remove(at: 1) }
    return triple(letters, consonants: consonants)
  }

  /// Whether some name gives these three letters: consonants, then vowels, then X for what is missing.
  static func isTriple(_ letters: ArraySlice<UInt8>) -> Bool {
    var rest = letters
    guard rest.allSatisfy(FiscalCode.isLetter) else { return false }
    rest = rest.drop { !isVowel($0) }
    rest = rest.drop(while: isVowel)
    return rest.allSatisfy { $0 == filler }
  }

  private static func triple(_ letters: [UInt8], consonants: [UInt8]) -> [UInt8] {
    Array((consonants + letters.filter(isVowel) + [filler, filler, filler]).prefix(3))
  }

  private static let filler = UInt8(ascii: "X")
  private static let vowels = Array("AEIOU".utf8)

  private static func isVowel(_ letter: UInt8) -> Bool { vowels.contains(letter) }
}
