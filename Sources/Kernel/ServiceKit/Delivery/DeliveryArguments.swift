package import Domain
package import Log
internal import RPCRuntime

extension DeliveryHub {
  /// The position of a cursor that a client sent.
  /// - Throws: INVALID_ARGUMENT for a text that is no cursor of this server.
  package func position(of text: String, field: String, _ seal: Seal) throws -> LogPosition {
    guard let position = seal.position(.log, of: text) else {
      throw RPCStatus.invalidArgument(field: field, problem: "is not a cursor of this service")
    }
    guard position <= head else {
      throw RPCStatus.invalidArgument(field: field, problem: "is after the end of the log: it is of another server")
    }
    return position
  }
}

extension MetricRegistry {
  /// The most names of one request.
  private static let maxNames = 1_000

  /// The numbers of metrics that a client named; nil if it named none, which means all.
  /// - Throws: INVALID_ARGUMENT for a name that the registry has not.
  package func numbers(of names: [String], field: String) throws -> Set<MetricID>? {
    if names.isEmpty { return nil }
    guard names.count <= Self.maxNames else {
      throw RPCStatus.invalidArgument(field: field, problem: "has more than \(Self.maxNames) entries")
    }
    let catalog = catalog
    var numbers: Set<MetricID> = []
    for (index, name) in names.enumerated() {
      guard let metric = catalog[name] else {
        throw RPCStatus.invalidArgument(field: "\(field)[\(index)]", problem: "is not a metric: see ListMetrics")
      }
      numbers.insert(metric.id)
    }
    return numbers
  }
}
