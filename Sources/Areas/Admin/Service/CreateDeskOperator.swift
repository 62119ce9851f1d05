internal import Domain
internal import Identity
internal import IdentityRules
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import Sos
public import WireCodec

extension AdminService {
  /// The password that is given logs in; it has to be changed before anything else is done.
  /// - Throws: INVALID_ARGUMENT; NOT_FOUND with reason NO_SUCH_DISPATCHER; ALREADY_EXISTS if the username or address is
  ///   taken, or with the number that was made before; RESOURCE_EXHAUSTED with reason TOO_MANY_DESK_OPERATORS or
  ///   TOO_BUSY.
  public func createDeskOperator(
    _ request: Trackme_Admin_V1_CreateDeskOperatorRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_CreateDeskOperatorResponse {
    let administrator = try context.account()
    var violations = Violations()
    violations.addRequestID(request.requestID)
    if request.dispatcherID <= 0 { violations.add("dispatcher_id", "must be positive") }
    violations.add("username", Username.problem(request.username))
    violations.add("email", EmailAddress.problem(request.email))
    violations.add("name", PlainText.problem(request.name, length: 1...100))
    violations.add(
      "initial_password",
      Password.problem(request.initialPassword, username: request.username, email: request.email))
    try violations.check()
    do {
      let added = try await deskOperators.add(
        dispatcher: request.dispatcherID, username: request.username, email: request.email, name: request.name,
        passwordHash: try await hasher.hash(request.initialPassword), by: administrator, requestID: request.requestID)
      switch added {
      case .made(let record): return .init(deskOperator: .init(record))
      case .earlier(let account): throw RPCStatus.madeBefore("desk operator", account)
      }
    } catch let refusal as DeskOperators.Refusal {
      throw refusal.status
    }
  }
}

extension DeskOperators.Refusal {
  fileprivate var status: RPCStatus {
    switch self {
    case .noDispatcher: .noDispatcher
    case .tooMany:
      RPCStatus.failure(
        .resourceExhausted, reason: "TOO_MANY_DESK_OPERATORS",
        message: "at most \(DeskOperators.maxPerDispatcher) people at the desk of one dispatcher")
    case .taken(.username):
      RPCStatus(
        .alreadyExists, reason: "USERNAME_TAKEN", message: "username is taken.",
        violations: [.init(field: "username", problem: "is taken")])
    case .taken(.email):
      RPCStatus(
        .alreadyExists, reason: "EMAIL_TAKEN", message: "email is the address of another account.",
        violations: [.init(field: "email", problem: "is the address of another account")])
    }
  }
}

extension Trackme_Admin_V1_DeskOperator {
  init(_ record: DeskOperatorRecord) {
    self.init(
      accountID: record.account, dispatcherID: record.dispatcher, username: record.username, email: record.email,
      name: record.name, created: .init(record.created), passwordChangeDue: record.isPasswordInitial,
      revoked: record.revoked.map { .init($0) })
  }
}
