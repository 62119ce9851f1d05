internal import Log
internal import Postgres
public import RPCRuntime

/// Notes for whom a call asks the database, so that accounts take turns with what is heavy, and until when, so that
/// nothing goes on there for a caller who has stopped waiting.
public struct OnBehalf: ServerInterceptor {
  public init() {}

  /// Binds `Asker.current` and `Pool.deadline` for the call. Must come after the interceptor that finds out who calls.
  public func intercept(_ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void) async throws {
    let asker = call.values[PrincipalKey.self]?.account.map(Asker.account) ?? .server
    try await Asker.$current.withValue(asker) {
      try await Pool.$deadline.withValue(call.deadline) { try await next(call) }
    }
  }
}
