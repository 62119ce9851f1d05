/// The code of an entry of the official form, such as "BA0390".
package struct VoiceCode: Sendable, Hashable, Comparable {
  package let text: String

  /// - Parameter text: three to ten capital letters of ASCII and digits, a letter first; nil for anything else.
  package init?(_ text: String) {
    guard (3...10).contains(text.utf8.count), let first = text.utf8.first, (0x41...0x5A).contains(first),
      text.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) })
    else { return nil }
    self.text = text
  }

  private init(known text: String) { self.text = text }

  /// The total of revenues (A).
  package static let production = VoiceCode(known: "AZ9999")
  /// The total costs of production (B).
  package static let costs = VoiceCode(known: "BZ9999")
  /// The total of financial income and charges (C).
  package static let financial = VoiceCode(known: "CZ9999")
  /// The total of value adjustments (D).
  package static let adjustments = VoiceCode(known: "DZ9999")
  /// The total of extraordinary income and charges (E).
  package static let extraordinary = VoiceCode(known: "EZ9999")
  /// The result before taxes.
  package static let result = VoiceCode(known: "XA0000")

  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
