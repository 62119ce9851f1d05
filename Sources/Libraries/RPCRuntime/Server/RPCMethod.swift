/// One method that a server answers.
public struct RPCMethod: Sendable {
  /// Runs one call from its first message to its status.
  ///
  /// Returning means OK. A thrown `RPCStatus` is the call's status; `CancellationError` means CANCELLED; any other
  /// error becomes INTERNAL with an id under which the server logs it, and nothing else.
  public typealias Handler = @Sendable (ServerCall) async throws -> Void

  /// `/package.Service/Method`.
  public let path: String
  /// What runs a call.
  public let handler: Handler
  /// The limits of every call of the method.
  public let limits: CallLimits

  /// Makes a method.
  public init(path: String, limits: CallLimits = CallLimits(), handler: @escaping Handler) {
    self.path = path
    self.limits = limits
    self.handler = handler
  }
}

/// Something that stands before every handler of a server.
///
/// The first interceptor given to the server is the outermost. One that throws ends the call with what it throws; one
/// that does not call `next` and returns ends it with OK. It runs where the handler runs: on the call's loop.
public protocol ServerInterceptor: Sendable {
  /// Runs around the rest of a call.
  func intercept(_ call: ServerCall, next: @Sendable (ServerCall) async throws -> Void) async throws

  /// Who makes a call, as far as that is known before it is taken; nil says nothing, and where every interceptor says
  /// nothing the caller is `known`. It runs on the loop before anything else of the call and must not wait.
  func standing(of call: ServerCall) -> CallStanding?
}

extension ServerInterceptor {
  /// Says nothing.
  public func standing(of call: ServerCall) -> CallStanding? { nil }
}
