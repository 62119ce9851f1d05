// What a google.protobuf.FileDescriptorSet says, as far as JSON needs it. Names are full ones, without a leading dot.

struct FileDescriptor {
  var package = ""
  var syntax = "proto2"
  var messages: [MessageDescriptor] = []
  var enums: [EnumDescriptor] = []
  var services: [ServiceDescriptor] = []
}

struct MessageDescriptor {
  var name = ""
  var fields: [FieldDescriptor] = []
  var oneofCount = 0
  var messages: [MessageDescriptor] = []
  var enums: [EnumDescriptor] = []
  var isMapEntry = false
}

struct FieldDescriptor {
  var name = ""
  var jsonName = ""
  var number: UInt32 = 0
  var kind = FieldKind.int32
  var isRepeated = false
  /// The message or enum of a field that has one.
  var typeName = ""
  /// The oneof it is a member of, by its place in the message; that of a proto3 `optional` field is one of its own.
  var oneof: Int?
  /// Whether repeated numbers are written packed, where the file says so.
  var isPacked: Bool?
}

struct EnumDescriptor {
  var name = ""
  var values: [(name: String, number: Int32)] = []
}

struct ServiceDescriptor {
  var name = ""
  var methods: [MethodDescriptor] = []
}

struct MethodDescriptor {
  var name = ""
  var input = ""
  var output = ""
  var isClientStreaming = false
  var isServerStreaming = false
  var hasNoSideEffects = false
}

/// The type of a field; the numbers are those of FieldDescriptorProto.Type.
enum FieldKind: UInt8, BitwiseCopyable {
  case double = 1
  case float, int64, uint64, int32, fixed64, fixed32, bool, string, group, message, bytes, uint32, enumeration
  case sfixed32, sfixed64, sint32, sint64

  /// The wire type of one value.
  @inline(__always)
  var wireType: WireType {
    switch self {
    case .double, .fixed64, .sfixed64: .fixed64
    case .float, .fixed32, .sfixed32: .fixed32
    case .string, .message, .bytes, .group: .bytes
    default: .varint
    }
  }
}
