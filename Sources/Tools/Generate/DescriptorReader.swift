import CMessages
import CProtobufC

/// Reads a serialized `google.protobuf.FileDescriptorSet`, as `protoc --descriptor_set_out` writes it.
struct DescriptorReader {
  struct Unreadable: Error {}

  /// Without descriptor.proto, which options are declared with and no message of ours uses.
  var files: [ProtoFile] = []
  /// The whole set without comments and source positions: what the server embeds.
  var bytesWithoutSourceInfo: [UInt8] = []

  init(_ bytes: [UInt8]) throws {
    guard let set = google__protobuf__file_descriptor_set__unpack(nil, bytes.count, bytes) else { throw Unreadable() }
    defer { google__protobuf__file_descriptor_set__free_unpacked(set, nil) }
    for file in pointers(set.pointee.file, set.pointee.n_file) {
      var reader = FileReader(file)
      let read = reader.read()
      if read.name != "google/protobuf/descriptor.proto" { files.append(read) }
      // The comments have been copied.
      if let info = file.pointee.source_code_info {
        google__protobuf__source_code_info__free_unpacked(info, nil)
        file.pointee.source_code_info = nil
      }
    }
    let size = google__protobuf__file_descriptor_set__get_packed_size(set)
    // Uninitialized: protobuf-c writes as many bytes as it has said, and says how many it wrote.
    bytesWithoutSourceInfo = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = google__protobuf__file_descriptor_set__pack(set, buffer.baseAddress)
    }
  }
}

/// Reads one file. Comments are looked up by the path of field numbers and indices that descriptor.proto defines.
private struct FileReader {
  typealias Path = [Int32]

  let file: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>
  let comments: [Path: String]
  var messages: [ProtoMessage] = []
  var enums: [ProtoEnum] = []

  init(_ file: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>) {
    self.file = file
    var comments: [Path: String] = [:]
    if let info = file.pointee.source_code_info {
      for location in pointers(info.pointee.location, info.pointee.n_location) {
        guard let comment = location.pointee.leading_comments ?? location.pointee.trailing_comments else { continue }
        comments[Path(UnsafeBufferPointer(start: location.pointee.path, count: location.pointee.n_path))] =
          String(cString: comment)
      }
    }
    self.comments = comments
  }

  mutating func read() -> ProtoFile {
    let package = text(file.pointee.package)
    let scope = package.isEmpty ? "" : package + "."
    for (index, message) in pointers(file.pointee.message_type, file.pointee.n_message_type).enumerated() {
      readMessage(message, scope: scope, path: [4, Int32(index)], isNested: false)
    }
    for (index, enumeration) in pointers(file.pointee.enum_type, file.pointee.n_enum_type).enumerated() {
      readEnum(enumeration, scope: scope, path: [5, Int32(index)])
    }
    let services = pointers(file.pointee.service, file.pointee.n_service).enumerated().map { index, service in
      readService(service, scope: scope, path: [6, Int32(index)])
    }
    return ProtoFile(
      name: text(file.pointee.name), package: package, isProto3: text(file.pointee.syntax) == "proto3",
      dependencies: pointers(file.pointee.dependency, file.pointee.n_dependency).map { String(cString: $0) },
      messages: messages, enums: enums, services: services)
  }

  private mutating func readMessage(
    _ message: UnsafeMutablePointer<Google__Protobuf__DescriptorProto>, scope: String, path: Path, isNested: Bool
  ) {
    let fullName = scope + text(message.pointee.name)
    let fields = pointers(message.pointee.field, message.pointee.n_field).enumerated().map { index, field in
      ProtoField(
        name: text(field.pointee.name), jsonName: text(field.pointee.json_name), number: field.pointee.number,
        kind: kind(of: field),
        isRepeated: field.pointee.label == GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__LABEL__LABEL_REPEATED,
        oneof: field.pointee.has_oneof_index != 0 ? Int(field.pointee.oneof_index) : nil,
        isProto3Optional: field.pointee.proto3_optional != 0, comment: comment(path + [2, Int32(index)]))
    }
    let oneofs = pointers(message.pointee.oneof_decl, message.pointee.n_oneof_decl).enumerated().map { index, oneof in
      ProtoOneof(name: text(oneof.pointee.name), comment: comment(path + [8, Int32(index)]))
    }
    messages.append(
      ProtoMessage(
        fullName: fullName, isNested: isNested, isMapEntry: message.pointee.options?.pointee.map_entry == 1,
        comment: comment(path), fields: fields, oneofs: oneofs))
    for (index, nested) in pointers(message.pointee.nested_type, message.pointee.n_nested_type).enumerated() {
      readMessage(nested, scope: fullName + ".", path: path + [3, Int32(index)], isNested: true)
    }
    for (index, nested) in pointers(message.pointee.enum_type, message.pointee.n_enum_type).enumerated() {
      readEnum(nested, scope: fullName + ".", path: path + [4, Int32(index)])
    }
  }

  private mutating func readEnum(
    _ enumeration: UnsafeMutablePointer<Google__Protobuf__EnumDescriptorProto>, scope: String, path: Path
  ) {
    let values = pointers(enumeration.pointee.value, enumeration.pointee.n_value).enumerated().map { index, value in
      ProtoEnum.Value(
        name: text(value.pointee.name), number: value.pointee.number, comment: comment(path + [2, Int32(index)]))
    }
    enums.append(ProtoEnum(fullName: scope + text(enumeration.pointee.name), comment: comment(path), values: values))
  }

  private func readService(
    _ service: UnsafeMutablePointer<Google__Protobuf__ServiceDescriptorProto>, scope: String, path: Path
  ) -> ProtoService {
    let methods = pointers(service.pointee.method, service.pointee.n_method).enumerated().map { index, method in
      ProtoService.Method(
        name: text(method.pointee.name), input: typeName(method.pointee.input_type),
        output: typeName(method.pointee.output_type), clientStreams: method.pointee.client_streaming != 0,
        serverStreams: method.pointee.server_streaming != 0, callers: callers(in: method.pointee.options),
        comment: comment(path + [2, Int32(index)]))
    }
    return ProtoService(fullName: scope + text(service.pointee.name), comment: comment(path), methods: methods)
  }

  private func kind(of field: UnsafeMutablePointer<Google__Protobuf__FieldDescriptorProto>) -> FieldKind {
    // The numbers of FieldDescriptorProto.Type.
    switch field.pointee.type.rawValue {
    case 1: .double
    case 2: .float
    case 3, 16, 18: .int64
    case 4, 6: .uint64
    case 5, 15, 17: .int32
    case 7, 13: .uint32
    case 8: .bool
    case 9: .string
    case 11: .message(typeName(field.pointee.type_name))
    case 12: .bytes
    case 14: .enumeration(typeName(field.pointee.type_name))
    default: .group
    }
  }

  private func comment(_ path: Path) -> String { comments[path] ?? "" }

  private func typeName(_ name: UnsafeMutablePointer<CChar>?) -> String { String(text(name).drop { $0 == "." }) }

  private func text(_ string: UnsafeMutablePointer<CChar>?) -> String { string.map { String(cString: $0) } ?? "" }
}

/// The elements of a repeated field of messages or strings.
private func pointers<T>(
  _ start: UnsafeMutablePointer<UnsafeMutablePointer<T>?>?, _ count: Int
) -> [UnsafeMutablePointer<T>] {
  UnsafeBufferPointer(start: start, count: count).compactMap { $0 }
}
