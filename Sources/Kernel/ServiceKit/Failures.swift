internal import Log
internal import Postgres
public import RPCRuntime

/// The one table from errors of the layers below to statuses. What is in no row here ends as INTERNAL with a log id.
public struct Failures: ServerInterceptor {
  public init() {}

  /// - Throws: what `next` throws, with database errors and full queues as `RPCStatus`.
  public func intercept(_ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void) async throws {
    do {
      try await next(call)
    } catch let error as PostgresError {
      guard let status = Self.status(of: error) else { throw error }
      throw status
    } catch let full as FairTurns.Full {
      throw Self.status(of: full)
    }
  }

  private static func status(of full: FairTurns.Full) -> RPCStatus {
    guard let limit = full.limitOfAsker else { return tooBusy }
    return .failure(
      .resourceExhausted, reason: "TOO_MANY_QUESTIONS",
      message: "at most \(limit) of an account's questions about readings wait; ask again when some are answered",
      metadata: ["limit": "\(limit)"])
  }

  private static let tooBusy = RPCStatus.failure(
    .resourceExhausted, reason: "TOO_BUSY", message: "too many questions wait; try again later")

  private static func status(of error: PostgresError) -> RPCStatus? {
    switch error.kind {
    case .unknownOutcome:
      return .failure(
        .unavailable, reason: "OUTCOME_UNKNOWN",
        message:
          "the database has not confirmed the answer: a change that was asked for may have been made or not; ask "
          + "again, with the same request_id where the request has one")
    case .cancelled: return RPCStatus(.cancelled, "the call was cancelled")
    case .timeout:
      return .failure(.deadlineExceeded, reason: "DATABASE_TIMEOUT", message: "the database took too long")
    case .poolExhausted: return tooBusy
    case .connection, .poolClosed, .cluster:
      return .failure(.unavailable, reason: "DATABASE_GONE", message: "the database can't be reached; try again")
    case .server where error.isRetriable || error.isConnectionLost:
      return .failure(.unavailable, reason: "DATABASE_GONE", message: "the database can't answer now; try again")
    default: return nil
    }
  }
}
