/// A field as it was met in the bytes of a message.
struct Occurrence: BitwiseCopyable {
  /// The place of the field in its message.
  var field: UInt16
  /// Whether another member of its oneof stood before it: what the field held earlier is then void.
  var isSwitch: Bool
  /// The number of bytes of a LEN field; -1 for a number.
  var length: Int32
  /// A number, or the place of the bytes in the input.
  var bits: UInt64

  @inline(__always)
  var isNumber: Bool { length < 0 }
}
