/// The paths of a FieldMask: in lowerCamelCase in JSON, in the names of the .proto file on the wire.
enum FieldMaskText {
  /// False for a path that would not come back as the same one.
  static func appendLowerCamelCase(_ path: UnsafeRawBufferPointer, to out: inout GrowingBuffer<UInt8>) -> Bool {
    var isAfterUnderscore = false
    for byte in path {
      switch byte {
      case UInt8(ascii: "_") where !isAfterUnderscore: isAfterUnderscore = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        out.append(isAfterUnderscore ? byte - 32 : byte)
        isAfterUnderscore = false
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !isAfterUnderscore, UInt8(ascii: ".") where !isAfterUnderscore:
        out.append(byte)
      default: return false
      }
    }
    return !isAfterUnderscore
  }

  /// False for what is no path in lowerCamelCase.
  static func appendSnakeCase(_ path: UnsafeRawBufferPointer, to out: inout GrowingBuffer<UInt8>) -> Bool {
    for byte in path {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        out.append(UInt8(ascii: "_"))
        out.append(byte + 32)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
        out.append(byte)
      default: return false
      }
    }
    return true
  }
}
