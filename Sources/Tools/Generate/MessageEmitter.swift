/// Writes a message as a Swift struct, and how it is read from and written into protoc-c's struct.
struct MessageEmitter {
  /// A stored property: a field, or a oneof with its fields. A oneof of one field is that field, as an optional.
  private enum Property {
    case field(ProtoField)
    case optional(ProtoField, oneof: ProtoOneof)
    case choice(ProtoOneof, [ProtoField])
  }

  private let message: ProtoMessage
  private let properties: [Property]
  /// The case of each enum that has the number 0, by the enum's full name.
  private let zeroCases: [String: String]

  init(_ message: ProtoMessage, zeroCases: [String: String]) {
    self.message = message
    self.zeroCases = zeroCases
    properties = message.fields.compactMap { field in
      guard let index = field.oneof else { return .field(field) }
      let members = message.fields.filter { $0.oneof == index }
      if members.count == 1 { return .optional(field, oneof: message.oneofs[index]) }
      return members[0].number == field.number ? .choice(message.oneofs[index], members) : nil
    }
  }

  func emit(into out: inout SourceText) {
    let name = swiftTypeName(message.fullName)
    out.documentation(message.comment, fallback: "The message `\(message.fullName)`.")
    out.block("public struct \(name): Sendable, Equatable") { out in
      for property in properties { declare(property, into: &out) }
      for case .choice(let oneof, let fields) in properties { declareChoice(oneof, fields, into: &out) }
      emitInitializer(into: &out)
    }
    out.line()
    emitConformance(name, into: &out)
  }

  // MARK: The struct

  private func declare(_ property: Property, into out: inout SourceText) {
    out.documentation(comment(of: property))
    out.line("public var \(escaped(name(of: property))): \(type(of: property))")
  }

  private func declareChoice(_ oneof: ProtoOneof, _ fields: [ProtoField], into out: inout SourceText) {
    out.line()
    out.documentation(oneof.comment, fallback: "One of the fields of `\(oneof.name)`.")
    out.block("public enum \(choiceName(oneof)): Sendable, Equatable") { out in
      for field in fields {
        out.documentation(field.comment)
        // A message in a box: handing on a frame then costs one reference count, not one for each of its arrays.
        let indirect = if case .message = field.kind { "indirect " } else { "" }
        out.line("\(indirect)case \(escaped(swiftMemberName(field.name)))(\(swiftType(field.kind)))")
      }
    }
  }

  private func emitInitializer(into out: inout SourceText) {
    if !properties.isEmpty { out.line() }
    let parameters = properties.map { "\(escaped(name(of: $0))): \(type(of: $0)) = \(defaultValue(of: $0))" }
    if parameters.count < 2 {
      out.block("public init(\(parameters.joined()))") { assignParameters(into: &$0) }
    } else {
      out.line("public init(")
      for (index, parameter) in parameters.enumerated() {
        out.line("  " + parameter + (index + 1 < parameters.count ? "," : ""))
      }
      out.block(")") { assignParameters(into: &$0) }
    }
  }

  private func assignParameters(into out: inout SourceText) {
    for property in properties { out.line("self.\(name(of: property)) = \(escaped(name(of: property)))") }
  }

  private func comment(of property: Property) -> String {
    switch property {
    case .field(let field): field.comment
    case .optional(let field, let oneof): field.comment.isEmpty ? oneof.comment : field.comment
    case .choice(let oneof, _): oneof.comment
    }
  }

  private func name(of property: Property) -> String {
    switch property {
    case .field(let field), .optional(let field, _): swiftMemberName(field.name)
    case .choice(let oneof, _): swiftMemberName(oneof.name)
    }
  }

  private func type(of property: Property) -> String {
    switch property {
    case .field(let field) where field.isRepeated: "[\(swiftType(field.kind))]"
    case .field(let field): if case .message = field.kind { swiftType(field.kind) + "?" } else { swiftType(field.kind) }
    case .optional(let field, _): swiftType(field.kind) + "?"
    case .choice(let oneof, _): choiceName(oneof) + "?"
    }
  }

