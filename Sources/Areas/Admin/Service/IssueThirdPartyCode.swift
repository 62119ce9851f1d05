internal import Domain
internal import Identity
internal import IdentityRules
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
    let holder = CodeHolder(name: request.company, kind: HolderKind(request.kind), checked: request.checked)
    violations.add(holder)
    if !(0...365 ~= request.lifetimeDays) { violations.add("lifetime_days", "must be 1 to 365, or 0 for 30") }
    try violations.check()

    let code = ThirdPartyCodeText.make()
    let issued = try await codes.issue(
      hash: TokenHash(code).bytes, to: holder,
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
      codeID: record.id, company: record.holder.name, issued: .init(record.issued), expires: .init(record.expires),
      used: record.used.map { .init($0) }, kind: .init(record.holder.kind), checked: record.holder.checked,
      withdrawn: record.withdrawn.map { .init($0) }, etag: String(record.version),
      thirdPartyID: record.user?.account ?? 0, thirdPartyName: record.user?.name ?? "",
      disabled: record.user?.disabled.map { .init($0) })
  }
}

extension Violations {
  /// What is wrong with whom an administrator names.
  mutating func add(_ holder: CodeHolder) {
    for (field, problem) in holder.problems { add(field, problem) }
  }

  /// The rule for every reason that is kept.
  mutating func addReason(_ reason: String) {
    add("reason", PlainText.problem(reason, length: 1...500, isParagraph: true))
  }
}
