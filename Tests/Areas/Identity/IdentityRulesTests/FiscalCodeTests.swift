import Domain
import IdentityRules
import TestSupport
import Testing

/// The fiscal code of A-R2 and A-R5.
@Suite struct FiscalCodeTests {
  @Test func whatTwoPublishedProgramsCallValidIsValid() {
    #expect(FiscalCodeVectors.valid.count == 287)
    for code in FiscalCodeVectors.valid {
      #expect(throws: Never.self) { try FiscalCode(code) }
    }
  }

  @Test func whatTwoPublishedProgramsCallInvalidIsInvalid() {
    #expect(FiscalCodeVectors.invalid.count == 5)
    for code in FiscalCodeVectors.invalid {
      #expect(throws: FiscalCodeError.self) { try FiscalCode(code) }
    }
  }

  @Test func aCodeSaysDateSexAndPlace() throws {
    let code = try FiscalCode("RSSMRA80A41H501Y")
    #expect(code.yearOfCentury == 80 && code.month == 1 && code.day == 1)
    #expect(code.sex == .female)
    #expect(code.place == "H501")
  }

  @Test func theCaseOfLettersDoesNotMatter() throws {
    #expect(try FiscalCode("rssmra80a41h501y").text == "RSSMRA80A41H501Y")
    #expect(try FiscalCode("RssMra80a41H501y") == FiscalCode("RSSMRA80A41H501Y"))
  }

  @Test(arguments: [
    ("", FiscalCodeError.length), ("RSSMRA80A41H501", .length), ("RSSMRA80A41H501YW", .length),
    (" RSSMRA80A41H501", .character), ("RSSMRA80A41H50\u{0}W", .character), ("RſSMRA80A41H501W", .character),
    ("RSSMRA８0A41H501W", .character), ("RSSMRA80A41H501é", .character),
    ("RAS", .length), ("RASMRA80A41H501W", .familyName), ("R1SMRA80A41H501W", .familyName),
    ("AXEMRA80A41H501W", .familyName), ("RSSAMR80A41H501W", .givenNames), ("RSS80A80A41H501W", .givenNames),
    ("RSSMRAA0A41H501W", .year), ("RSSMRA8OA41H501W", .year), ("RSSMRA80F41H501W", .month),
    ("RSSMRA80141H501W", .month), ("RSSMRA80A00H501W", .day), ("RSSMRA80A32H501W", .day),
    ("RSSMRA80A40H501W", .day), ("RSSMRA80A72H501W", .day), ("RSSMRA81B29H501W", .day), ("RSSMRA80B70H501W", .day),
    ("RSSMRA80D31H501W", .day), ("RSSMRA80A4AH501W", .day), ("RSSMRA80A411501W", .place),
    ("RSSMRA80A41H50AW", .place), ("RSSMRA80A41H501X", .checkCharacter), ("RSSMRA80A41H5011", .checkCharacter),
    ("RSSRMA80A41H501W", .checkCharacter),
  ]) func theErrorSaysWhichPartIsWrong(text: String, error: FiscalCodeError) {
    #expect(throws: error) { try FiscalCode(text) }
    #expect(!error.problem.isEmpty)
  }

  @Test func every29thOfFebruaryThatMayHaveBeenIsADay() throws {
    for year in 0..<100 {
      let digits = year < 10 ? "0\(year)" : "\(year)"
      let code = PrintedCheckCharacter.completed("RSSMRA\(digits)B29H501")
      if year % 4 == 0 {
        #expect(try FiscalCode(code).matches(dateOfBirth: date(1_900 + year, 2, 29) ?? date(2_000, 2, 29)!, sex: .male))
      } else {
        #expect(throws: FiscalCodeError.day) { try FiscalCode(code) }
      }
    }
  }

  @Test(arguments: ["RSSMRA80A41H501Y", "CCCFBA85D03L219P", "BLSLGS84C22Z145O"])
  func everyReplacementOfDigitsByOmocodiaLettersIsACodeOfItsOwn(text: String) throws {
    let plain = try FiscalCode(text)
    let letters = Array("LMNPQRSTUV")
    let places = [6, 7, 9, 10, 12, 13, 14]
    var seen: Set<FiscalCode> = []
    for combination in 0..<128 {
      var characters = Array(text.dropLast())
      for (bit, place) in places.enumerated() where combination & (1 << bit) != 0 {
        characters[place] = letters[try #require(characters[place].wholeNumberValue)]
      }
      let variant = try FiscalCode(PrintedCheckCharacter.completed(String(characters)))
      #expect(variant.place == plain.place && variant.sex == plain.sex && variant.day == plain.day)
      #expect(variant.month == plain.month && variant.yearOfCentury == plain.yearOfCentury)
      seen.insert(variant)
    }
    #expect(seen.count == 128)
  }

  @Test(arguments: ["RSSMRA80A41H501Y", "CCCFBA85D03L219P", "FOXDRA26C24H872Y", "RSSMRALLAQMHRLMS"])
  func everyChangeOfOneCharacterIsRefused(text: String) {
    // The table of odd places gives each letter, and each digit, a value of its own; so do even places. A letter and a
    // digit of the same value never may stand in the same place.
    let valid = PrintedCheckCharacter.completed(String(text.dropLast()))
    #expect(throws: Never.self) { try FiscalCode(valid) }
    for place in 0..<16 {
      for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" {
        var characters = Array(valid)
        guard characters[place] != character else { continue }
        characters[place] = character
        #expect(throws: FiscalCodeError.self) { try FiscalCode(String(characters)) }
      }
    }
  }

  @Test func randomCharactersEndWithTheCheckCharacterOrAreRefused() {
    var random = SeededGenerator(seed: 13_813)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    for _ in 0..<20_000 {
      var characters = Array("RSSMRA80A41H501Y")
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        characters[Int.random(in: 0..<16, using: &random)] = random.pick(alphabet)
      }
      let text = String(characters)
      guard (try? FiscalCode(text)) != nil else { continue }
      #expect(PrintedCheckCharacter.of(text.dropLast()) == text.last)
    }
  }

  @Test func dateAndSexAreComparedWithTheForm() throws {
    let code = try FiscalCode("RSSMRA80A41H501Y")
    #expect(code.matches(dateOfBirth: try #require(date(1980, 1, 1)), sex: .female))
    #expect(!code.matches(dateOfBirth: try #require(date(1980, 1, 1)), sex: .male))
    #expect(!code.matches(dateOfBirth: try #require(date(1980, 1, 2)), sex: .female))
    #expect(!code.matches(dateOfBirth: try #require(date(1980, 2, 1)), sex: .female))
    #expect(!code.matches(dateOfBirth: try #require(date(1981, 1, 1)), sex: .female))
  }

  @Test func theFormSaysWhichCenturyTwoDigitsMean() throws {
    let code = try FiscalCode(PrintedCheckCharacter.completed("RSSMRA05C10H501"))
    #expect(code.matches(dateOfBirth: try #require(date(1905, 3, 10)), sex: .male))
    #expect(code.matches(dateOfBirth: try #require(date(2005, 3, 10)), sex: .male))
    #expect(!code.matches(dateOfBirth: try #require(date(2015, 3, 10)), sex: .male))
  }

  @Test func aCodeIsNeverPrintedByMistake() throws {
    let code = try FiscalCode("RSSMRA80A41H501Y")
    var dumped = ""
    dump(code, to: &dumped)
    #expect(!"\(code) \(String(reflecting: code)) \([code]) \(dumped)".contains("RSSMRA"))
  }

  private func date(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate? {
    CalendarDate(year: year, month: month, day: day)
  }
}
