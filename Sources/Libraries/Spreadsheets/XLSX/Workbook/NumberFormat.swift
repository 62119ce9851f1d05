/// What a number in a cell stands for, as its format tells.
enum NumberFormat {
  case number
  case date
  case dateAndTime

  /// One that every workbook has without saying so (ISO/IEC 29500-1, 18.8.30), among them those of East Asia. A time of
  /// day alone counts as a number.
  init(builtIn id: Int) {
    switch id {
    case 14...17, 27...31, 36, 50...54, 57, 58: self = .date
    case 22: self = .dateAndTime
    default: self = .number
    }
  }

  /// - Parameter code: such as "dd/mm/yyyy" or "#,##0.00 [$€-410]".
  init(code: String) {
    let letters = Self.letters(code)
    let isOfDays = letters.contains { "yd".contains($0) } || letters.contains("m") && !Self.hasTime(letters)
    self = !isOfDays ? .number : Self.hasTime(letters) ? .dateAndTime : .date
  }

  private static func hasTime(_ letters: String) -> Bool { letters.contains { "hs".contains($0) } }

  /// The first section of a code, in lower case, without what is shown as it stands.
  private static func letters(_ code: String) -> String {
    guard code.lowercased() != "general" else { return "" }
    var letters = ""
    var rest = code.makeIterator()
    while let character = rest.next() {
      switch character {
      case ";": return letters
      case "\\", "_", "*": _ = rest.next()
      case "\"": while let next = rest.next(), next != "\"" {}
      case "[":
        var inside = ""
        while let next = rest.next(), next != "]" { inside.append(next) }
        // [h], [mm] and [s] are times that passed; others are colours, conditions, currencies and languages.
        if let first = inside.lowercased().first, "hms".contains(first), Set(inside.lowercased()).count == 1 {
          letters += "h"
        }
      default: letters += character.lowercased()
      }
    }
    return letters
  }
}
