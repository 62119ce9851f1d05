/// PostgreSQL's binary form of a one-dimensional array: a header of five 4-byte words (two fewer would be an empty
/// array: dimensions, has-nulls, element type, then length and lower bound), and each element with its length before
/// it.
enum BinaryArray {
  static func fixed<T: FixedWidthInteger>(_ values: [T], element: UInt32) -> [UInt8] {
    let stride = 4 + MemoryLayout<T>.size
    let size = headerSize(values.count) + values.count * stride
    // Uninitialized: header and elements fill `size` bytes without a gap.
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      var offset = writeHeader(raw, count: values.count, element: element)
      for value in values {
        raw.storeBytes(of: Int32(MemoryLayout<T>.size).bigEndian, toByteOffset: offset, as: Int32.self)
        raw.storeBytes(of: value.bigEndian, toByteOffset: offset + 4, as: T.self)
        offset += stride
      }
      count = size
    }
  }

  static func variable(_ values: [[UInt8]], element: UInt32) -> [UInt8] {
    variable(values.count, sizes: values.reduce(0) { $0 + $1.count }, element: element) { append in
      for value in values { value.withUnsafeBytes(append) }
    }
  }

  static func texts(_ values: [String], element: UInt32) -> [UInt8] {
    variable(values.count, sizes: values.reduce(0) { $0 + $1.utf8.count }, element: element) { append in
      for var value in values { value.withUTF8 { append(UnsafeRawBufferPointer($0)) } }
    }
  }

  private static func variable(
    _ elements: Int, sizes: Int, element: UInt32, _ each: ((UnsafeRawBufferPointer) -> Void) -> Void
  ) -> [UInt8] {
    let size = headerSize(elements) + sizes + 4 * elements
    // Uninitialized: what counts is what has been written, which fits if `each` gives what `elements` and `sizes` say.
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      var offset = writeHeader(raw, count: elements, element: element)
      each { bytes in
        raw.storeBytes(of: Int32(bytes.count).bigEndian, toByteOffset: offset, as: Int32.self)
        UnsafeMutableRawBufferPointer(rebasing: raw[(offset + 4)...]).copyMemory(from: bytes)
        offset += 4 + bytes.count
      }
      count = offset
    }
  }

  private static func headerSize(_ count: Int) -> Int { count == 0 ? 12 : 20 }

  private static func writeHeader(_ raw: UnsafeMutableRawBufferPointer, count: Int, element: UInt32) -> Int {
    let words: [UInt32] = count == 0 ? [0, 0, element] : [1, 0, element, UInt32(count), 1]
    for (index, word) in words.enumerated() {
      raw.storeBytes(of: word.bigEndian, toByteOffset: index * 4, as: UInt32.self)
    }
    return words.count * 4
  }

  /// Calls `each` with every element of a one-dimensional array; `nil` is NULL. False when the bytes are malformed.
  static func forEach(
    _ bytes: UnsafeRawBufferPointer, reserve: (Int) -> Void, _ each: (UnsafeRawBufferPointer?) -> Bool
  ) -> Bool {
    guard bytes.count >= 12 else { return false }
    let dimensions = bytes.bigEndian(at: 0, as: UInt32.self)
    if dimensions == 0 { return true }
    guard dimensions == 1, bytes.count >= 20 else { return false }
    let count = Int(bytes.bigEndian(at: 12, as: UInt32.self))
    // Each element takes at least its length word, so a wrong count cannot make us reserve much.
    guard count <= (bytes.count - 20) / 4 else { return false }
    reserve(count)
    var offset = 20
    for _ in 0..<count {
      guard offset + 4 <= bytes.count else { return false }
      let length = Int(bytes.bigEndian(at: offset, as: Int32.self))
      offset += 4
      if length < 0 {
        guard each(nil) else { return false }
      } else {
        guard offset + length <= bytes.count,
          each(UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)]))
        else { return false }
        offset += length
      }
    }
    return offset == bytes.count
  }
}

extension UnsafeRawBufferPointer {
  /// Reads a network-order integer; the caller has checked the bounds.
  func bigEndian<T: FixedWidthInteger>(at offset: Int, as type: T.Type) -> T {
    T(bigEndian: loadUnaligned(fromByteOffset: offset, as: T.self))
  }
}
