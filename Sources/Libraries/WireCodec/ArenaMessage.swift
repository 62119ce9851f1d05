import CMessages
import CProtobufC

/// A Swift value that mirrors one of protoc-c's structs.
protocol ArenaValue: Sendable {
  /// protoc-c's struct.
  associatedtype C

  /// Sets the memory to an empty message.
  static func initialize(_ c: UnsafeMutablePointer<C>)

  /// Copies out of a decoded struct; nothing points into the arena afterwards.
  init(_ c: UnsafePointer<C>) throws(WireError)

  /// Sets the fields of an empty struct, which then points into the arena and into the arrays of `self`.
  func fill(_ c: UnsafeMutablePointer<C>, _ arena: Arena)
}

/// A message that can stand on its own, and not only inside another one.
protocol ArenaMessage: ArenaValue, WireMessage {
  /// Decodes with the given allocator; nil if the bytes are no such message or the memory does not suffice.
  static func unpack(
    _ bytes: UnsafeRawBufferPointer, _ allocator: UnsafeMutablePointer<ProtobufCAllocator>
  ) -> UnsafeMutablePointer<C>?
}

extension ArenaMessage {
  static func decodeInArena(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Self {
    let arena = Arena.ofThread
    let scope = arena.begin(budget: Arena.budget(forDecoding: bytes.count))
    defer { arena.end(scope) }
    guard let c = unpack(bytes, arena.allocator) else {
      throw WireError(field: "", problem: "is not a valid message, or needs too much memory")
    }
    return try Self(UnsafePointer(c))
  }

  func encodeInArena<R>(_ body: (_ size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) -> R) -> R {
    let arena = Arena.ofThread
    let scope = arena.begin(budget: .max)
    defer { arena.end(scope) }
    // The C struct points at the arrays of `self`: they must live, unchanged, until it is packed.
    return withExtendedLifetime(self) {
      // protoc-c's structs all start with a ProtobufCMessage.
      let message = UnsafeRawPointer(arena.structure(of: self)).assumingMemoryBound(to: ProtobufCMessage.self)
      let size = protobuf_c_message_get_packed_size(message)
      return body(size) { buffer in
        precondition(buffer.count >= size, "the buffer is smaller than the message")
        guard size > 0 else { return 0 }
        return protobuf_c_message_pack(message, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
      }
    }
  }
}
