public import RPCRuntime

/// What a handler knows of its call besides the messages.
public struct CallContext: Sendable {
  /// The call itself.
  public let call: ServerCall

  /// Wraps a call.
  public init(_ call: ServerCall) { self.call = call }

  /// "/package.Service/Method".
  public var path: String { call.path }

  /// Where the call comes from, as limits count it.
  public var client: ClientAddress { call.client }

  /// What the client sent ahead of its messages.
  public var metadata: Metadata { call.metadata }

  /// When the client stops waiting; nil if it waits for ever.
  public var deadline: ContinuousClock.Instant? { call.deadline }

  /// Whether the client is gone or has given up.
  public var isCancelled: Bool { call.isCancelled }

  /// What interceptors attached to the call, such as the caller's identity.
  public var values: CallValues { call.values }

  /// Sets what is sent ahead of the first response. Has no effect after that.
  public func setInitialMetadata(_ metadata: Metadata) { call.setInitialMetadata(metadata) }

  /// Sends the initial metadata now, ahead of the first response: the client learns that the call was accepted.
  public nonisolated(nonsending) func sendInitialMetadata() async throws { try await call.sendInitialMetadata() }

  /// Sets what is sent with the status.
  public func setTrailingMetadata(_ metadata: Metadata) { call.setTrailingMetadata(metadata) }
}
