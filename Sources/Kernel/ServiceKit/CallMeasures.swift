package import Metering
package import RPCRuntime

extension Measure {
  /// What a server's calls and connections are.
  package static func calls(of server: Server) -> Measure {
    Measure([
      .calls, .callsRunning, .callsLimit, .callsRefused, .connections, .connectionsLimit, .connectionsHeld,
      .connectionsOverrun,
    ]) {
      let (statistics, connections) = (server.statistics, server.connections)
      return [
        MetricSample(.callsRunning, [], Double(statistics.runningCalls)),
        MetricSample(.callsLimit, [], Double(server.maxConcurrentCalls)),
        MetricSample(.callsRefused, [], Double(statistics.refusedCalls)),
        MetricSample(.connections, [], Double(connections.open)),
        MetricSample(.connectionsLimit, [], Double(connections.max)),
        MetricSample(.connectionsHeld, [], Double(statistics.heldConnections)),
        MetricSample(.connectionsOverrun, [], Double(statistics.overrunConnections)),
      ]
        + server.endedCalls.map { ended in
          MetricSample(
            .calls, [ended.path.map { String($0.dropFirst()) } ?? "unknown", ended.code.name], Double(ended.count))
        }
    }
  }
}

extension MetricFamily {
  fileprivate static let calls = MetricFamily(
    .counter, "trackme_calls_total",
    "Calls that have ended. A method that there is not is called unknown, whatever the client called it.",
    labels: [Label("method"), Label("status")])
  fileprivate static let callsRunning = MetricFamily(
    .gauge, "trackme_calls_running", "Calls that have not ended, streams among them.")
  fileprivate static let callsLimit = MetricFamily(
    .gauge, "trackme_calls_limit", "Calls that may run at once.")
  fileprivate static let callsRefused = MetricFamily(
    .counter, "trackme_calls_refused_total", "Calls that were not taken, because too many ran.")
  fileprivate static let connections = MetricFamily(
    .gauge, "trackme_connections", "Connections of clients, without those through Unix sockets.")
  fileprivate static let connectionsHeld = MetricFamily(
    .gauge, "trackme_connections_held", "Connections that are not read just now, because of what they have caused.")
  fileprivate static let connectionsOverrun = MetricFamily(
    .counter, "trackme_connections_overrun_total",
    "Connections that were ended because they sent neither calls nor messages.")
  fileprivate static let connectionsLimit = MetricFamily(
    .gauge, "trackme_connections_limit", "Connections that may be open at once.")
}

extension RPCCode {
  /// As gRPC writes it, such as "NOT_FOUND".
  package var name: String {
    switch self {
    case .ok: "OK"
    case .cancelled: "CANCELLED"
    case .unknown: "UNKNOWN"
    case .invalidArgument: "INVALID_ARGUMENT"
    case .deadlineExceeded: "DEADLINE_EXCEEDED"
    case .notFound: "NOT_FOUND"
    case .alreadyExists: "ALREADY_EXISTS"
    case .permissionDenied: "PERMISSION_DENIED"
    case .resourceExhausted: "RESOURCE_EXHAUSTED"
    case .failedPrecondition: "FAILED_PRECONDITION"
    case .aborted: "ABORTED"
    case .outOfRange: "OUT_OF_RANGE"
    case .unimplemented: "UNIMPLEMENTED"
    case .internal: "INTERNAL"
    case .unavailable: "UNAVAILABLE"
    case .dataLoss: "DATA_LOSS"
    case .unauthenticated: "UNAUTHENTICATED"
    }
  }
}
