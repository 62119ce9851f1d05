internal import ArgumentParser
internal import Console
internal import Outbound
internal import WebRules

/// What whoever runs the server says of how accessible its pages are, and where people tell of what is not.
package struct AccessibilitySettings: Sendable {
  enum Statement: Sendable, Hashable {
    /// Where it is: Italian administrations make theirs at AGID's.
    case address(String)
    /// Paragraphs with empty lines between them; "# " begins a heading.
    case text(String)
  }

  /// The most bytes of a statement.
  static let statementBytesMax = 64 << 10

  /// By language; none where nobody has written one.
  var statements: [(language: String, statement: Statement)] = []
  /// An address to follow: of a page, or of e-mail ("mailto:…").
  var feedback: String?

  package init() {}

  /// - Throws: `ValidationError` with the name of the variable.
  init(_ environment: Environment) throws {
    for (language, name) in [
      ("en", "TRACKME_ACCESSIBILITY_STATEMENT_EN"), ("it", "TRACKME_ACCESSIBILITY_STATEMENT_IT"),
    ] {
      guard let place = environment[name] else { continue }
      statements.append((language, try Self.statement(place, name)))
    }
    guard let place = environment["TRACKME_ACCESSIBILITY_FEEDBACK"] else { return }
    if Self.isPage(place) {
      feedback = place
    } else if let address = FeedbackAddress(place) {
      feedback = "mailto:" + address.text
    } else {
      throw ValidationError("TRACKME_ACCESSIBILITY_FEEDBACK must be an e-mail address, or an https address")
    }
  }

  private static func statement(_ place: String, _ name: String) throws -> Statement {
    if isPage(place) { return .address(place) }
    guard let bytes = readBytes(place), bytes.count <= statementBytesMax,
      let text = String(validating: bytes, as: UTF8.self), text.contains(where: { !$0.isWhitespace })
    else {
      throw ValidationError(
        "\(name): \(place) must be an https address, or a file of text in UTF-8 of at most \(statementBytesMax) bytes")
    }
    return .text(text)
  }

  private static func isPage(_ text: String) -> Bool { OutboundURL(text, schemes: ["https"]) != nil }
}
