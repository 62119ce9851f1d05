internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  /// The account's sessions and streams end; calls that were theirs are their colleagues' to go on with.
  /// - Throws: NOT_FOUND with reason NO_SUCH_DESK_OPERATOR; INVALID_ARGUMENT.
  public func revokeDeskOperator(
    _ request: Trackme_Admin_V1_RevokeDeskOperatorRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_RevokeDeskOperatorResponse {
    guard request.accountID > 0 else {
      throw RPCStatus.invalidArgument(field: "account_id", problem: "must be positive")
    }
    guard try await deskOperators.end(request.accountID) else {
      throw RPCStatus.failure(
        .notFound, reason: "NO_SUCH_DESK_OPERATOR", message: "there is nobody at a desk of this number")
    }
    access.end(.account(request.accountID))
    return .init()
  }
}
