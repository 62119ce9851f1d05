/// A cursor over a payload; every step is checked against the end, so no header can lead outside.
struct BlockReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var remaining: Int { bytes.count - offset }

  mutating func byte() throws(BlockError) -> UInt8 {
    guard remaining >= 1 else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// An unsigned number of `size` bytes (at most 8), least significant first.
  mutating func unsigned(size: Int) throws(BlockError) -> UInt64 {
    guard size <= 8 else { throw .malformed(.headerLength) }
    guard remaining >= size else { throw .truncated }
    var value: UInt64 = 0
    for index in 0..<size { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    offset += size
    return value
  }

  /// A two's complement number of `size` bytes (at most 8), least significant first, extended by its sign.
  mutating func signed(size: Int) throws(BlockError) -> Int64 {
    let value = try unsigned(size: size)
    guard size > 0, size < 8 else { return Int64(bitPattern: value) }
    let unused = Int64(64 - 8 * size)
    return Int64(bitPattern: value << UInt64(unused)) >> unused
  }

  /// Steps over `count` entries of `width` bytes. The bytes given back begin with them and run to the payload's end.
  mutating func entries(_ count: Int, width: Int) throws(BlockError) -> UnsafeRawBufferPointer {
    let (size, overflow) = count.multipliedReportingOverflow(by: width)
    guard !overflow, size <= remaining else { throw .truncated }
    defer { offset += size }
    return UnsafeRawBufferPointer(rebasing: bytes[offset...])
  }
}
