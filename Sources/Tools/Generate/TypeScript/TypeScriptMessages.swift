/// Writes messages and enums as TypeScript, in the shape of proto3's JSON: nothing has to be there, because JSON leaves
/// out what has its default value.
struct TypeScriptMessages {
  let types: TypeScriptTypes
  let package: String

  /// An enum as the union of its values' names.
  func emit(_ enumeration: ProtoEnum, into out: inout SourceText) {
    out.jsDocumentation(enumeration.comment)
    out.line("export type \(typeScriptTypeName(enumeration.fullName, in: package)) =")
    out.indented { out in
      for (index, value) in enumeration.values.enumerated() {
        out.jsDocumentation(value.comment)
        out.line("| \"\(value.name)\"" + (index + 1 == enumeration.values.count ? ";" : ""))
      }
    }
  }

  /// A message as an interface. The members of a oneof are in a union beside it, of which one may be there: then two of
  /// them together are an error, and a look at one tells about the others.
  func emit(_ message: ProtoMessage, into out: inout SourceText, _ uses: inout TypeScriptTypes.Uses) {
    let name = typeScriptTypeName(message.fullName, in: package)
    let oneofs = message.oneofs.indices.map { index in message.fields.filter { $0.oneof == index } }
    let choices = oneofs.filter { $0.count > 1 }
    let single = message.fields.filter { field in !choices.contains { $0[0].oneof == field.oneof } }
    out.jsDocumentation(message.comment)
    if choices.isEmpty {
      out.block("export interface \(name)") { out in
        for field in single { declare(field, optional: true, into: &out, &uses) }
      }
      return
    }
    uses.aliases.insert("OneOf")
    if single.isEmpty {
      out.line("export type \(name) =")
    } else {
      out.block("export type \(name) =") { out in
        for field in single { declare(field, optional: true, into: &out, &uses) }
      }
    }
    for (place, choice) in choices.enumerated() {
      let isLast = place + 1 == choices.count
      let joint = place == 0 && single.isEmpty ? "" : "& "
      out.jsDocumentation(choice[0].oneof.map { message.oneofs[$0].comment } ?? "")
      out.block("\(joint)OneOf<", space: "", closing: isLast ? ">;" : ">") { out in
        for field in choice { declare(field, optional: false, into: &out, &uses) }
      }
    }
  }

  private func declare(
    _ field: ProtoField, optional: Bool, into out: inout SourceText, _ uses: inout TypeScriptTypes.Uses
  ) {
    out.jsDocumentation(field.comment)
    out.line("\(field.jsonName)\(optional ? "?" : ""): \(types.type(of: field, in: package, &uses));")
  }
}
