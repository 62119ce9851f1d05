/// The limits of one call.
public struct CallLimits: Sendable, Equatable {
  /// The longest message taken from the peer, in bytes. A longer one ends the call with RESOURCE_EXHAUSTED.
  /// nil means the server's `maxReceiveMessageBytes`.
  public var maxReceiveMessageBytes: Int?
  /// How many calls of the method may run at once; more are refused with RESOURCE_EXHAUSTED. nil means no limit of
  /// its own.
  public var maxConcurrentCalls: Int?

  /// Makes limits; nil means the server's.
  public init(maxReceiveMessageBytes: Int? = nil, maxConcurrentCalls: Int? = nil) {
    self.maxReceiveMessageBytes = maxReceiveMessageBytes
    self.maxConcurrentCalls = maxConcurrentCalls
  }
}
