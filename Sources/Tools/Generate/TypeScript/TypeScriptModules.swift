/// The TypeScript of a package: its enums, messages and services in one module.
struct TypeScriptModules {
  private static let methodTypes: Set = ["Unary", "ServerStream"]

  private let files: [ProtoFile]
  private let types: TypeScriptTypes

  init(_ files: [ProtoFile]) {
    self.files = files.filter { isForPages(package: $0.package) }
    types = TypeScriptTypes(files)
  }

  /// The text of each file by its name. The same files give the same text.
  func sources() -> [String: String] {
    let packages = Dictionary(grouping: files, by: \.package)
    return Dictionary(
      uniqueKeysWithValues: packages.map { package, files in
        (typeScriptModule(package) + ".ts", source(of: package, files.sorted { $0.name < $1.name }))
      })
  }

  private func source(of package: String, _ files: [ProtoFile]) -> String {
    var uses = TypeScriptTypes.Uses()
    var body = SourceText(header: "")
    for file in files {
      body.line()
      body.line("// \(file.name)")
      for enumeration in file.enums {
        body.line()
        TypeScriptMessages(types: types, package: package).emit(enumeration, into: &body)
      }
      for message in file.messages where !message.isMapEntry {
        body.line()
        TypeScriptMessages(types: types, package: package).emit(message, into: &body, &uses)
      }
      for service in file.services {
        body.line()
        TypeScriptService(types: types, package: package).emit(service, into: &body, &uses)
      }
    }
    var out = SourceText()
    let methods = uses.aliases.intersection(Self.methodTypes)
    out.line()
    importNames(methods, from: "../connect/methods.js", into: &out)
    importNames(uses.aliases.subtracting(methods), from: "../json/scalars.js", into: &out)
    for module in uses.modules.sorted() { out.line("import type * as \(module) from \"./\(module).js\";") }
    return out.text + body.text
  }

  private func importNames(_ names: Set<String>, from file: String, into out: inout SourceText) {
    guard !names.isEmpty else { return }
    out.line("import type { \(names.sorted().joined(separator: ", ")) } from \"\(file)\";")
  }
}
