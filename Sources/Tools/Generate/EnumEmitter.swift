/// Writes an enum with one case for each value and `unrecognized` for numbers that this version does not know.
func emit(_ enumeration: ProtoEnum, into out: inout SourceText) {
  let cases = enumeration.values.map { (name: swiftCaseName($0.name, of: enumeration.fullName), value: $0) }
  out.documentation(enumeration.comment, fallback: "The values of `\(enumeration.fullName)`.")
  out.block("public enum \(swiftTypeName(enumeration.fullName)): RawRepresentable, Hashable, Sendable") { out in
    for (name, value) in cases {
      out.documentation(value.comment)
      out.line("case \(escaped(name))")
    }
    out.documentation("A number that this version does not know; it is kept as it came.")
    out.line("case unrecognized(Int32)")
    out.line()
    out.block("public init(rawValue: Int32)") { out in
      out.line("switch rawValue {")
      for (name, value) in cases { out.line("case \(value.number): self = .\(name)") }
      out.line("default: self = .unrecognized(rawValue)")
      out.line("}")
    }
    out.line()
    out.block("public var rawValue: Int32") { out in
      out.line("switch self {")
      for (name, value) in cases { out.line("case .\(name): \(value.number)") }
      out.line("case .unrecognized(let number): number")
      out.line("}")
    }
  }
}
