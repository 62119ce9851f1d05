/// Texts of somebody's own in files that spreadsheets open.
public enum SpreadsheetText {
  /// What spreadsheets take for the beginning of a formula: =, +, - and @, also as wide or as small as in Chinese and Japanese
  /// texts, and the line ends and tabs that are skipped ahead of them.
  private static let formulas: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}", "\u{fe66}", "\u{fe62}",
    "\u{fe63}", "\u{fe6b}",
  ]

  /// A text that no spreadsheet takes for a formula: one that would begin like it gets an apostrophe ahead of it.
  public static func plain(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, formulas.contains(first) else { return text }
    return "'" + text
  }
}
