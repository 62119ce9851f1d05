// How the names of .proto files are spelled in TypeScript. A package is one module, "trackme.readings.v1" the file
// readings_v1.ts; messages and enums keep their names there.

/// The packages that pages speak: ours, but for the options of the .proto files.
func isForPages(package: String) -> Bool {
  package.hasPrefix("trackme.") && !package.hasPrefix("trackme.options.")
}

/// "trackme.readings.v1" becomes `readings_v1`, the name of the module and of its file.
func typeScriptModule(_ package: String) -> String {
  package.split(separator: ".").drop { $0 == "trackme" }.joined(separator: "_")
}

/// The name of a type within its module: "trackme.readings.v1.Outer.Inner" becomes `Outer_Inner`.
func typeScriptTypeName(_ fullName: String, in package: String) -> String {
  String(fullName.dropFirst(package.isEmpty ? 0 : package.count + 1)).replacing(".", with: "_")
}

/// "GetCurrentStatus" becomes `getCurrentStatus`.
func typeScriptMethodName(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
