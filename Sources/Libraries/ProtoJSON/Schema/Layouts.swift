// The rows of the tables of a schema. All are plain values.

/// A piece of the schema's texts.
struct TextRange: BitwiseCopyable {
  var start: UInt32
  var count: UInt32
}

struct MessageLayout: BitwiseCopyable {
  var name: TextRange
  /// Its fields follow each other, by number.
  var firstField: Int32
  var fieldCount: Int32
  /// For each number below `numberCount` the place of its field, or UInt16.max.
  var firstNumber: Int32
  var numberCount: UInt32
  /// Its fields by their two names.
  var names: NameTable
  /// Oneofs of two fields and more, and of one; not those of `optional` fields.
  var oneofCount: Int32
  var wellKnown: WellKnownType
}

struct FieldLayout: BitwiseCopyable {
  var number: UInt32
  /// The place of its message or enum.
  var type: Int32
  /// Its name in the .proto file.
  var name: TextRange
  /// Its name in JSON, in quotes and with a colon.
  var key: TextRange
  /// The oneof it is a member of, by its place in the message; -1 if none.
  var oneof: Int16
  var kind: FieldKind
  var isRepeated: Bool
  var isMap: Bool
  /// Whether repeated numbers are written packed; both forms are read.
  var isPacked: Bool
  /// Whether a value that is the default differs from no value.
  var hasPresence: Bool

  /// Its name in JSON.
  @inline(__always)
  var jsonName: TextRange { TextRange(start: key.start + 1, count: key.count - 3) }

  /// Whether several of its values may come in one run of bytes.
  @inline(__always)
  var isPackable: Bool { isRepeated && kind.wireType != .bytes }
}

struct EnumLayout: BitwiseCopyable {
  /// Its values follow each other, by number; of several names of a number the first one stands here.
  var firstValue: Int32
  var valueCount: Int32
  /// The numbers of all names.
  var names: NameTable
  /// google.protobuf.NullValue, which JSON writes as null.
  var isNull: Bool
}

struct EnumValueLayout: BitwiseCopyable {
  var number: Int32
  var quotedName: TextRange
}

/// Names in slots of a hash table, at most half of which are taken.
struct NameTable: BitwiseCopyable {
  var firstSlot: UInt32
  /// How many slots there are, less one; a power of two less one.
  var mask: UInt32

  /// Of names that the schema has chosen, so nobody can choose colliding ones.
  @inline(__always)
  static func hash(_ name: UnsafeRawBufferPointer) -> UInt32 {
    let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    var hash = UInt64(name.count) &* multiplier
    var index = 0
    while index + 8 <= name.count {
      hash = (hash ^ name.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* multiplier
      hash ^= hash >> 32
      index += 8
    }
    var rest: UInt64 = 0
    while index < name.count {
      rest = rest << 8 | UInt64(name[index])
      index += 1
    }
    hash = (hash ^ rest) &* multiplier
    return UInt32(truncatingIfNeeded: hash >> 32)
  }
}

struct NameSlot: BitwiseCopyable {
  /// Empty in a slot that is free.
  var name: TextRange
  var value: Int32
}

/// The messages that have a form of their own in JSON.
enum WellKnownType: UInt8, BitwiseCopyable {
  case none, any, timestamp, duration, fieldMask, wrapper, structure, value, listValue

  init(_ name: String) {
    switch name {
    case "google.protobuf.Any": self = .any
    case "google.protobuf.Timestamp": self = .timestamp
    case "google.protobuf.Duration": self = .duration
    case "google.protobuf.FieldMask": self = .fieldMask
    case "google.protobuf.Struct": self = .structure
    case "google.protobuf.Value": self = .value
    case "google.protobuf.ListValue": self = .listValue
    case "google.protobuf.DoubleValue", "google.protobuf.FloatValue", "google.protobuf.Int64Value",
      "google.protobuf.UInt64Value", "google.protobuf.Int32Value", "google.protobuf.UInt32Value",
      "google.protobuf.BoolValue", "google.protobuf.StringValue", "google.protobuf.BytesValue":
      self = .wrapper
    default: self = .none
    }
  }
}
