import CMessages
import CProtobufC

/// The .proto files of a serialized `google.protobuf.FileDescriptorSet`, with what each one declares.
public struct DescriptorSet: Sendable {
  /// One .proto file.
  public struct File: Sendable {
    /// The name under which others import it, such as "trackme/ingest/v1/ingest_service.proto".
    public var name: String
    /// Its `google.protobuf.FileDescriptorProto`.
    public var serialized: [UInt8]
    /// The names of the files it imports.
    public var dependencies: [String]
    /// The full names of all it declares: messages, fields, oneofs, enums, their values, services, methods,
    /// extensions. An enum value stands under its own name in the enum's scope, as protobuf has it, and under the enum.
    public var symbols: [String]
    /// The extensions it declares.
    public var extensions: [Extension]
  }

  /// A field that a file adds to a message of another.
  public struct Extension: Sendable {
    /// The full name of the message that is extended.
    public var extendee: String
    /// The number of the field.
    public var number: Int32
  }

  /// In the order of the set: a file stands after those it imports.
  public let files: [File]

  /// Reads a serialized set.
  public init(_ bytes: [UInt8]) throws(WireError) {
    guard let set = google__protobuf__file_descriptor_set__unpack(nil, bytes.count, bytes) else {
      throw WireError(field: "", problem: "is not a FileDescriptorSet")
    }
    defer { google__protobuf__file_descriptor_set__free_unpacked(set, nil) }
    files = elements(set.pointee.file, set.pointee.n_file).map { file in
      var declarations = Declarations()
      declarations.add(file)
      let size = google__protobuf__file_descriptor_proto__get_packed_size(file)
      // Uninitialized: protobuf-c writes as many bytes as it has said, and says how many it wrote.
      let serialized = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = google__protobuf__file_descriptor_proto__pack(file, buffer.baseAddress)
      }
      return File(
        name: text(file.pointee.name), serialized: serialized,
        dependencies: elements(file.pointee.dependency, file.pointee.n_dependency).map { String(cString: $0) },
        symbols: declarations.symbols, extensions: declarations.extensions)
    }
  }

  /// The set that is built into the program: every file of Protos/ and what they import, without comments.
  public static var embeddedBytes: [UInt8] {
    Array(UnsafeBufferPointer(start: trackme_descriptor_set_bytes(), count: trackme_descriptor_set_count()))
  }
}

/// Collects the full names that a file declares.
private struct Declarations {
  var symbols: [String] = []
  var extensions: [DescriptorSet.Extension] = []

  mutating func add(_ file: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>) {
    let package = text(file.pointee.package)
    let scope = package.isEmpty ? "" : package + "."
    for message in elements(file.pointee.message_type, file.pointee.n_message_type) { add(message, scope) }
    for enumeration in elements(file.pointee.enum_type, file.pointee.n_enum_type) { add(enumeration, scope) }
    for field in elements(file.pointee.extension, file.pointee.n_extension) { addExtension(field, scope) }
    for service in elements(file.pointee.service, file.pointee.n_service) {
      let name = scope + text(service.pointee.name)
      symbols.append(name)
      for method in elements(service.pointee.method, service.pointee.n_method) {
        symbols.append(name + "." + text(method.pointee.name))
      }
    }
  }

  private mutating func add(_ message: UnsafeMutablePointer<Google__Protobuf__DescriptorProto>, _ scope: String) {
    let name = scope + text(message.pointee.name)
    symbols.append(name)
    let inner = name + "."
    for field in elements(message.pointee.field, message.pointee.n_field) {
      symbols.append(inner + text(field.pointee.name))
    }
    for oneof in elements(message.pointee.oneof_decl, message.pointee.n_oneof_decl) {
      symbols.append(inner + text(oneof.pointee.name))
    }
    for nested in elements(message.pointee.nested_type, message.pointee.n_nested_type) { add(nested, inner) }
    for enumeration in elements(message.pointee.enum_type, message.pointee.n_enum_type) { add(enumeration, inner) }
    for field in elements(message.pointee.extension, message.pointee.n_extension) { addExtension(field, inner) }
  }

  private mutating func add(
    _ enumeration: UnsafeMutablePointer<Google__Protobuf__EnumDescriptorProto>, _ scope: String
  ) {
    let name = scope + text(enumeration.pointee.name)
    symbols.append(name)
    for value in elements(enumeration.pointee.value, enumeration.pointee.n_value) {
      symbols.append(scope + text(value.pointee.name))
      symbols.append(name + "." + text(value.pointee.name))
    }
  }

  private mutating func addExtension(
    _ field: UnsafeMutablePointer<Google__Protobuf__FieldDescriptorProto>, _ scope: String
  ) {
    symbols.append(scope + text(field.pointee.name))
    let extendee = String(text(field.pointee.extendee).drop { $0 == "." })
    extensions.append(.init(extendee: extendee, number: field.pointee.number))
  }
}

private func text(_ string: UnsafeMutablePointer<CChar>?) -> String { string.map { String(cString: $0) } ?? "" }

/// The elements of a repeated field of messages or strings.
private func elements<T>(
  _ start: UnsafeMutablePointer<UnsafeMutablePointer<T>?>?, _ count: Int
) -> [UnsafeMutablePointer<T>] {
  UnsafeBufferPointer(start: start, count: count).compactMap { $0 }
}
