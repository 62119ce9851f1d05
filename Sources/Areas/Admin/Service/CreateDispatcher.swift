internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// The answer is the only place where the token ever is. Of two dispatchers the one with the lower priority number is
  /// called first.
  /// - Throws: as `addProgram`.
  public func createDispatcher(
    _ request: Trackme_Admin_V1_CreateDispatcherRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_CreateDispatcherResponse {
    let administrator = try context.account()
    let (dispatcher, token) = try await addProgram(
      .dispatcher(priority: request.priority), name: request.name, by: administrator, requestID: request.requestID
    ) { violations in
      if !(0...1_000).contains(request.priority) { violations.add("priority", "must be from 0 to 1,000") }
    }
    return .init(dispatcherID: dispatcher, token: token)
  }

  /// Its streams and those of the people at its desk end, and its calls go to the next one.
  /// - Throws: NOT_FOUND with reason NO_SUCH_DISPATCHER; INVALID_ARGUMENT.
  public func revokeDispatcher(
    _ request: Trackme_Admin_V1_RevokeDispatcherRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_RevokeDispatcherResponse {
    guard request.dispatcherID > 0 else {
      throw RPCStatus.invalidArgument(field: "dispatcher_id", problem: "must be positive")
    }
    guard let people = try await deskOperators.end(dispatcher: request.dispatcherID) else {
      throw RPCStatus.noDispatcher
    }
    for account in [request.dispatcherID] + people { access.end(.account(account)) }
    return .init()
  }
}

extension RPCStatus {
  static let noDispatcher = failure(
    .notFound, reason: "NO_SUCH_DISPATCHER", message: "there is no dispatcher of this number")
}
