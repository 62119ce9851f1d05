/// Writes a service as an object of its methods, each with its path and the types of what goes out and comes back.
///
/// Pages send one message and get one or many: a bidirectional method takes its first message here. A method that takes
/// many messages and answers once is left out.
struct TypeScriptService {
  let types: TypeScriptTypes
  let package: String

  func emit(_ service: ProtoService, into out: inout SourceText, _ uses: inout TypeScriptTypes.Uses) {
    out.jsDocumentation(service.comment)
    out.block("export const \(lastPart(service.fullName)) =", closing: ";") { out in
      for method in service.methods where !method.clientStreams || method.serverStreams {
        let shape = method.serverStreams ? "ServerStream" : "Unary"
        uses.aliases.insert(shape)
        let request = types.name(ofMessage: method.input, in: package, &uses)
        let response = types.name(ofMessage: method.output, in: package, &uses)
        let note = method.clientStreams ? "\n The one message that is sent here is the stream's first." : ""
        out.jsDocumentation(method.comment + note)
        out.block("\(typeScriptMethodName(method.name)):", closing: " as \(shape)<\(request), \(response)>,") { out in
          out.line("kind: \"\(method.serverStreams ? "stream" : "unary")\",")
          out.line("path: \"/\(service.fullName)/\(method.name)\",")
        }
      }
    }
  }
}
