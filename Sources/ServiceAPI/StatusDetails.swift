public import RPCRuntime
public import WireCodec

/// A field of a request and what is wrong with it.
public struct FieldViolation: Sendable, Equatable {
  /// The path of the field in the names of the .proto file, such as "batch.readings.sources[2]".
  public var field: String
  /// What is wrong, for people, such as "is not valid UTF-8".
  public var problem: String

  public init(field: String, problem: String) {
    self.field = field
    self.problem = problem
  }
}

// The details of the standard error model (google.rpc.Status, AIP-193): `ErrorInfo` always, `BadRequest` for input.

extension RPCStatus {
  /// The domain of every `ErrorInfo` of this program.
  public static let errorDomain = "trackme"

  /// A status with details.
  ///
  /// - Parameters:
  ///   - reason: what programs tell errors apart by: UPPER_SNAKE_CASE, at most 63 characters, never changed.
  ///   - message: a sentence for people, in English.
  ///   - metadata: facts for programs, such as the limit that was passed. No secrets.
  ///   - violations: the fields at fault.
  public init(
    _ code: RPCCode, reason: String, message: String, metadata: [String: String] = [:],
    violations: [FieldViolation] = []
  ) {
    let entries = metadata.sorted { $0.key < $1.key }
    let information = Google_Rpc_ErrorInfo(
      reason: reason, domain: Self.errorDomain, metadata: entries.map { .init(key: $0.key, value: $0.value) })
    var details = [Google_Protobuf_Any(typeURL: Self.typeURL("ErrorInfo"), value: information.encoded())]
    if !violations.isEmpty {
      let request = Google_Rpc_BadRequest(
        fieldViolations: violations.map { .init(field: $0.field, description: $0.problem) })
      details.append(Google_Protobuf_Any(typeURL: Self.typeURL("BadRequest"), value: request.encoded()))
    }
    let status = Google_Rpc_Status(code: code.rawValue, message: message, details: details)
    self.init(code, message, details: status.encoded())
  }

  /// INVALID_ARGUMENT for bytes that are not a valid message.
  public init(invalidMessage error: WireError) {
    self.init(
      .invalidArgument, reason: "INVALID_MESSAGE", message: "\(error).",
      violations: [FieldViolation(field: error.field, problem: error.problem)])
  }

  /// The `ErrorInfo` among the details; nil if there is none.
  public var errorInfo: Google_Rpc_ErrorInfo? { detail("ErrorInfo") }

  /// The field violations of the `BadRequest` among the details.
  public var fieldViolations: [FieldViolation] {
    let request: Google_Rpc_BadRequest? = detail("BadRequest")
    return request?.fieldViolations.map { FieldViolation(field: $0.field, problem: $0.description) } ?? []
  }

  private func detail<Message: WireMessage>(_ name: String) -> Message? {
    guard let status = try? Google_Rpc_Status.decode(details),
      let detail = status.details.first(where: { $0.typeURL == Self.typeURL(name) })
    else { return nil }
    return try? Message.decode(detail.value)
  }

  private static func typeURL(_ name: String) -> String { "type.googleapis.com/google.rpc." + name }
}
