internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// The answer is the only place where the code ever is; it is good once, for 30 days unless asked for.
  /// - Throws: INVALID_ARGUMENT; ALREADY_EXISTS, with the number, for a repeat of the request id.
  public func issueThirdPartyCode(
    _ request: Trackme_Admin_V1_IssueThirdPartyCodeRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_IssueThirdPartyCodeResponse {
    let administrator = try context.account()
    var violations = Violations()
    violations.addRequestID(request.requestID)
    violations.add("company", PlainText.problem(request.company, length: 1...200))
    if !(0...365 ~= request.lifetimeDays) { violations.add("lifetime_days", "must be 1 to 365, or 0 for 30") }
    try violations.check()

    let code = ThirdPartyCodeText.make()
    let issued = try await codes.issue(
      hash: TokenHash(code).bytes, company: request.company,
      lifetimeDays: request.lifetimeDays == 0 ? 30 : request.lifetimeDays, by: administrator,
      requestID: request.requestID)
    switch issued {
    case .made(let record): return .init(thirdPartyCode: .init(record), code: code)
    case .earlier(let number): throw RPCStatus.madeBefore("code", number)
    }
  }
}

extension Trackme_Admin_V1_ThirdPartyCode {
  init(_ record: ThirdPartyCodeRecord) {
    self.init(
      codeID: record.id, company: record.company, issued: .init(record.issued), expires: .init(record.expires),
      used: record.used.map { .init($0) })
  }
}
