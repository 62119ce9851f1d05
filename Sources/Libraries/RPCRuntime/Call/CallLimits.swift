/// The limits of one call.
public struct CallLimits: Sendable, Equatable {
  /// The longest message taken from the peer, in bytes. A longer one ends the call with RESOURCE_EXHAUSTED.
  /// nil means the server's `maxReceiveMessageBytes`.
  public var maxReceiveMessageBytes: Int?

  /// Makes limits; nil means the server's.
  public init(maxReceiveMessageBytes: Int? = nil) {
    self.maxReceiveMessageBytes = maxReceiveMessageBytes
  }
}
