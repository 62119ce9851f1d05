// The alphabets and the check character of a fiscal code: D.M. 23 December 1976, n. 13813, articles 6 to 8.

extension FiscalCode {
  /// The letters of January to December.
  static let monthLetters = Array("ABCDEHLMPRST".utf8)
  /// The letters that stand for 0 to 9 where two persons would have the same code.
  static let omocodiaLetters = Array("LMNPQRSTUV".utf8)

  /// What A to Z, and with the same values 0 to 9, count in odd places.
  private static let oddValues = [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
  ]

  /// The last character of a code that begins with these fifteen.
  ///
  /// Characters in odd places (the 1st, 3rd, …) count by a table, those in even places their place in the alphabet or
  /// their digit; the remainder of the sum by 26 is the letter.
  /// - Returns: nil if one of them is neither a letter A to Z nor a digit.
  static func checkCharacter(of characters: ArraySlice<UInt8>) -> UInt8? {
    var sum = 0
    for (place, character) in characters.enumerated() {
      let value: Int
      if isLetter(character) {
        value = Int(character - UInt8(ascii: "A"))
      } else if isDigit(character) {
        value = Int(character - UInt8(ascii: "0"))
      } else {
        return nil
      }
      // Places are counted from 1 in the decree.
      sum += place % 2 == 0 ? oddValues[value] : value
    }
    return UInt8(ascii: "A") + UInt8(sum % 26)
  }

  /// The digit that a character stands for, itself or by omocodia.
  static func digit(_ character: UInt8) -> Int? {
    isDigit(character) ? Int(character - UInt8(ascii: "0")) : omocodiaLetters.firstIndex(of: character)
  }

  /// The sixteen characters in upper case. Only ASCII: other letters have upper-case forms that are letters of a code.
  static func upperCase(_ text: String) throws(FiscalCodeError) -> [UInt8] {
    guard text.count == 16 else { throw .length }
    var code: [UInt8] = []
    for byte in text.utf8 {
      let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte
      guard isLetter(upper) || isDigit(upper) else { throw .character }
      code.append(upper)
    }
    return code
  }

  static func isLetter(_ character: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= character }

  private static func isDigit(_ character: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= character }
}
