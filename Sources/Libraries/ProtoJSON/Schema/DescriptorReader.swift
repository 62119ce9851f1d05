internal import WireCodec

/// Reads a serialized `google.protobuf.FileDescriptorSet` by the field numbers of descriptor.proto.
struct DescriptorReader {
  private(set) var files: [FileDescriptor] = []

  init(_ set: UnsafeRawBufferPointer) throws(WireError) {
    try Self.eachField(of: set) { (number, value) throws(WireError) in
      if number == 1 { files.append(try Self.file(value.bytes)) }
    }
  }

  /// The value of a field: a number, or bytes.
  private struct Value {
    var number: UInt64 = 0
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

    func text() throws(WireError) -> String {
      guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
        throw WireError(field: "", problem: "holds a name that is not valid UTF-8")
      }
      return text
    }
  }

  private static func eachField(
    of message: UnsafeRawBufferPointer, _ body: (UInt32, Value) throws(WireError) -> Void
  ) throws(WireError) {
    var cursor = WireCursor(message)
    while !cursor.isAtEnd {
      let (number, wireType) = try cursor.tag()
      let value = wireType == .bytes ? Value(bytes: try cursor.bytes()) : Value(number: try cursor.number(wireType))
      try body(number, value)
    }
  }

  private static func file(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> FileDescriptor {
    var file = FileDescriptor()
    // The package comes first: the names of all that is in the file begin with it.
    try eachField(of: bytes) { (number, value) throws(WireError) in
      if number == 2 { file.package = try value.text() }
    }
    let scope = file.package.isEmpty ? "" : file.package + "."
    try eachField(of: bytes) { (number, value) throws(WireError) in
      switch number {
      case 4: file.messages.append(try message(value.bytes, scope, depth: 1))
      case 5: file.enums.append(try enumeration(value.bytes, scope))
      case 6: file.services.append(try service(value.bytes, scope))
      case 12: file.syntax = try value.text()
      default: break
      }
    }
    return file
  }

  private static func message(
    _ bytes: UnsafeRawBufferPointer, _ scope: String, depth: Int
  ) throws(WireError) -> MessageDescriptor {
    guard depth <= nestingLimit else { throw .tooDeep }
    var message = MessageDescriptor(name: scope + (try name(of: bytes)))
    try eachField(of: bytes) { (number, value) throws(WireError) in
      switch number {
      case 2: message.fields.append(try field(value.bytes))
      case 3: message.messages.append(try Self.message(value.bytes, message.name + ".", depth: depth + 1))
      case 4: message.enums.append(try enumeration(value.bytes, message.name + "."))
      case 7:
        try eachField(of: value.bytes) { (number, value) in
          if number == 7 { message.isMapEntry = value.number != 0 }
        }
      case 8: message.oneofCount += 1
      default: break
      }
    }
    return message
  }

  private static func field(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> FieldDescriptor {
    var field = FieldDescriptor()
    var problem: String?
    try eachField(of: bytes) { (number, value) throws(WireError) in
      switch number {
      case 1: field.name = try value.text()
      case 3:
        field.number = UInt32(truncatingIfNeeded: value.number)
        if !(1...0x1FFF_FFFF ~= value.number) { problem = "has a number that is none" }
      case 4: field.isRepeated = value.number == 3
      case 5:
        if let kind = FieldKind(rawValue: UInt8(truncatingIfNeeded: value.number)) {
          field.kind = kind
        } else {
          problem = "has an unknown type"
        }
      case 6: field.typeName = String(try value.text().drop { $0 == "." })
      case 8:
        try eachField(of: value.bytes) { (number, value) in
          if number == 2 { field.isPacked = value.number != 0 }
        }
      case 9: field.oneof = Int(Int32(truncatingIfNeeded: value.number))
      case 10: field.jsonName = try value.text()
      default: break
      }
    }
    if let problem { throw WireError(field: field.name, problem: problem) }
    if field.jsonName.isEmpty { field.jsonName = lowerCamelCase(field.name) }
    return field
  }

  private static func enumeration(
    _ bytes: UnsafeRawBufferPointer, _ scope: String
  ) throws(WireError) -> EnumDescriptor {
    var enumeration = EnumDescriptor(name: scope + (try name(of: bytes)))
    try eachField(of: bytes) { (number, value) throws(WireError) in
      guard number == 2 else { return }
      var pair = (name: try name(of: value.bytes), number: Int32(0))
      try eachField(of: value.bytes) { (number, value) in
        if number == 2 { pair.number = Int32(truncatingIfNeeded: value.number) }
      }
      enumeration.values.append(pair)
    }
    return enumeration
  }

  private static func service(_ bytes: UnsafeRawBufferPointer, _ scope: String) throws(WireError) -> ServiceDescriptor {
    var service = ServiceDescriptor(name: scope + (try name(of: bytes)))
    try eachField(of: bytes) { (number, value) throws(WireError) in
      if number == 2 { service.methods.append(try method(value.bytes)) }
    }
    return service
  }

  private static func method(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> MethodDescriptor {
    var method = MethodDescriptor()
    try eachField(of: bytes) { (number, value) throws(WireError) in
      switch number {
      case 1: method.name = try value.text()
      case 2: method.input = String(try value.text().drop { $0 == "." })
      case 3: method.output = String(try value.text().drop { $0 == "." })
      case 4:
        // idempotency_level; NO_SIDE_EFFECTS is 1.
        try eachField(of: value.bytes) { (number, value) in
          if number == 34 { method.hasNoSideEffects = value.number == 1 }
        }
      case 5: method.isClientStreaming = value.number != 0
      case 6: method.isServerStreaming = value.number != 0
      default: break
      }
    }
    return method
  }

  /// Field 1 of messages, enums, their values and services.
  private static func name(of bytes: UnsafeRawBufferPointer) throws(WireError) -> String {
    var name = ""
    try eachField(of: bytes) { (number, value) throws(WireError) in
      if number == 1 { name = try value.text() }
    }
    return name
  }

  /// The name that protoc gives a field in JSON.
  private static func lowerCamelCase(_ name: String) -> String {
    var result = ""
    var isStart = false
    for character in name {
      if character == "_" {
        isStart = true
      } else {
        result += isStart ? character.uppercased() : String(character)
        isStart = false
      }
    }
    return result
  }
}
