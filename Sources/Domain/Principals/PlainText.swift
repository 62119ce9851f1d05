/// Rules for texts that people type.
public enum PlainText {
  /// Whether there are control characters, NUL among them, other than the allowed ones.
  public static func hasControlCharacters(_ text: String, allowing allowed: Set<Unicode.Scalar> = []) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control && !allowed.contains($0) }
  }

  /// What is wrong with a line of text, to be read after the field's name; nil if nothing is.
  ///
  /// - Parameters:
  ///   - length: how many Unicode characters it may have.
  ///   - isParagraph: whether line ends and tabs may be in it.
  public static func problem(
    _ text: String, length: ClosedRange<Int>, isParagraph: Bool = false
  ) -> String? {
    guard length ~= text.unicodeScalars.count else {
      return "must be \(length.lowerBound) to \(length.upperBound) characters"
    }
    if hasControlCharacters(text, allowing: isParagraph ? ["\n", "\r", "\t"] : []) {
      return "must have no control characters"
    }
    return text.allSatisfy(\.isWhitespace) && !text.isEmpty ? "must not be blank" : nil
  }
}
