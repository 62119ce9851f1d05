internal import Domain
package import RPCRuntime
public import ServiceAPI
public import WireCodec

extension IdentityService {
  /// - Throws: FAILED_PRECONDITION with reason NO_ACCOUNT where an operator made a token for a person without one.
  public func getAccount(
    _ request: Trackme_Identity_V1_GetAccountRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_GetAccountResponse {
    .init(account: .init(try await account(try context.account())))
  }

  /// An account of the caller's.
  /// - Throws: FAILED_PRECONDITION with reason NO_ACCOUNT where an operator made a token for a person without one.
  func account(_ number: AccountID) async throws -> AccountRecord {
    guard let record = try await storage.accounts.find(number) else { throw RPCStatus.noAccount }
    return record
  }
}

extension RPCStatus {
  package static let noAccount = failure(
    .failedPrecondition, reason: "NO_ACCOUNT", message: "the token stands for a person without an account")
}

extension Trackme_Identity_V1_Account {
  init(_ record: AccountRecord) {
    let details: OneOf_Details? =
      switch record.kind {
      case .person: record.person.map { .person(.init($0)) }
      case .thirdParty: record.thirdParty.map { .thirdParty(.init($0)) }
      case .deskOperator: .deskOperator(.init(name: record.displayName))
      case .bridge, .administrator, .dispatcher: nil
      }
    self.init(
      accountID: record.account, kind: .init(record.kind), username: record.username, email: record.email,
      fields: record.fields.map { .init(name: $0.name, value: $0.value) }, details: details,
      created: .init(record.created), etag: String(record.version), disabled: record.disabled.map { .init($0) })
  }
}

extension Trackme_Identity_V1_PersonDetails {
  init(_ person: AccountRecord.Person) {
    self.init(
      givenNames: person.givenNames, familyName: person.familyName, fiscalCode: person.fiscalCode,
      dateOfBirth: person.dateOfBirth, sex: person.sex == .female ? .female : .male, weightKg: person.weightKg,
      heightCm: person.heightCm)
  }
}
