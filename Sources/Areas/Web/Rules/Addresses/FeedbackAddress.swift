/// An address of e-mail that people write to, plain enough to stand behind "mailto:".
package struct FeedbackAddress: Sendable, Hashable {
  package let text: String

  /// - Returns: nil for what is none, and for one with characters that would have to be encoded.
  package init?(_ text: String) {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    guard text.utf8.count <= 254, halves.count == 2,
      halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isPlain) }), !halves[1].contains("_"),
      !halves[1].contains("+"),
      halves[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else { return nil }
    self.text = text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
