public import RPCRuntime
public import WireCodec

/// Sends messages to a client, in order. One task writes at a time.
public struct ResponseWriter<Message: WireMessage>: Sendable {
  @usableFromInline let call: ServerCall

  init(_ call: ServerCall) { self.call = call }

  /// Sends one message and returns when flow control has accepted it, which does not mean that the client has it.
  /// Throws `RPCStatus(.cancelled)` when the call is gone.
  ///
  /// - Parameter moreToCome: true if another message follows at once, so that both can share a packet.
  @inlinable
  public nonisolated(nonsending) func send(_ message: Message, moreToCome: Bool = false) async throws {
    try await call.send(message.encodedMessage(), moreToCome: moreToCome)
  }

  /// Sends a message that was encoded before. The same one may be sent to many clients, and its bytes are shared.
  @inlinable
  public nonisolated(nonsending) func sendEncoded(_ message: RPCMessage, moreToCome: Bool = false) async throws {
    try await call.send(message, moreToCome: moreToCome)
  }
}

extension WireMessage {
  /// The encoded message, written straight into the buffer that is sent.
  @inlinable
  public func encodedMessage() -> RPCMessage {
    withEncoded { size, write in RPCMessage(capacity: size, write) }
  }
}
