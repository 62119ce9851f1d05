// How a name of a .proto file is spelled in the Swift that we generate and in the C that protoc-c generates.

/// Types: "trackme.ingest.v1.PushHello" becomes `Trackme_Ingest_V1_PushHello`.
func swiftTypeName(_ fullName: String) -> String {
  fullName.split(separator: ".").map { upperCamel(String($0)) }.joined(separator: "_")
}

/// Fields, methods and oneof cases: "person_id" becomes `personID`.
func swiftMemberName(_ name: String) -> String {
  let words = name.split(separator: "_").map(String.init)
  let first = words.first.map { $0.prefix(1).lowercased() + $0.dropFirst() } ?? ""
  return first + words.dropFirst().map(capitalized).joined()
}

/// Enum values: REJECTION_REASON_NOT_YOURS of RejectionReason becomes `notYours`.
func swiftCaseName(_ value: String, of enumeration: String) -> String {
  let prefix = snakeCase(lastPart(enumeration)).uppercased() + "_"
  let stripped = value.hasPrefix(prefix) ? String(value.dropFirst(prefix.count)) : value
  return swiftMemberName(stripped.lowercased())
}

/// `name` in backticks where it is a word of the language.
func escaped(_ name: String) -> String { swiftKeywords.contains(name) ? "`\(name)`" : name }

/// "trackme.ingest.v1.PushHello" becomes `Trackme__Ingest__V1__PushHello`, protoc-c's name of the struct.
func cTypeName(_ fullName: String) -> String {
  fullName.split(separator: ".").map { part in
    part.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }.joined(separator: "__")
}

/// "trackme.ingest.v1.PushHello" becomes `trackme__ingest__v1__push_hello`, the start of protoc-c's function names.
func cFunctionPrefix(_ fullName: String) -> String {
  fullName.split(separator: ".").map { snakeCase(String($0)) }.joined(separator: "__")
}

/// The name of a field in protoc-c's struct.
func cFieldName(_ name: String) -> String {
  let lower = name.lowercased()
  return cxxKeywords.contains(lower) ? lower + "_" : lower
}

/// The part of a full name after its last dot.
func lastPart(_ fullName: String) -> String { String(fullName.split(separator: ".").last ?? "") }

private func upperCamel(_ name: String) -> String {
  name.split(separator: "_").map { capitalized(String($0)) }.joined()
}

/// Swift writes abbreviations in capitals.
private func capitalized(_ word: String) -> String {
  switch word {
  case "id": "ID"
  case "ids": "IDs"
  case "url": "URL"
  default: word.prefix(1).uppercased() + word.dropFirst()
  }
}

/// protoc-c's CamelToLower: an underscore before each capital that follows a small letter or a digit.
private func snakeCase(_ name: String) -> String {
  var result = ""
  var wasUpper = true
  for character in name {
    if character.isUppercase, !wasUpper { result += "_" }
    wasUpper = character.isUppercase
    result += character.lowercased()
  }
  return result
}

private let swiftKeywords: Set<String> = [
  "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
  "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
  "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows", "return",
  "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
  "where", "while",
]

private let cxxKeywords: Set<String> = [
  "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class", "compl",
  "const", "const_cast", "continue", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
  "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
  "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
  "return", "short", "signed", "sizeof", "static", "static_cast", "struct", "switch", "template", "this", "throw",
  "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
  "wchar_t", "while", "xor", "xor_eq",
]
