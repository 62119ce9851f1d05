internal import Domain
internal import RPCRuntime
package import ServiceAPI

/// What is wrong with a request, gathered so that all of it is said at once.
package struct Violations {
  package private(set) var all: [FieldViolation] = []

  package init() {}

  package var isEmpty: Bool { all.isEmpty }

  /// Adds a problem with a field, to be read after its name; nil is none.
  package mutating func add(_ field: String, _ problem: String?) {
    if let problem { all.append(FieldViolation(field: field, problem: problem)) }
  }

  /// Whether a field has a problem so far.
  package func has(_ field: String) -> Bool { all.contains { $0.field == field } }

  /// - Throws: INVALID_ARGUMENT if there are any.
  package func check() throws {
    if !isEmpty { throw RPCStatus.invalidArgument(violations: all) }
  }

  /// The rule for every request id.
  package mutating func addRequestID(_ requestID: String) {
    if !requestID.isEmpty { add("request_id", PlainText.problem(requestID, length: 1...64)) }
  }
}
