// The wire format, written at the end of a buffer.

extension GrowingBuffer<UInt8> {
  @inline(__always)
  mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  @inline(__always)
  mutating func appendTag(_ number: UInt32, _ wireType: WireType) {
    appendVarint(UInt64(number) << 3 | UInt64(wireType.rawValue))
  }

  /// A number in the form of its wire type.
  @inline(__always)
  mutating func appendNumber(_ bits: UInt64, _ wireType: WireType) {
    switch wireType {
    case .varint: appendVarint(bits)
    case .fixed64: UnsafeMutableRawPointer(extend(by: 8)).storeBytes(of: bits.littleEndian, as: UInt64.self)
    default:
      UnsafeMutableRawPointer(extend(by: 4))
        .storeBytes(of: UInt32(truncatingIfNeeded: bits).littleEndian, as: UInt32.self)
    }
  }

  /// Begins a part whose length is not known yet; `endLength` takes what this returns.
  @inline(__always)
  mutating func beginLength() -> Int {
    append(0)
    return count
  }

  /// Ends the part that began at `start`. One of 128 bytes or more is moved by as many bytes as its length takes more.
  @inline(__always)
  mutating func endLength(from start: Int) {
    let length = count - start
    if length < 0x80 {
      self[start - 1] = UInt8(length)
    } else {
      moveBehindLength(start, length)
    }
  }

  private mutating func moveBehindLength(_ start: Int, _ length: Int) {
    let size = (UInt64.bitWidth - UInt64(length).leadingZeroBitCount + 6) / 7
    _ = extend(by: size - 1)
    let bytes = elements(from: start).baseAddress!
    (bytes + size - 1).update(from: bytes, count: length)
    removeLast(to: start - 1)
    appendVarint(UInt64(length))
    _ = extend(by: length)
  }
}
