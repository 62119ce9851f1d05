/// The types of fields as proto3's JSON writes them, told from where they are declared.
struct TypeScriptTypes {
  /// What JSON writes in a way of its own: the aliases of `json/scalars.ts`.
  private static let wellKnown = ["google.protobuf.Timestamp": "Timestamp", "google.protobuf.Duration": "Duration"]

  /// The package of each message and enum, by full name.
  private let packages: [String: String]
  private let mapEntries: [String: ProtoMessage]

  init(_ files: [ProtoFile]) {
    var packages: [String: String] = [:]
    var mapEntries: [String: ProtoMessage] = [:]
    for file in files {
      for message in file.messages {
        packages[message.fullName] = file.package
        if message.isMapEntry { mapEntries[message.fullName] = message }
      }
      for enumeration in file.enums { packages[enumeration.fullName] = file.package }
    }
    self.packages = packages
    self.mapEntries = mapEntries
  }

  /// What a package's module uses of others.
  struct Uses {
    var aliases: Set<String> = []
    var modules: Set<String> = []
  }

  /// The type of a field, whether or not it is there.
  func type(of field: ProtoField, in package: String, _ uses: inout Uses) -> String {
    if case .message(let name) = field.kind, field.isRepeated, let entry = mapEntries[name],
      let value = entry.fields.first(where: { $0.number == 2 })
    {
      // Whatever its type in the .proto file, a key of a JSON object is text.
      return "{ [key: string]: \(type(value.kind, in: package, &uses)) }"
    }
    return type(field.kind, in: package, &uses) + (field.isRepeated ? "[]" : "")
  }

  /// The name of a message, as it is written in the package's module.
  func name(ofMessage name: String, in package: String, _ uses: inout Uses) -> String {
    type(.message(name), in: package, &uses)
  }

  /// What cannot be said in TypeScript yet: each a sentence that names the place.
  func obstacles(in files: [ProtoFile]) -> [String] {
    files.filter { isForPages(package: $0.package) }.flatMap { file in
      file.messages.flatMap { message in
        message.fields.compactMap { field in
          guard case .message(let name) = field.kind, Self.wellKnown[name] == nil,
            !isForPages(package: packages[name] ?? "")
          else { return nil }
          return "\(file.name): \(message.fullName).\(field.name) is a \(name), of which pages do not know how JSON "
            + "writes it; teach TypeScriptTypes."
        }
      }
    }
  }

  private func type(_ kind: FieldKind, in package: String, _ uses: inout Uses) -> String {
    switch kind {
    case .int32, .uint32: return "number"
    case .bool: return "boolean"
    case .string: return "string"
    case .int64: return alias("Int64", &uses)
    case .uint64: return alias("Uint64", &uses)
    case .float, .double: return alias("Double", &uses)
    case .bytes: return alias("Bytes", &uses)
    case .message(let name), .enumeration(let name):
      if let known = Self.wellKnown[name] { return alias(known, &uses) }
      let home = packages[name] ?? ""
      let type = typeScriptTypeName(name, in: home)
      if home == package { return type }
      uses.modules.insert(typeScriptModule(home))
      return "\(typeScriptModule(home)).\(type)"
    case .group: preconditionFailure("groups are refused before anything is written")
    }
  }

  private func alias(_ name: String, _ uses: inout Uses) -> String {
    uses.aliases.insert(name)
    return name
  }
}
