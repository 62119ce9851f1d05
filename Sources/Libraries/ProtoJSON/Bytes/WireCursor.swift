internal import WireCodec

/// A place in the bytes of a message, from which the parts of the wire format are read.
struct WireCursor: BitwiseCopyable {
  private(set) var at: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>

  init(_ bytes: UnsafeRawBufferPointer) {
    // An empty buffer may have no address; any will do, as nothing is read there.
    at = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(bitPattern: 8)!
    end = at + bytes.count
  }

  init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    at = start
    end = start + count
  }

  @inline(__always)
  var isAtEnd: Bool { at == end }

  /// A varint of up to ten bytes. Longer forms than are needed are taken.
  @inline(__always)
  mutating func varint() throws(WireError) -> UInt64 {
    if at < end, at.pointee < 0x80 {
      at += 1
      return UInt64(at[-1])
    }
    return try longVarint()
  }

  private mutating func longVarint() throws(WireError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < end {
      let byte = at.pointee
      // The tenth byte has room for one bit.
      guard shift < 63 || byte <= 1 else { throw WireError(field: "", problem: "holds a varint of more than 64 bits") }
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw .cutOff
  }

  /// The number of the field that follows, and its wire type. Groups and what is no wire type are refused.
  @inline(__always)
  mutating func tag() throws(WireError) -> (number: UInt32, wireType: WireType) {
    let tag = try varint()
    guard tag >> 3 != 0, tag <= UInt64(UInt32.max) else {
      throw WireError(field: "", problem: "holds a field whose number is none")
    }
    guard let wireType = WireType(rawValue: UInt8(tag & 7)) else {
      let isGroup = tag & 7 == 3 || tag & 7 == 4
      throw WireError(field: "", problem: isGroup ? "holds a group" : "holds a field of no wire type")
    }
    return (UInt32(tag >> 3), wireType)
  }

  @inline(__always)
  mutating func fixed64() throws(WireError) -> UInt64 {
    guard end - at >= 8 else { throw .cutOff }
    at += 8
    return UInt64(littleEndian: UnsafeRawPointer(at - 8).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  mutating func fixed32() throws(WireError) -> UInt32 {
    guard end - at >= 4 else { throw .cutOff }
    at += 4
    return UInt32(littleEndian: UnsafeRawPointer(at - 4).loadUnaligned(as: UInt32.self))
  }

  /// The bytes of a field of wire type LEN.
  @inline(__always)
  mutating func bytes() throws(WireError) -> UnsafeRawBufferPointer {
    let count = try varint()
    guard count <= UInt64(end - at) else { throw .cutOff }
    at += Int(count)
    return UnsafeRawBufferPointer(start: at - Int(count), count: Int(count))
  }

  /// A number that takes as many bytes as its wire type says.
  @inline(__always)
  mutating func number(_ wireType: WireType) throws(WireError) -> UInt64 {
    switch wireType {
    case .varint: try varint()
    case .fixed64: try fixed64()
    default: UInt64(try fixed32())
    }
  }

  /// Goes on behind a value.
  mutating func skip(_ wireType: WireType) throws(WireError) {
    if wireType == .bytes { _ = try bytes() } else { _ = try number(wireType) }
  }
}

/// How many bytes a value takes on the wire. Groups are left out.
enum WireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  /// A length, and as many bytes: strings, bytes, messages and packed numbers.
  case bytes = 2
  case fixed32 = 5
}

extension WireError {
  static var cutOff: WireError { WireError(field: "", problem: "is cut off") }

  /// The same error as seen from the message that holds the faulty one in an element of a repeated field.
  func inside(_ field: String, at index: Int) -> WireError { inside("\(field)[\(index)]") }
}
