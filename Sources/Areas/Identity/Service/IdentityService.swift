public import Domain
public import Log
public import OpenIDConnect
internal import RPCRuntime
public import ServiceAPI
public import ServiceKit
internal import WireCodec

/// Accounts, sessions, devices and bridges: each RPC has its own file.
public final class IdentityService: IdentityServiceHandler {
  let storage: StorageSystem
  let access: LiveAccess
  let hasher: PasswordHasher
  let passwordTurns = PasswordTurns()
  let wrongPasswords = AttemptLimit(
    perMinute: wrongPasswordsPerMinute, reason: "TOO_MANY_WRONG_PASSWORDS", of: "wrong passwords")
  let forms: any AccountForms
  let registration: Registration
  let seal: Seal
  /// Whose sign-ins are trusted; nil: nobody's.
  let openID: OpenIDProvider?
  /// The time of day.
  let clock: @Sendable () -> Microseconds

  /// - Parameters:
  ///   - access: where tokens that begin or end are told.
  ///   - registration: the forms as administrators decided, and the making of accounts.
  ///   - openID: whose sign-ins are trusted; nil: nobody's.
  ///   - clock: the time of day.
  public init(
    storage: StorageSystem, access: LiveAccess, hasher: PasswordHasher, registration: Registration,
    openID: OpenIDProvider? = nil, clock: @escaping @Sendable () -> Microseconds
  ) {
    self.storage = storage
    self.access = access
    self.hasher = hasher
    self.registration = registration
    forms = CurrentForms(registration)
    seal = storage.seal
    self.openID = openID
    self.clock = clock
  }
}

/// The fields of accounts that administrators decide on.
public protocol AccountForms: Sendable {
  /// The fields of an account after a change.
  ///
  /// - Parameters:
  ///   - current: all fields as they are, by name.
  ///   - changes: fields that are set anew, as the request lists them; an empty value removes one.
  /// - Returns: all fields, or what is wrong with the changes, by the path "fields[i]" of the request.
  func fields(
    _ current: [String: String], changedBy changes: [(name: String, value: String)], of kind: AccountKind
  ) async throws -> Swift.Result<[String: String], FieldViolations>
}

/// Every field of a request that is at fault; never empty.
public struct FieldViolations: Error {
  /// With the paths of the request's fields, such as "fields[2]".
  public let violations: [FieldViolation]

  public init(_ violations: [FieldViolation]) { self.violations = violations }
}
