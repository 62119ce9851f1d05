import Foundation

// Usage: trackme-generate DESCRIPTOR_SET OUTPUT_FOLDER
// DESCRIPTOR_SET is what `protoc --include_imports --include_source_info --descriptor_set_out` wrote; OUTPUT_FOLDER is
// laid out like the repository. The same set gives the same bytes.

guard CommandLine.arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: trackme-generate DESCRIPTOR_SET OUTPUT_FOLDER\n".utf8))
  exit(64)
}
let descriptors = try DescriptorReader([UInt8](Data(contentsOf: URL(filePath: CommandLine.arguments[1]))))
let found = violations(in: descriptors.files) + TypeScriptTypes(descriptors.files).obstacles(in: descriptors.files)
guard found.isEmpty else {
  FileHandle.standardError.write(Data((found.joined(separator: "\n") + "\n").utf8))
  exit(1)
}

let output = URL(filePath: CommandLine.arguments[2])
let zeroCases = Dictionary(
  uniqueKeysWithValues: descriptors.files.flatMap(\.enums).compactMap { enumeration in
    enumeration.values.first { $0.number == 0 }.map {
      (enumeration.fullName, swiftCaseName($0.name, of: enumeration.fullName))
    }
  })

let callerCases = Dictionary(
  uniqueKeysWithValues: descriptors.files.flatMap(\.enums).filter { $0.fullName == callerEnum }.flatMap(\.values).map {
    ($0.number, swiftCaseName($0.name, of: callerEnum))
  })

func write(_ text: String, to path: String) throws {
  let file = output.appending(path: path)
  try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  try Data(text.utf8).write(to: file)
}

for file in descriptors.files {
  // The compiler wants different file names within a module: "grpc/health/v1/health.proto" is grpc_health_v1_health.
  let base = file.name.dropLast(".proto".count).replacing("/", with: "_")
  if !file.messages.isEmpty || !file.enums.isEmpty {
    var out = SourceText()
    out.line("// \(file.name)")
    out.line()
    out.line("import CMessages")
    out.line("import CProtobufC")
    for enumeration in file.enums {
      out.line()
      emit(enumeration, into: &out)
    }
    for message in file.messages {
      out.line()
      MessageEmitter(message, zeroCases: zeroCases).emit(into: &out)
    }
    try write(out.text, to: "Sources/Libraries/WireCodec/Generated/\(base).swift")
  }
  for service in file.services {
    var out = SourceText()
    out.line("// \(file.name)")
    out.line()
    out.line("public import RPCRuntime")
    out.line("public import WireCodec")
    out.line()
    ServiceEmitter(service, callerCases: callerCases).emit(into: &out)
    try write(
      out.text, to: "Sources/Libraries/ServiceAPI/Generated/\(service.fullName.replacing(".", with: "_")).swift")
  }
}

var services = SourceText()
services.line()
services.block("extension ServiceDescriptors") { out in
  out.documentation("", fallback: "The full names of all services of the .proto files, in order.")
  out.line("public static let serviceNames: [String] = [")
  for name in descriptors.files.flatMap(\.services).map(\.fullName).sorted() { out.line("  \"\(name)\",") }
  out.line("]")
  out.line()
  out.documentation("", fallback: "The methods of all services of the .proto files.")
  out.line("static let methods: [any ServiceMethod.Type] = [")
  for service in descriptors.files.flatMap(\.services).sorted(by: { $0.fullName < $1.fullName }) {
    out.line("  \(ServiceEmitter(service, callerCases: callerCases).methodEnum).self,")
  }
  out.line("]")
}
try write(services.text, to: "Sources/Libraries/ServiceAPI/Generated/ServiceNames.swift")
try write(descriptorSetSource(descriptors.bytesWithoutSourceInfo), to: "Sources/Libraries/CMessages/descriptor_set.c")
for (name, text) in TypeScriptModules(descriptors.files).sources() {
  try write(text, to: "clients/web/src/api/\(name)")
}
