/// What a downloaded file is called: a name that every system takes, whatever it was made of.
package struct FileName: Sendable, Hashable {
  /// Small letters, digits, "-" and ".", neither of these first or twice in a row.
  package let text: String

  /// - Parameters:
  ///   - parts: words and numbers, joined by "-"; nil is left out, and of each what is no letter or digit becomes "-".
  ///   - ending: such as "csv".
  package init(_ parts: String?..., ending: String) {
    let words = parts.compactMap(\.self).flatMap { $0.lowercased().split { !Self.isPlain($0) } }
    text = words.joined(separator: "-") + "." + ending
  }

  /// The header that makes an answer a file of this name (RFC 6266).
  package var disposition: (String, String) { ("content-disposition", "attachment; filename=\"\(text)\"") }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }
}
