// What the generator knows of a .proto file, in declaration order. Nested types stand in one flat list under their
// full names, because the generated Swift is flat too.

struct ProtoFile {
  var name: String
  var package: String
  var isProto3: Bool
  var dependencies: [String]
  var messages: [ProtoMessage]
  var enums: [ProtoEnum]
  var services: [ProtoService]
}

struct ProtoMessage {
  /// "trackme.ingest.v1.PushHello", without a leading dot.
  var fullName: String
  /// Whether the message is declared inside another one: protoc-c makes no pack and unpack functions for those.
  var isNested: Bool
  /// Whether the message is what protoc makes of `map<key, value>`: the field of it is repeated, and one object in JSON.
  var isMapEntry: Bool
  var comment: String
  var fields: [ProtoField]
  var oneofs: [ProtoOneof]
}

struct ProtoField {
  var name: String
  /// The field's name in JSON: `personId` for `person_id`.
  var jsonName: String
  var number: Int32
  var kind: FieldKind
  var isRepeated: Bool
  /// The place of the field's oneof in the message's list.
  var oneof: Int?
  var isProto3Optional: Bool
  var comment: String
}

struct ProtoOneof {
  var name: String
  var comment: String
}

/// The type of a field's value.
enum FieldKind: Equatable {
  case int32, int64, uint32, uint64, float, double, bool, string, bytes
  case message(String)
  case enumeration(String)
  /// A proto2 group, which no proto3 file can hold.
  case group
}

struct ProtoEnum {
  struct Value {
    var name: String
    var number: Int32
    var comment: String
  }
  var fullName: String
  var comment: String
  var values: [Value]
}

struct ProtoService {
  struct Method {
    var name: String
    var input: String
    var output: String
    var clientStreams: Bool
    var serverStreams: Bool
    /// The numbers of the kinds of callers that its option names.
    var callers: [Int32]
    var comment: String
  }
  var fullName: String
  var comment: String
  var methods: [Method]
}
