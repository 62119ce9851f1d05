internal import Domain
internal import IdentityRules
internal import RPCRuntime
internal import ServiceAPI

/// What is wrong with a request, gathered so that all of it is said at once.
struct Violations {
  private(set) var all: [FieldViolation] = []

  var isEmpty: Bool { all.isEmpty }

  /// Adds a problem with a field, to be read after its name; nil is none.
  mutating func add(_ field: String, _ problem: String?) {
    if let problem { all.append(FieldViolation(field: field, problem: problem)) }
  }

  /// Adds what is wrong with a form's fields.
  mutating func add(_ violations: [RegistrationForm.Violation]) {
    for violation in violations { add(violation.path, violation.problem) }
  }

  /// Whether a field has a problem so far.
  func has(_ field: String) -> Bool { all.contains { $0.field == field } }

  /// - Throws: INVALID_ARGUMENT if there are any.
  func check() throws {
    if !isEmpty { throw RPCStatus.invalidArgument(violations: all) }
  }

  /// The rule for every request id.
  mutating func addRequestID(_ requestID: String) {
    if !requestID.isEmpty { add("request_id", PlainText.problem(requestID, length: 1...64)) }
  }
}
