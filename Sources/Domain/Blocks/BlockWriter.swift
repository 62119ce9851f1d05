/// A growing byte buffer that lets columns be written through raw pointers and is reused from block to block.
struct BlockWriter: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  /// Room that `reserve` keeps after the bytes asked for, so that an 8-byte store may overhang a narrow entry.
  private static let overhang = 8

  init(capacity: Int = 4096) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  mutating func removeAll() { count = 0 }

  /// Appends `size` bytes that the caller fills, and may overhang by less than 8 bytes while doing so.
  mutating func append(_ size: Int) -> UnsafeMutableRawPointer {
    let needed = count + size + Self.overhang
    if needed > capacity { grow(to: needed) }
    defer { count += size }
    return base + count
  }

  mutating func append(byte: UInt8) {
    append(1).storeBytes(of: byte, as: UInt8.self)
  }

  /// Appends the `size` lowest bytes of `value`, least significant first.
  mutating func append(_ value: UInt64, size: Int) {
    append(size).storeBytes(of: value.littleEndian, as: UInt64.self)
  }

  /// A copy of what was written.
  var bytes: [UInt8] {
    Array(UnsafeRawBufferPointer(start: base, count: count))
  }

  private mutating func grow(to needed: Int) {
    capacity = max(needed, capacity * 2)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = larger
  }
}
