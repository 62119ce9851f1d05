/// The voices of a release, and which are parts of which, by the numbers in their descriptions: "B.2.A.15)" is a part
/// of "B.2.A)", or of "B.2)" where no form has that. All this is of the newest description of each.
package struct VoiceTree: Sendable {
  /// What the form of a year calls a voice.
  package struct Entry: Sendable, Hashable {
    package let code: VoiceCode
    package let year: Int
    package let form: FileForm
    package let text: String

    package init(code: VoiceCode, year: Int, form: FileForm, text: String) {
      self.code = code
      self.year = year
      self.form = form
      self.text = text
    }
  }

  /// What the form calls a voice in a range of years.
  package struct Description: Sendable, Hashable {
    package let text: String
    package let firstYear: Int
    package let lastYear: Int
  }

  package struct Voice: Sendable, Hashable {
    package let code: VoiceCode
    /// The newest first; there is one.
    package let descriptions: [Description]
    package let number: VoiceNumber?
    /// The voice that it is a part of, by its place.
    package fileprivate(set) var parent: Int?
    /// Its parts in the order of the form, by their places.
    package fileprivate(set) var parts: [Int] = []

    package var description: String { descriptions.first?.text ?? "" }
    /// The newest year of its descriptions.
    package var lastYear: Int { descriptions.first?.lastYear ?? 0 }
    package var firstYear: Int { descriptions.last?.firstYear ?? 0 }
    /// −1 for what its total takes away.
    package var sign: Int64 { number?.sign ?? 1 }
  }

  /// In the order of their codes, which is that of the form.
  package let voices: [Voice]
  /// Places in `voices`: each before its parts.
  package let order: [Int]
  private let places: [VoiceCode: Int]

  /// Totals without a number, and what they are the sum of.
  private static let subtotals: [String: (above: [String], of: [[String]])] = [
    "BA2080": (["B"], [["B", "5"], ["B", "6"], ["B", "7"], ["B", "8"]]),
    "BA2560": (["B"], [["B", "10"], ["B", "11"]]),
  ]

  /// - Parameter entries: in any order. Where forms of a year differ, the regional one counts, then the national one.
  package init(_ entries: [Entry]) {
    let byCode = Dictionary(grouping: entries, by: \.code)
    var voices = byCode.keys.sorted().map { code in
      let descriptions = Self.ranges(byCode[code] ?? [])
      return Voice(
        code: code, descriptions: descriptions,
        number: descriptions.first.flatMap { VoiceNumber(description: $0.text) }, parent: nil)
    }
    let places = Dictionary(uniqueKeysWithValues: voices.enumerated().map { ($1.code, $0) })
    for (place, parent) in Self.parents(voices, places).enumerated() {
      guard let parent else { continue }
      voices[place].parent = parent
      voices[parent].parts.append(place)
    }
    var order: [Int] = []
    var open = voices.indices.filter { voices[$0].parent == nil }.reversed() as [Int]
    while let next = open.popLast() {
      order.append(next)
      open += voices[next].parts.reversed()
    }
    self.voices = voices
    self.order = order
    self.places = places
  }

  /// Where a voice stands in `voices`.
  package subscript(code: VoiceCode) -> Int? { places[code] }

  /// The voices above one, from the top.
  package func path(to voice: Int) -> [Int] {
    var path: [Int] = []
    var next = voices[voice].parent
    while let above = next {
      path.append(above)
      next = voices[above].parent
    }
    return path.reversed()
  }

  private static func ranges(_ entries: [Entry]) -> [Description] {
    let preference: [FileForm] = [.regional, .national]
    let byYear = Dictionary(grouping: entries, by: \.year).mapValues { entries in
      preference.lazy.compactMap { form in entries.first { $0.form == form } }.first ?? entries[0]
    }
    var ranges: [Description] = []
    for year in byYear.keys.sorted() {
      guard let text = byYear[year]?.text else { continue }
      if let last = ranges.last, last.text == text {
        ranges[ranges.count - 1] = Description(text: text, firstYear: last.firstYear, lastYear: year)
      } else {
        ranges.append(Description(text: text, firstYear: year, lastYear: year))
      }
    }
    return ranges.reversed()
  }

  private static func parents(_ voices: [Voice], _ places: [VoiceCode: Int]) -> [Int?] {
    var numbered: [VoiceNumber: [Int]] = [:]
    var totals: [VoiceNumber: Int] = [:]
    for (place, voice) in voices.enumerated() {
      if let number = voice.number {
        numbered[number, default: []].append(place)
      } else if let subtotal = subtotals[voice.code.text] {
        for part in subtotal.of { totals[VoiceNumber(part)] = place }
      }
    }
    /// Codes change while numbers stay: the one of the same years counts, otherwise the newest.
    func nearest(_ number: VoiceNumber?, above voice: Voice) -> Int? {
      var number = number
      while let above = number {
        if let found = numbered[above] {
          return found.first { voices[$0].firstYear <= voice.lastYear && voice.lastYear <= voices[$0].lastYear }
            ?? found.max { voices[$0].lastYear < voices[$1].lastYear }
        }
        if let total = totals[above] { return total }
        number = above.parent
      }
      return nil
    }
    return voices.map { voice in
      if let number = voice.number { return totals[number] ?? nearest(number.parent, above: voice) }
      return subtotals[voice.code.text].flatMap { nearest(VoiceNumber($0.above), above: voice) }
    }
  }
}
