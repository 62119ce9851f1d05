public import RPCRuntime
public import ServiceAPI

// The statuses with which handlers end calls. Each carries `google.rpc` details: `ErrorInfo` with the domain "trackme",
// and `BadRequest` for input.

extension RPCStatus {
  /// INVALID_ARGUMENT for one field of the request.
  ///
  /// - Parameters:
  ///   - field: the field's path in the names of the .proto file, such as "start.person_ids[3]".
  ///   - problem: what is wrong, to be read after the field's name, such as "must be positive".
  public static func invalidArgument(field: String, problem: String) -> RPCStatus {
    invalidArgument(violations: [FieldViolation(field: field, problem: problem)])
  }

  /// INVALID_ARGUMENT that names every field at fault.
  public static func invalidArgument(violations: [FieldViolation]) -> RPCStatus {
    RPCStatus(
      .invalidArgument, reason: "INVALID_ARGUMENT",
      message: violations.map { "\($0.field) \($0.problem)" }.joined(separator: "; ") + ".", violations: violations)
  }

  /// Any other failure.
  ///
  /// - Parameters:
  ///   - reason: what programs tell failures apart by: UPPER_SNAKE_CASE, never changed once published.
  ///   - message: a sentence for people, in English, without secrets.
  ///   - metadata: facts for programs, such as the limit that was passed.
  public static func failure(
    _ code: RPCCode, reason: String, message: String, metadata: [String: String] = [:]
  ) -> RPCStatus {
    RPCStatus(code, reason: reason, message: message, metadata: metadata)
  }
}
