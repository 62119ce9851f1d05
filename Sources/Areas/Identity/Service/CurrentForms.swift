public import Domain
internal import IdentityRules
internal import ServiceAPI
internal import ServiceKit

/// The forms as administrators have decided, for changes of accounts.
public struct CurrentForms: AccountForms {
  private let forms: RegistrationForms

  /// - Parameter registration: its forms, which are read anew for every change.
  public init(_ registration: Registration) { forms = registration.forms }

  public func fields(
    _ current: [String: String], changedBy changes: [(name: String, value: String)], of kind: AccountKind
  ) async throws -> Swift.Result<[String: String], FieldViolations> {
    let form: RegistrationForm
    switch kind {
    case .person: form = try await forms.find(.person).form
    case .thirdParty: form = try await forms.find(.thirdParty).form
    case .bridge, .administrator, .dispatcher, .deskOperator: form = RegistrationForm(fields: [])
    }
    let checked = form.check(changes: changes.map { .init(name: $0.name, value: $0.value) }, of: current)
    if checked.violations.isEmpty { return .success(checked.accepted) }
    return .failure(.init(checked.violations.map { .init(field: $0.path, problem: $0.problem) }))
  }
}
