import CMessages
import CProtobufC

/// The calling thread's arena: short-lived memory for C structs. Never kept across a suspension.
struct Arena {
  private let arena: UnsafeMutablePointer<trackme_arena>

  static var ofThread: Arena { Arena(arena: trackme_arena_of_thread()) }

  /// How much memory the C structs of a message of `size` bytes may take. Ordinary messages take up to 40 times their
  /// size, when they hold many small messages; made for the purpose, one can ask for hundreds of times.
  static func budget(forDecoding size: Int) -> Int { 64 << 10 + 64 * size }

  var allocator: UnsafeMutablePointer<ProtobufCAllocator> {
    // The allocator is the first member.
    UnsafeMutableRawPointer(arena).assumingMemoryBound(to: ProtobufCAllocator.self)
  }

  /// Scopes nest; each one is ended on the thread on which it began.
  func begin(budget: Int) -> trackme_arena_scope { trackme_arena_begin(arena, budget) }

  func end(_ scope: trackme_arena_scope) { trackme_arena_end(arena, scope) }

  private func allocate<T>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    guard let memory = trackme_arena_allocate(arena, count * MemoryLayout<T>.stride) else {
      preconditionFailure("no memory to encode a message")
    }
    return memory.bindMemory(to: T.self, capacity: count)
  }

  private func copy<S, T>(_ values: [S], _ transform: (S) -> T) -> UnsafeMutablePointer<T>? {
    guard !values.isEmpty else { return nil }
    let memory = allocate(T.self, values.count)
    for (index, value) in values.enumerated() { (memory + index).initialize(to: transform(value)) }
    return memory
  }
}

// MARK: Swift values as C values

extension Arena {
  /// The struct of a message.
  func structure<M: ArenaValue>(of value: M) -> UnsafeMutablePointer<M.C> {
    let c = allocate(M.C.self, 1)
    M.initialize(c)
    value.fill(c, self)
    return c
  }

  func message<M: ArenaValue>(_ value: M?) -> UnsafeMutablePointer<M.C>? {
    if let value { structure(of: value) } else { nil }
  }

  func messages<M: ArenaValue>(_ values: [M]) -> UnsafeMutablePointer<UnsafeMutablePointer<M.C>?>? {
    copy(values, structure)
  }

  /// The string, NUL-terminated; a NUL inside it becomes U+FFFD.
  func string(_ value: String) -> UnsafeMutablePointer<CChar> {
    var contiguous = value
    return contiguous.withUTF8 { utf8 in
      if utf8.contains(0) { return string(value.replacing("\0", with: "\u{FFFD}")) }
      let memory = allocate(CChar.self, utf8.count + 1)
      let bytes = UnsafeMutableRawBufferPointer(start: memory, count: utf8.count + 1)
      bytes.copyMemory(from: UnsafeRawBufferPointer(utf8))
      bytes[utf8.count] = 0
      return memory
    }
  }

  func strings(_ values: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { copy(values, string) }

  func bytes(_ value: [UInt8]) -> ProtobufCBinaryData {
    ProtobufCBinaryData(len: value.count, data: storage(of: value))
  }

  func byteStrings(_ values: [[UInt8]]) -> UnsafeMutablePointer<ProtobufCBinaryData>? { copy(values, bytes) }

  func bools(_ values: [Bool]) -> UnsafeMutablePointer<protobuf_c_boolean>? { copy(values) { $0 ? 1 : 0 } }

  func enumerations<E: RawRepresentable, C: RawRepresentable>(_ values: [E]) -> UnsafeMutablePointer<C>?
  where E.RawValue == Int32, C.RawValue: FixedWidthInteger {
    copy(values) { C(rawValue: .init(truncatingIfNeeded: $0.rawValue))! }
  }

  /// The array's own storage. The pointer is good for as long as the array that was passed is alive and unchanged,
  /// which `encodeInArena` sees to; packing only reads.
  func storage<T>(of values: [T]) -> UnsafeMutablePointer<T>? {
    values.withUnsafeBufferPointer { UnsafeMutablePointer(mutating: $0.baseAddress) }
  }
}
