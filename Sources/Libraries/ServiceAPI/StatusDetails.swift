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

  /// The most bytes of a message and of the violations on the wire. Clients take 8 KiB of trailers in all, and drop the
  /// status where there is more.
  private static let maxMessageBytes = 1_000
  private static let maxViolationBytes = 4_000

  /// A status with details. Of very many violations the first ones are named, and a very long message is cut.
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
        fieldViolations: Self.first(of: violations).map { .init(field: $0.field, description: $0.problem) })
      details.append(Google_Protobuf_Any(typeURL: Self.typeURL("BadRequest"), value: request.encoded()))
    }
    let message = Self.cut(message)
    let status = Google_Rpc_Status(code: code.rawValue, message: message, details: details)
    self.init(code, message, details: status.encoded())
  }

  /// As many violations as there is room for, and at least one.
  private static func first(of violations: [FieldViolation]) -> ArraySlice<FieldViolation> {
    var left = maxViolationBytes
    let count = violations.prefix { violation in
      left -= violation.field.utf8.count + violation.problem.utf8.count + 8
      return left >= 0
    }.count
    return violations.prefix(max(1, count))
  }

  /// A message that is not too long: what is no printable ASCII takes three bytes a byte.
  private static func cut(_ message: String) -> String {
    var left = maxMessageBytes
    let end = message.unicodeScalars.firstIndex { scalar in
      left -= (0x20...0x7e).contains(scalar.value) ? 1 : 3 * UTF8.width(scalar)
      return left < 0
    }
    return end.map { message[..<$0] + "…" } ?? message
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
