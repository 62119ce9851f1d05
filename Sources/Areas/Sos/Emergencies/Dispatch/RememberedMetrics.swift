public import Domain
internal import FoundationEssentials
internal import Synchronization

/// Names and units of metrics for the words of calls: those of the database, and until it is there those of the last time.
public final class RememberedMetrics: Sendable {
  private struct Entry: Codable {
    var id: MetricID
    var name: String
    var displayName: String
    var unit: String
  }

  private let path: String
  private let remembered: MetricCatalog
  private let source = Mutex<(@Sendable () -> MetricCatalog)?>(nil)

  /// - Parameter directory: where the file "metrics" is, or will be.
  public init(directory: String) {
    path = directory + "/metrics"
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    let entries = (try? JSONDecoder().decode([Entry].self, from: bytes)) ?? []
    remembered = MetricCatalog(
      entries.map {
        Metric(
          id: $0.id, name: $0.name, displayName: $0.displayName, kind: .scalar, unit: $0.unit, loincCode: "",
          minimum: 0,
          maximum: 0)
      })
  }

  public var catalog: MetricCatalog { source.withLock { $0 }?() ?? remembered }

  /// Takes metrics from here from now on, and remembers them as they stand for the next start; a file that can't be
  /// written does not matter now.
  public func take(from source: @escaping @Sendable () -> MetricCatalog) {
    self.source.withLock { $0 = source }
    let entries = source().metrics.map {
      Entry(id: $0.id, name: $0.name, displayName: $0.displayName, unit: $0.unit)
    }
    guard let bytes = try? JSONEncoder().encode(entries) else { return }
    try? bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
