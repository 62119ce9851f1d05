import Domain

@testable import IdentityRules
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// Codes with what two published programs say of them: Tests/fixtures/fiscal_codes.
enum FiscalCodeVectors {
  struct Vector: Sendable {
    let code: String
    let verdicts: [Bool]
  }

  static let all: [Vector] = read().split(whereSeparator: \.isNewline).dropFirst().map { line in
    let cells = line.split(separator: ",")
    return Vector(code: String(cells[0]), verdicts: cells.dropFirst().map { $0 == "True" })
  }

  static let valid = all.filter { $0.verdicts == [true, true] }.map(\.code)
  static let invalid = all.filter { $0.verdicts == [false, false] }.map(\.code)

  private static func read() -> String {
    guard let file = fopen(Repository.fixtures.path + "/fiscal_codes/vectors.csv", "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

/// Another reading of the decree's check character, from its printed table, to compare with.
enum PrintedCheckCharacter {
  private static let odd: [Character: Int] = [
    "0": 1, "1": 0, "2": 5, "3": 7, "4": 9, "5": 13, "6": 15, "7": 17, "8": 19, "9": 21,
    "A": 1, "B": 0, "C": 5, "D": 7, "E": 9, "F": 13, "G": 15, "H": 17, "I": 19, "J": 21,
    "K": 2, "L": 4, "M": 18, "N": 20, "O": 11, "P": 3, "Q": 6, "R": 8, "S": 12, "T": 14,
    "U": 16, "V": 10, "W": 22, "X": 25, "Y": 24, "Z": 23,
  ]
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

  static func of(_ fifteen: some StringProtocol) -> Character {
    var sum = 0
    for (index, character) in fifteen.enumerated() {
      if (index + 1) % 2 == 1 {
        sum += odd[character] ?? 0
      } else {
        sum += character.wholeNumberValue ?? alphabet.firstIndex(of: character) ?? 0
      }
    }
    return alphabet[sum % 26]
  }

  static func completed(_ fifteen: String) -> String { fifteen + String(of(fifteen)) }
}
