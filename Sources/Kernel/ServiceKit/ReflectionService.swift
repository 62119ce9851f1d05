public import RPCRuntime
public import ServiceAPI
public import WireCodec

/// Server reflection: clients such as grpcurl learn the services from the server itself. Both published versions.
public struct ReflectionService: Grpc_Reflection_V1_ServerReflectionHandler {
  private let index: ReflectionIndex

  /// - Parameters:
  ///   - descriptorSet: a serialized `google.protobuf.FileDescriptorSet`. Throws `WireError` if it can't be read.
  ///   - services: the full names of the services that are served.
  public init(
    descriptorSet: [UInt8] = ServiceDescriptors.fileDescriptorSet,
    services: [String] = ServiceDescriptors.serviceNames
  ) throws {
    index = ReflectionIndex(try DescriptorSet(descriptorSet), services: services)
  }

  /// The methods of v1 and of v1alpha, which older clients ask for.
  public var allMethods: [RPCMethod] { methods + AlphaReflection(index: index).methods }

  /// Answers one question after the other, in their order, until the client closes its side. What it does not find is
  /// an answer, not a status.
  public func serverReflectionInfo(
    requests: RequestStream<Grpc_Reflection_V1_ServerReflectionRequest>,
    responses: ResponseWriter<Grpc_Reflection_V1_ServerReflectionResponse>,
    context: CallContext
  ) async throws {
    while let request = try await requests.next() {
      try await responses.send(index.answer(request))
    }
  }
}

/// v1alpha, whose messages are those of v1 byte for byte.
private struct AlphaReflection: Grpc_Reflection_V1alpha_ServerReflectionHandler {
  let index: ReflectionIndex

  func serverReflectionInfo(
    requests: RequestStream<Grpc_Reflection_V1alpha_ServerReflectionRequest>,
    responses: ResponseWriter<Grpc_Reflection_V1alpha_ServerReflectionResponse>,
    context: CallContext
  ) async throws {
    while let request = try await requests.next() {
      let answer = index.answer(try ReflectionIndex.Request.decode(request.encoded()))
      try await responses.sendEncoded(answer.encodedMessage())
    }
  }
}
