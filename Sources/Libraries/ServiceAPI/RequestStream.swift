public import RPCRuntime
public import WireCodec

/// The messages of a client, in order.
///
/// Each one is taken from the network when it is asked for, so a handler that does not ask slows the client down
/// through flow control. One task reads at a time.
public struct RequestStream<Message: WireMessage>: AsyncSequence, Sendable {
  @usableFromInline let call: ServerCall

  init(_ call: ServerCall) { self.call = call }

  /// The next message; nil once the client has finished sending. Throws `RPCStatus`: CANCELLED when the call is gone,
  /// INVALID_ARGUMENT for bytes that are not a valid message.
  @inlinable
  public nonisolated(nonsending) func next() async throws -> Message? {
    guard let message = try await call.next() else { return nil }
    return try Message.decoded(fromRequest: message)
  }

  /// The next message, and what `stamp` said when it had been received and was not decoded yet. Throws as `next()`.
  @inlinable
  public nonisolated(nonsending) func next<Stamp>(
    stampedBy stamp: () -> Stamp
  ) async throws -> (message: Message, stamp: Stamp)? {
    guard let message = try await call.next() else { return nil }
    let stamp = stamp()
    return (try Message.decoded(fromRequest: message), stamp)
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let stream: RequestStream

    public func next() async throws -> Message? { try await stream.next() }
  }
}

extension WireMessage {
  /// Decodes a client's message; throws INVALID_ARGUMENT that names the field at fault.
  @inlinable
  static func decoded(fromRequest message: RPCMessage) throws -> Self {
    do {
      return try message.withUnsafeBytes { bytes in try decode(bytes) }
    } catch let error as WireError {
      throw RPCStatus(invalidMessage: error)
    }
  }
}
