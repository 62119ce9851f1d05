/// Texts as FHIR has them.
enum FHIRText {
  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// A name as a string of FHIR, which has no control characters and is not made of blanks alone: what is none of its
  /// characters becomes U+FFFD, and so does a line separator, which some readers of NDJSON take for the end of a line.
  /// Nil for an empty name.
  static func string(_ name: String) -> String? {
    if name.isEmpty { return nil }
    let isBlank = name.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    var text = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text.append(replacement)
      default: text.append(isBlank ? replacement : scalar)
      }
    }
    return String(text)
  }

  /// The shortest decimal that reads back as the same number. Without an exponent from a billionth up to 2^53: in the
  /// samples of SampledData, a lone "E" means an error.
  static func decimal(_ number: Double) -> String {
    var text = "\(number)"
    if text.hasSuffix(".0") { text.removeLast(2) }
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]),
      -9 ... -1 ~= exponent
    else { return text }
    let digits = text[..<mark].filter { $0 != "." && $0 != "-" }
    return (number < 0 ? "-" : "") + "0." + String(repeating: "0", count: -exponent - 1) + digits
  }
}
