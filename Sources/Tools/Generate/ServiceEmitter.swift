/// Writes the handler protocol, the method paths with their callers, the method table and the client of a service.
struct ServiceEmitter {
  private let service: ProtoService
  /// The service's own name for ours; the whole name for services that others have published.
  private let name: String
  /// The kinds of callers, by their numbers.
  private let callerCases: [Int32: String]

  init(_ service: ProtoService, callerCases: [Int32: String]) {
    self.service = service
    self.callerCases = callerCases
    name =
      service.fullName.hasPrefix("trackme.") ? lastPart(service.fullName) : swiftTypeName(service.fullName)
  }

  /// The name of the enum of the service's methods.
  var methodEnum: String { "\(name)Method" }

  func emit(into out: inout SourceText) {
    emitMethods(into: &out)
    out.line()
    emitHandler(into: &out)
    out.line()
    emitTable(into: &out)
    out.line()
    emitClient(into: &out)
  }

  private func emitMethods(into out: inout SourceText) {
    out.documentation("", fallback: "The paths of the RPCs of `\(service.fullName)`.")
    out.block("public enum \(methodEnum): String, ServiceMethod") { out in
      for method in service.methods {
        out.line("case \(escaped(swiftMemberName(method.name))) = \"/\(service.fullName)/\(method.name)\"")
      }
      out.line()
      out.block("public var callers: Callers") { out in
        out.line("switch self {")
        for method in service.methods {
          out.line("case .\(swiftMemberName(method.name)): [\(callers(of: method))]")
        }
        out.line("}")
      }
    }
  }

  private func emitHandler(into out: inout SourceText) {
    out.documentation(service.comment, fallback: "The server's side of `\(service.fullName)`.")
    out.block("public protocol \(name)Handler: Sendable") { out in
      for method in service.methods {
        out.documentation(method.comment)
        out.line("func \(escaped(swiftMemberName(method.name)))(")
        let request = swiftTypeName(method.input)
        let response = swiftTypeName(method.output)
        var parameters = [method.clientStreams ? "requests: RequestStream<\(request)>" : "_ request: \(request)"]
        if method.serverStreams { parameters.append("responses: ResponseWriter<\(response)>") }
        parameters.append("context: CallContext")
        out.line("  " + parameters.joined(separator: ",\n    "))
        out.line(") async throws" + (method.serverStreams ? "" : " -> \(response)"))
      }
    }
  }

  private func emitTable(into out: inout SourceText) {
    out.block("extension \(name)Handler") { out in
      out.documentation("", fallback: "What a `Server` needs to serve every RPC of the service.")
      out.block("public var methods: [RPCMethod]") { out in
        out.line("[")
        for method in service.methods {
          let member = swiftMemberName(method.name)
          out.line("  .\(kind(method))(\(methodEnum).\(member).rawValue, \(escaped(member))),")
        }
        out.line("]")
      }
    }
  }

  private func emitClient(into out: inout SourceText) {
    out.documentation("", fallback: "The client's side of `\(service.fullName)`. Calls throw `RPCStatus`.")
    out.block("public struct \(name)Client: Sendable") { out in
      out.line("public let channel: Channel")
      out.line()
      out.line("public init(channel: Channel) { self.channel = channel }")
      for method in service.methods {
        out.line()
        emitStub(method, into: &out)
      }
    }
  }

  private func emitStub(_ method: ProtoService.Method, into out: inout SourceText) {
    let request = swiftTypeName(method.input)
    let response = swiftTypeName(method.output)
    let path = "\(methodEnum).\(swiftMemberName(method.name)).rawValue"
    out.documentation(method.comment)
    out.line("public func \(escaped(swiftMemberName(method.name)))(")
    let message = method.clientStreams ? "" : "_ request: \(request), "
    out.line("  \(message)metadata: Metadata = [:], deadline: Duration? = nil")
    switch (method.clientStreams, method.serverStreams) {
    case (false, false):
      out.block(") async throws -> \(response)") { out in
        out.line("try await channel.unary(")
        out.line("  \(path), request, metadata: metadata, deadline: deadline)")
      }
    case (false, true):
      out.block(") async throws -> ResponseStream<\(response)>") { out in
        out.line("try await channel.serverStreaming(")
        out.line("  \(path), request, metadata: metadata, deadline: deadline)")
      }
    case (true, _):
      out.block(") -> ClientStream<\(request), \(response)>") { out in
        out.line("ClientStream(")
        out.line("  call: channel.call(\(path), metadata: metadata, deadline: deadline))")
      }
    }
  }

  /// The elements of a `Callers` literal.
  private func callers(of method: ProtoService.Method) -> String {
    if openServices.contains(service.fullName) { return ".anyone" }
    return method.callers.compactMap { callerCases[$0] }.map { "." + escaped($0) }.joined(separator: ", ")
  }

  private func kind(_ method: ProtoService.Method) -> String {
    switch (method.clientStreams, method.serverStreams) {
    case (false, false): "unary"
    case (false, true): "serverStreaming"
    case (true, false): "clientStreaming"
    case (true, true): "bidirectional"
    }
  }
}
