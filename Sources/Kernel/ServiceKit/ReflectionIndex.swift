import RPCRuntime
import WireCodec

/// Answers questions about .proto files: which one has a name, a symbol, an extension.
struct ReflectionIndex: Sendable {
  typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
  typealias Response = Grpc_Reflection_V1_ServerReflectionResponse

  private let files: [DescriptorSet.File]
  private let services: [String]
  private var fileByName: [String: Int] = [:]
  private var fileBySymbol: [String: Int] = [:]
  /// The extensions of each extended message: file by field number.
  private var extensions: [String: [Int32: Int]] = [:]

  /// - Parameter services: the full names that are listed.
  init(_ set: DescriptorSet, services: [String]) {
    files = set.files
    self.services = services.sorted()
    for (index, file) in files.enumerated() {
      fileByName[file.name] = index
      for symbol in file.symbols { fileBySymbol[symbol] = index }
      for known in file.extensions { extensions[known.extendee, default: [:]][known.number] = index }
    }
  }

  /// The answer to one request; a question without an answer gets an `error_response`, and the stream goes on.
  func answer(_ request: Request) -> Response {
    Response(validHost: request.host, originalRequest: request, messageResponse: content(request.messageRequest))
  }

  private func content(_ question: Request.OneOf_MessageRequest?) -> Response.OneOf_MessageResponse {
    switch question {
    case .fileByFilename(let name):
      return descriptors(of: fileByName[name], orNotFound: "file \(name)")
    case .fileContainingSymbol(let symbol):
      return descriptors(of: fileBySymbol[symbol], orNotFound: "symbol \(symbol)")
    case .fileContainingExtension(let wanted):
      return descriptors(
        of: extensions[wanted.containingType]?[wanted.extensionNumber],
        orNotFound: "extension \(wanted.extensionNumber) of \(wanted.containingType)")
    case .allExtensionNumbersOfType(let type):
      guard fileBySymbol[type] != nil else { return failure(.notFound, "type \(type) is not known") }
      let numbers = extensions[type].map { $0.keys.sorted() } ?? []
      return .allExtensionNumbersResponse(.init(baseTypeName: type, extensionNumber: numbers))
    case .listServices:
      return .listServicesResponse(.init(service: services.map { .init(name: $0) }))
    case nil:
      return failure(.invalidArgument, "the request asks nothing that is known")
    }
  }

  /// The file and all that it imports, directly or not; itself first.
  private func descriptors(of file: Int?, orNotFound what: String) -> Response.OneOf_MessageResponse {
    guard let file else { return failure(.notFound, what + " is not known") }
    var order = [file]
    var next = 0
    while next < order.count {
      for name in files[order[next]].dependencies {
        if let dependency = fileByName[name], !order.contains(dependency) { order.append(dependency) }
      }
      next += 1
    }
    return .fileDescriptorResponse(.init(fileDescriptorProto: order.map { files[$0].serialized }))
  }

  private func failure(_ code: RPCCode, _ message: String) -> Response.OneOf_MessageResponse {
    .errorResponse(.init(errorCode: code.rawValue, errorMessage: message))
  }
}
