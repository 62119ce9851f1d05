import Domain
import IdentityRules
import TestSupport
import Testing

/// How names become letters: D.M. 23 December 1976, n. 13813, articles 2 and 3.
@Suite struct FiscalCodeNamesTests {
  @Test(arguments: [
    ("Rossi", "RSS"), ("ROSSI", "RSS"), ("rossi", "RSS"), ("Bianchi", "BNC"), ("Rosa", "RSO"), ("Aie", "AIE"),
    ("Fo", "FOX"), ("Fa", "FAX"), ("A", "AXX"), ("Io", "IOX"), ("Ng", "NGX"), ("X", "XXX"), ("Yi", "YIX"),
    ("De Luca", "DLC"), ("D'Angelo", "DNG"), ("D\u{2019}Angelo", "DNG"), ("Dall'Ò", "DLL"), ("Costa-Rossi", "CST"),
    ("Ercolì", "RCL"), ("Ercoli\u{300}", "RCL"), ("Müller", "MLL"), ("Groß", "GRS"), ("Øst", "STO"), ("Æbi", "BAE"),
    ("Łęcki", "LCK"), ("Đorđević", "DRD"), ("Çelik", "CLK"), ("Ñu", "NUX"), ("Œil", "LOE"), ("Işık", "SKI"),
    ("Van  der Sar", "VND"), (" Rossi ", "RSS"),
  ]) func aFamilyNameGivesConsonantsThenVowelsThenX(name: String, letters: String) {
    #expect(FiscalCodeNames.familyName(name) == Array(letters.utf8))
  }

  @Test(arguments: [
    ("Mario", "MRA"), ("Maria", "MRA"), ("Luca", "LCU"), ("Anna", "NNA"), ("Gianfranco", "GFR"), ("Roberto", "RRT"),
    ("Gian Luca", "GLC"), ("Maria Teresa", "MTR"), ("Fabio", "FBA"), ("Alessandro", "LSN"), ("Al", "LAX"),
    ("Bartolomeo", "BTL"), ("Marco", "MRC"), ("Mario, Luigi Franco", "MRA"), ("Niccolò", "NCL"), ("Jean-Luc", "JLC"),
    ("Ada", "DAA"), ("Ia", "IAX"), ("Søren", "SRN"), ("Ákos", "KSA"),
  ]) func ofFourConsonantsOfGivenNamesTheSecondIsLeftOut(names: String, letters: String) {
    #expect(FiscalCodeNames.givenNames(names) == Array(letters.utf8))
  }

  @Test(arguments: ["", " ", "'", "Иванов", "李", "Rossi2", "Ros\u{0}si", "Rossi\n", "Ro🙂ssi", "R_ossi", "Rοssi"])
  func whatIsNotInLatinLettersGivesNothing(name: String) {
    #expect(FiscalCodeNames.familyName(name) == nil)
    #expect(FiscalCodeNames.givenNames(name) == nil)
  }

  @Test func namesAreComparedWithTheForm() throws {
    let code = try FiscalCode("RSSMRA80A41H501Y")
    #expect(code.matches(familyName: "Rossi", givenNames: "Maria"))
    #expect(code.matches(familyName: "RÒSSI", givenNames: "Mária"))
    #expect(!code.matches(familyName: "Russo", givenNames: "Mara Lia"))
    #expect(!code.matches(familyName: "Rossi", givenNames: "Marta"))
    #expect(!code.matches(familyName: "Bianchi", givenNames: "Maria"))
    #expect(!code.matches(familyName: "Росси", givenNames: "Maria"))
  }

  @Test func theCodeOfAFormMatchesTheForm() throws {
    var random = SeededGenerator(seed: 1_976)
    let names = ["Rossi", "D'Alò", "Ng", "Fo", "Müller", "De Luca", "Io", "Maria Teresa", "Gianfranco", "Łucja", "Ada"]
    for _ in 0..<2_000 {
      let (family, given) = (random.pick(names), random.pick(names))
      let date = try #require(CalendarDate(daysSinceEpoch: Int.random(in: -25_567...20_000, using: &random)))
      let sex = random.pick(Sex.allCases)
      let place = String(random.pick(Array("ABCDEFGHILMZ"))) + "\(Int.random(in: 100...999, using: &random))"
      let code = try FiscalCode(familyName: family, givenNames: given, dateOfBirth: date, sex: sex, place: place)
      #expect(code.matches(familyName: family, givenNames: given))
      #expect(code.matches(dateOfBirth: date, sex: sex))
      #expect(code.place == place)
      #expect(PrintedCheckCharacter.of(code.text.dropLast()) == code.text.last)
    }
  }

  @Test func noCodeIsMadeOfWhatIsNone() throws {
    let date = try #require(CalendarDate(year: 1980, month: 1, day: 1))
    let make = { (family: String, given: String, place: String) in
      try FiscalCode(familyName: family, givenNames: given, dateOfBirth: date, sex: .female, place: place)
    }
    #expect(try make("Rossi", "Maria", "H501").text == "RSSMRA80A41H501Y")
    #expect(throws: FiscalCodeError.familyName) { try make("", "Maria", "H501") }
    #expect(throws: FiscalCodeError.givenNames) { try make("Rossi", "…", "H501") }
    for place in ["", "H50", "H5011", "1501", "H5é", "H-01", "HHHH"] {
      #expect(throws: FiscalCodeError.place) { try make("Rossi", "Maria", place) }
    }
  }
}
