internal import Domain
internal import IdentityRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  /// What the request leaves out stays.
  /// - Throws: INVALID_ARGUMENT that names every field at fault, also those that this kind of account has not; ABORTED
  ///   with reason STALE_ETAG.
  public func updateAccount(
    _ request: Trackme_Identity_V1_UpdateAccountRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_UpdateAccountResponse {
    let number = try context.account()
    let record = try await account(number)
    let change = try await change(request, of: record)
    guard request.etag == String(record.version) else { throw RPCStatus.staleAccount }
    switch try await storage.accounts.change(number, version: record.version, change) {
    case .changed: return .init(account: .init(try await account(number)))
    case .stale: throw RPCStatus.staleAccount
    }
  }

  /// - Throws: INVALID_ARGUMENT that names every field at fault.
  private func change(
    _ request: Trackme_Identity_V1_UpdateAccountRequest, of record: AccountRecord
  ) async throws -> AccountChange {
    var change = AccountChange()
    var violations: [FieldViolation] = []
    func take<T>(_ value: T?, _ field: String, for kind: AccountKind?, _ problem: String, _ isGood: (T) -> Bool) -> T? {
      guard let value else { return nil }
      if let kind, record.kind != kind {
        violations.append(.init(field: field, problem: "is nothing that this kind of account has"))
      } else if !isGood(value) {
        violations.append(.init(field: field, problem: problem))
      }
      return value
    }
    if request.etag.isEmpty { violations.append(.init(field: "etag", problem: "must be the etag of the account")) }
    let emailProblem = request.email.flatMap { EmailAddress.problem($0) }
    change.email = take(request.email, "email", for: nil, emailProblem ?? "") { _ in emailProblem == nil }
    change.weightKg = take(request.weightKg, "weight_kg", for: .person, "must be 1 to 700", (1...700).contains)
    change.heightCm = take(request.heightCm, "height_cm", for: .person, "must be 30 to 280", (30...280).contains)
    change.description = take(
      request.description, "description", for: .thirdParty, "must be 1 to 2,000 characters"
    ) { (1...2_000).contains($0.unicodeScalars.count) }
    if !request.fields.isEmpty {
      let current = Dictionary(record.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      let changes = request.fields.map { (name: $0.name, value: $0.value) }
      switch try await forms.fields(current, changedBy: changes, of: record.kind) {
      case .success(let fields): change.fields = fields
      case .failure(let faults): violations += faults.violations
      }
    }
    guard violations.isEmpty else { throw RPCStatus.invalidArgument(violations: violations) }
    return change
  }
}

extension RPCStatus {
  fileprivate static let staleAccount = failure(
    .aborted, reason: "STALE_ETAG", message: "the account has changed; get it again")
}