  private func defaultValue(of property: Property) -> String {
    guard case .field(let field) = property else { return "nil" }
    if field.isRepeated { return "[]" }
    switch field.kind {
    case .bool: return "false"
    case .string: return "\"\""
    case .bytes: return "[]"
    case .message, .group: return "nil"
    case .enumeration(let name): return ".\(zeroCases[name] ?? "init(rawValue: 0)")"
    case .int32, .int64, .uint32, .uint64, .float, .double: return "0"
    }
  }

  private func choiceName(_ oneof: ProtoOneof) -> String { "OneOf_" + swiftTypeName(oneof.name) }

  // MARK: From and to the C struct

  private func emitConformance(_ name: String, into out: inout SourceText) {
    let c = cTypeName(message.fullName)
    let function = cFunctionPrefix(message.fullName)
    out.block("extension \(name): \(message.isNested ? "ArenaValue" : "ArenaMessage")") { out in
      if !message.isNested {
        out.block("public static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Self") { out in
          out.line("try decodeInArena(bytes)")
        }
        out.line()
        out.line("public func withEncoded<R>(")
        out.line("  _ body: (_ size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) -> R")
        out.block(") -> R") { $0.line("encodeInArena(body)") }
        out.line()
        out.line("static func unpack(")
        out.line("  _ bytes: UnsafeRawBufferPointer, _ allocator: UnsafeMutablePointer<ProtobufCAllocator>")
        out.block(") -> UnsafeMutablePointer<\(c)>?") { out in
          out.line("\(function)__unpack(allocator, bytes.count, bytes.baseAddress)")
        }
        out.line()
      }
      out.block("static func initialize(_ c: UnsafeMutablePointer<\(c)>)") { $0.line("\(function)__init(c)") }
      out.line()
      out.block("init(_ c: UnsafePointer<\(c)>) throws(WireError)") { out in
        for property in properties { read(property, into: &out) }
      }
      out.line()
      out.block("func fill(_ c: UnsafeMutablePointer<\(c)>, _ arena: Arena)") { out in
        for property in properties { write(property, into: &out) }
      }
    }
  }

  private func read(_ property: Property, into out: inout SourceText) {
    switch property {
    case .field(let field):
      out.line("self.\(name(of: property)) = \(field.isRepeated ? repeatedFromC(field) : valueFromC(field))")
    case .optional(let field, let oneof):
      let value = valueFromC(field)
      out.line("self.\(name(of: property)) = \(caseField(oneof)).rawValue == \(field.number) ? \(value) : nil")
    case .choice(let oneof, let fields):
      out.line("switch \(caseField(oneof)).rawValue {")
      for field in fields {
        let target = "self.\(name(of: property)) = "
        let choice = ".\(swiftMemberName(field.name))"
        if case .message = field.kind {
          out.line("case \(field.number) where c.pointee.\(cFieldName(field.name)) != nil:")
          out.line("  \(target)\(choice)(try CField.present(c.pointee.\(cFieldName(field.name)), \"\(field.name)\"))")
        } else {
          out.line("case \(field.number): \(target)\(choice)(\(valueFromC(field)))")
        }
      }
      out.line("default: self.\(name(of: property)) = nil")
      out.line("}")
    }
  }

  private func write(_ property: Property, into out: inout SourceText) {
    let value = "self.\(name(of: property))"
    switch property {
    case .field(let field) where field.isRepeated:
      out.line("c.pointee.n_\(cFieldName(field.name)) = \(value).count")
      out.line("\(cField(field)) = \(repeatedToC(field, value))")
    case .field(let field):
      out.line("\(cField(field)) = \(valueToC(field, value))")
    case .optional(let field, let oneof):
      out.block("if let value = \(value)") { out in
        out.line("\(caseField(oneof)) = .init(rawValue: \(field.number))")
        out.line("\(cField(field)) = \(valueToC(field, "value"))")
      }
    case .choice(let oneof, let fields):
      out.line("switch \(value) {")
      for field in fields {
        out.line("case .\(swiftMemberName(field.name))(let value):")
        out.line("  \(caseField(oneof)) = .init(rawValue: \(field.number))")
        out.line("  \(cField(field)) = \(valueToC(field, "value"))")
      }
      out.line("case nil: break")
      out.line("}")
    }
  }

  private func cField(_ field: ProtoField) -> String { "c.pointee.\(cFieldName(field.name))" }

  private func caseField(_ oneof: ProtoOneof) -> String { "c.pointee.\(cFieldName(oneof.name))_case" }
}
