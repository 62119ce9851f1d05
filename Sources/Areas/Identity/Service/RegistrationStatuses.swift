package import RPCRuntime
internal import ServiceAPI

extension RPCStatus {
  /// ALREADY_EXISTS that names what is in the way; INVALID_ARGUMENT if a code is unknown or somebody else's, for then
  /// nothing exists already.
  ///
  /// - Parameter conflicts: at least one. The first one gives the reason.
  static func conflict(_ conflicts: [RegistrationConflict]) -> RPCStatus {
    let violations = conflicts.map(\.violation)
    if conflicts.contains(.codeUnknown) || conflicts.contains(.nameOfAnother) {
      return invalidArgument(violations: violations)
    }
    return RPCStatus(
      .alreadyExists, reason: conflicts.first?.reason ?? "ALREADY_EXISTS",
      message: violations.map { "\($0.field) \($0.problem)" }.joined(separator: "; ") + ".", violations: violations)
  }

  /// ALREADY_EXISTS for what was made under the same request id and can't be shown again.
  package static func madeBefore(_ what: String, _ number: Int64) -> RPCStatus {
    failure(
      .alreadyExists, reason: "REQUEST_ID_USED",
      message: "\(what) \(number) was made under this request_id; its secret was shown then",
      metadata: ["id": String(number)])
  }

  /// ABORTED for an edit of something that somebody else has changed.
  package static let staleEtag = failure(
    .aborted, reason: "STALE_ETAG", message: "etag is of an older state; read it again and decide again")
}

extension RegistrationConflict {
  var reason: String {
    switch self {
    case .username: "USERNAME_TAKEN"
    case .codeUsed: "CODE_USED"
    case .codeUnknown: "CODE_UNKNOWN"
    case .nameOfAnother: "NAME_OF_ANOTHER"
    }
  }

  var violation: FieldViolation {
    switch self {
    case .username: FieldViolation(field: "username", problem: "is taken")
    case .codeUsed: FieldViolation(field: "code", problem: "was used already")
    case .codeUnknown: FieldViolation(field: "code", problem: "is unknown or has expired")
    case .nameOfAnother:
      FieldViolation(field: "name", problem: "must be the name that the code was issued to, or empty")
    }
  }
}
