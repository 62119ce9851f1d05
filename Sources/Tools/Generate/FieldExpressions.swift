// The Swift expressions that carry one field between protoc-c's struct `c` and the generated Swift struct.

func swiftType(_ kind: FieldKind) -> String {
  switch kind {
  case .int32: "Int32"
  case .int64: "Int64"
  case .uint32: "UInt32"
  case .uint64: "UInt64"
  case .float: "Float"
  case .double: "Double"
  case .bool: "Bool"
  case .string: "String"
  case .bytes: "[UInt8]"
  case .message(let name), .enumeration(let name): swiftTypeName(name)
  case .group: preconditionFailure("groups are refused before anything is written")
  }
}

/// The value of a field that is not repeated; for a message, an optional.
func valueFromC(_ field: ProtoField) -> String {
  let c = "c.pointee.\(cFieldName(field.name))"
  switch field.kind {
  case .bool: return "\(c) != 0"
  case .string: return "try CField.string(\(c), \"\(field.name)\")"
  case .bytes: return "CField.bytes(\(c))"
  case .message: return "try CField.message(\(c), \"\(field.name)\")"
  case .enumeration: return ".init(rawValue: Int32(truncatingIfNeeded: \(c).rawValue))"
  default: return c
  }
}

/// The array of a repeated field.
func repeatedFromC(_ field: ProtoField) -> String {
  let name = cFieldName(field.name)
  let arguments = "c.pointee.\(name), c.pointee.n_\(name)"
  switch field.kind {
  case .bool: return "CField.bools(\(arguments))"
  case .string: return "try CField.strings(\(arguments), \"\(field.name)\")"
  case .bytes: return "CField.byteStrings(\(arguments))"
  case .message: return "try CField.messages(\(arguments), \"\(field.name)\")"
  case .enumeration: return "CField.enumerations(\(arguments))"
  default: return "CField.array(\(arguments))"
  }
}

/// What the C field of a field that is not repeated is set to.
func valueToC(_ field: ProtoField, _ value: String) -> String {
  switch field.kind {
  case .bool: "\(value) ? 1 : 0"
  case .string: "arena.string(\(value))"
  case .bytes: "arena.bytes(\(value))"
  case .message: "arena.message(\(value))"
  case .enumeration: ".init(rawValue: .init(truncatingIfNeeded: \(value).rawValue))"
  default: value
  }
}

/// What the C pointer of a repeated field is set to.
func repeatedToC(_ field: ProtoField, _ value: String) -> String {
  switch field.kind {
  case .bool: "arena.bools(\(value))"
  case .string: "arena.strings(\(value))"
  case .bytes: "arena.byteStrings(\(value))"
  case .message: "arena.messages(\(value))"
  case .enumeration: "arena.enumerations(\(value))"
  default: "arena.storage(of: \(value))"
  }
}
