/// The place of a voice in the form, as its description says: "B.2.A.15) Consulenze…" is B.2.A.15; the total "Totale costi
/// della produzione (B)" is B.
package struct VoiceNumber: Sendable, Hashable {
  /// "B", "2", "A", "15".
  package let parts: [String]

  /// - Parameter parts: from the letter on.
  package init(_ parts: [String]) { self.parts = parts }

  /// - Parameter description: nil for one without a number, such as "Totale Costo del personale".
  package init?(description: String) {
    let text = description.drop { $0 == " " }
    guard let end = text.firstIndex(of: ")") else { return nil }
    let head = text[..<end]
    if let parts = Self.parts(of: head) {
      self.parts = parts
      return
    }
    // "Totale … (B)": a letter in brackets at the very end.
    let trimmed = text.reversed().drop { $0 == " " }
    guard PlainLetters.of(String(text.prefix(6))) == "totale", trimmed.count > 3, trimmed.first == ")",
      trimmed.dropFirst(2).first == "(", let letter = trimmed.dropFirst().first, Self.isLetter(letter)
    else { return nil }
    parts = [String(letter)]
  }

  /// The number above; nil for a letter.
  package var parent: VoiceNumber? { parts.count > 1 ? VoiceNumber(parts.dropLast()) : nil }

  /// "B.2.A.15".
  package var text: String { parts.joined(separator: ".") }

  /// −1 for what its total takes away: interest paid and other charges of C, write-downs of D, charges of E; otherwise 1.
  package var sign: Int64 { Self.subtracted.contains(parts) ? -1 : 1 }

  private static let subtracted: Set<[String]> = [["C", "3"], ["C", "4"], ["D", "2"], ["E", "2"]]

  /// Where the number stands among its siblings, from 1: "15" is 15, "B" is 2; nil for what is neither.
  package var place: Int? {
    guard let last = parts.last else { return nil }
    if let number = Int(last) { return number }
    guard last.utf8.count == 1, let byte = last.utf8.first else { return nil }
    return Int(byte) - 0x40
  }

  private static func parts(of head: Substring) -> [String]? {
    let parts = head.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count >= 2, parts.count <= 10, let first = parts.first, first.count == 1,
      first.allSatisfy({ isLetter($0) })
    else { return nil }
    for part in parts.dropFirst() {
      let isNumber = (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      let isLetter = part.count == 1 && part.allSatisfy { Self.isLetter($0) }
      guard isNumber || isLetter else { return nil }
    }
    return parts
  }

  private static func isLetter(_ character: Character) -> Bool { ("A"..."Z").contains(character) }
}
