import RPCRuntime
public import ServiceAPI
public import WireCodec

/// The standard health service, over a `HealthRegistry`.
public struct HealthService: Grpc_Health_V1_HealthHandler {
  private let registry: HealthRegistry

  public init(registry: HealthRegistry) { self.registry = registry }

  /// NOT_FOUND for a service that the registry does not know.
  public func check(
    _ request: Grpc_Health_V1_HealthCheckRequest, context: CallContext
  ) async throws -> Grpc_Health_V1_HealthCheckResponse {
    guard let status = registry.status(of: request.service) else {
      throw RPCStatus.failure(
        .notFound, reason: "UNKNOWN_SERVICE", message: "There is no service of that name.",
        metadata: ["service": request.service])
    }
    return .init(status: Self.servingStatus(status))
  }

  /// Sends the status and each change of it, SERVICE_UNKNOWN while there is no such service. Ends with UNAVAILABLE
  /// when the server shuts down, after NOT_SERVING.
  public func watch(
    _ request: Grpc_Health_V1_HealthCheckRequest,
    responses: ResponseWriter<Grpc_Health_V1_HealthCheckResponse>,
    context: CallContext
  ) async throws {
    var known: HealthRegistry.Observation?
    while true {
      let observation = try await registry.change(of: request.service, from: known)
      switch observation {
      case .status(let status): try await responses.send(.init(status: Self.servingStatus(status)))
      case .unknown: try await responses.send(.init(status: .serviceUnknown))
      case .ended:
        throw RPCStatus.failure(.unavailable, reason: "SHUTTING_DOWN", message: "The server is shutting down.")
      }
      known = observation
    }
  }

  private static func servingStatus(
    _ status: HealthRegistry.Status
  ) -> Grpc_Health_V1_HealthCheckResponse_ServingStatus {
    switch status {
    case .serving: .serving
    case .notServing: .notServing
    }
  }
}
