internal import Console
internal import HTTPServer

/// What whoever runs the server has decided, and pages have to know before anybody has signed in.
struct SiteFacts: Sendable {
  /// `{"openIdName": …}`: how people sign in.
  static let path = "/web/site"
  /// `{"statements": {"en": {"address": …}, "it": {"text": …}}, "feedback": …}`.
  static let accessibilityPath = "/web/accessibility"

  private let answers: [String: [UInt8]]

  init(_ settings: WebSettings) {
    answers = [
      Self.path: Self.object([("openIdName", settings.openID.map { .string($0.name) })]),
      Self.accessibilityPath: Self.accessibility(settings.accessibility),
    ].mapValues { Array($0.utf8) }
  }

  func has(_ path: String) -> Bool { answers[path] != nil }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard ["GET", "HEAD"].contains(request.method) else {
      return HTTPResponse(status: 405, headers: [("allow", "GET, HEAD")])
    }
    return HTTPResponse(
      status: 200, headers: [("content-type", "application/json"), ("cache-control", "no-cache")],
      body: answers[request.path] ?? [])
  }

  private static func accessibility(_ settings: AccessibilitySettings) -> String {
    let statements = settings.statements.map { language, statement in
      let value =
        switch statement {
        case .address(let address): object([("address", .string(address))])
        case .text(let text): object([("text", .string(text))])
        }
      return "\(JSONValue.string(language).text): \(value)"
    }
    let feedback = settings.feedback.map { #", "feedback": \#(JSONValue.string($0).text)"# }
    return #"{"statements": {\#(statements.joined(separator: ", "))}\#(feedback ?? "")}"#
  }

  /// Without members that are nil.
  private static func object(_ members: [(String, JSONValue?)]) -> String {
    let present = members.compactMap { name, value in value.map { "\(JSONValue.string(name).text): \($0.text)" } }
    return "{\(present.joined(separator: ", "))}"
  }
}
