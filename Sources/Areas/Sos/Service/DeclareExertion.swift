internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension SosService {
  private static let maxLead: Microseconds = 7 * 86_400 * 1_000_000
  private static let maxLength: Microseconds = 86_400 * 1_000_000

  /// Holds for what is received after the answer. A repeat of the request id is answered with the exertion that it
  /// made.
  /// - Throws: INVALID_ARGUMENT for one that begins more than 7 days ahead, lasts longer than 24 hours or is over;
  ///   RESOURCE_EXHAUSTED with reason TOO_MANY_EXERTIONS.
  public func declareExertion(
    _ request: Trackme_Sos_V1_DeclareExertionRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_DeclareExertionResponse {
    let person = try context.account()
    let now = clock()
    let from = try request.from.map { try $0.microseconds(field: "from") } ?? now
    let to = try request.to?.microseconds(field: "to")
    var violations = Violations()
    violations.addRequestID(request.requestID)
    if from > now + Self.maxLead { violations.add("from", "must be at most 7 days ahead") }
    if let to {
      if to <= max(from, now) { violations.add("to", "must be after from, and after now") }
      if to - from > Self.maxLength { violations.add("to", "must be at most 24 hours after from") }
    } else {
      violations.add("to", "must be given")
    }
    // A repeat may come when its times are not right any more.
    if !request.requestID.isEmpty, !violations.has("request_id"),
      let earlier = try await store.exertion(of: person, requestID: request.requestID)
    {
      return .init(exertion: .init(earlier))
    }
    try violations.check()
    guard let to else { preconditionFailure("a missing end has been refused") }
    switch try await store.declare(from..<to, for: person, requestID: request.requestID, at: now) {
    case .declared(let exertion):
      try await roster.refresh()
      return .init(exertion: .init(exertion))
    case .tooMany:
      throw RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_EXERTIONS",
        message: "at most \(SosStore.maxExertions) exertions can be to come",
        metadata: ["limit": "\(SosStore.maxExertions)"])
    case .noAccount: throw RPCStatus.noAccount
    }
  }
}

extension Trackme_Sos_V1_Exertion {
  init(_ exertion: ExertionRecord) {
    self.init(exertionID: exertion.id, from: .init(exertion.begins), to: .init(exertion.ends))
  }
}
