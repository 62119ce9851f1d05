/// A form of accounts with as many voices as the official one, 554, numbered as it is: its voices are made up, and say so.
struct SyntheticForm {
  struct Voice {
    let code: String
    let description: String
    /// Where the voice stands that it is a part of.
    let parent: Int?
    /// −1 where the total takes it away.
    let sign: Int64
    fileprivate(set) var hasParts = false
  }

  /// Each before its parts; the two results last.
  let voices: [Voice]
  /// Those that have no parts, by their place.
  let leaves: [Int]
  /// Of the totals A to E.
  private let totals: [Int]

  init() {
    var voices: [Voice] = []
    var totals: [Int] = []
    func add(_ code: String, _ description: String, _ parent: Int?, _ sign: Int64 = 1) -> Int {
      if let parent { voices[parent].hasParts = true }
      voices.append(Voice(code: code, description: description, parent: parent, sign: sign))
      return voices.count - 1
    }
    for section in Section.all {
      let letter = section.letter
      let total = add("\(letter)Z9999", "Totale sintetico di prova (\(letter))", nil)
      totals.append(total)
      var number = 0
      func part(_ path: String, of parent: Int, _ sign: Int64 = 1) -> Int {
        number += 10
        let digits = String(String(10_000 + number).dropFirst())
        return add("\(letter)A\(digits)", "\(path)) \(Self.words)", parent, sign)
      }
      for first in 1...section.parts {
        let top = part("\(letter).\(first)", of: total, section.subtracted.contains(first) ? -1 : 1)
        for second in ["A", "B", "C", "D"].prefix(section.partsOfParts) {
          let middle = part("\(letter).\(first).\(second)", of: top)
          for third in 1...section.leaves { _ = part("\(letter).\(first).\(second).\(third)", of: middle) }
        }
      }
    }
    leaves = voices.indices.filter { !voices[$0].hasParts }
    _ = add("XA0000", "Risultato prima delle imposte (A - B +/- C +/- D +/- E)", nil)
    _ = add("ZZ9999", "RISULTATO DI ESERCIZIO", nil)
    self.voices = voices
    self.totals = totals
  }

  /// An account: the amounts of all voices out of those of leaves; nil for a voice that it does not have.
  func account(_ leafAmounts: [Int: Int64]) -> [Int64?] {
    var amounts = [Int64?](repeating: nil, count: voices.count)
    for (place, amount) in leafAmounts { amounts[place] = amount }
    for place in voices.indices.reversed() {
      guard let amount = amounts[place], let parent = voices[place].parent else { continue }
      amounts[parent, default: 0] += voices[place].sign * amount
    }
    let result = totals.enumerated().reduce(0) { sum, total in
      sum + (total.offset == 1 ? -1 : 1) * (amounts[total.element] ?? 0)
    }
    amounts[voices.count - 2] = result
    amounts[voices.count - 1] = result
    return amounts
  }

  private struct Section {
    let letter: String
    let parts: Int
    var partsOfParts = 0
    var leaves = 1
    var subtracted: Set<Int> = []

    static let all = [
      Section(letter: "A", parts: 9, partsOfParts: 2, leaves: 4),
      Section(letter: "B", parts: 16, partsOfParts: 4, leaves: 5),
      Section(letter: "C", parts: 4, subtracted: [3, 4]),
      Section(letter: "D", parts: 2, subtracted: [2]),
      Section(letter: "E", parts: 2, partsOfParts: 2, leaves: 9, subtracted: [2]),
    ]
  }

  /// As long as the official descriptions are.
  private static let words = "Voce sintetica di prova, non ufficiale, per misurare il tempo dell'import"
}

extension [Int64?] {
  fileprivate subscript(place: Int, default value: Int64) -> Int64 {
    get { self[place] ?? value }
    set { self[place] = newValue }
  }
}
