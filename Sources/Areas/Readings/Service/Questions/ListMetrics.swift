package import Domain
public import ServiceAPI
public import WireCodec

extension ReadingService {
  /// Out of memory: as this server knows them.
  public func listMetrics(
    _ request: Trackme_Readings_V1_ListMetricsRequest, context: CallContext
  ) async throws -> Trackme_Readings_V1_ListMetricsResponse {
    .init(metrics: metrics.catalog.metrics.map(Trackme_Readings_V1_Metric.init))
  }
}

extension Trackme_Readings_V1_Metric {
  package init(_ metric: Metric) {
    let kind: Trackme_Readings_V1_MetricKind =
      switch metric.kind {
      case .scalar: .scalar
      case .position: .position
      case .waveform: .waveform
      }
    self.init(
      id: UInt32(metric.id), name: metric.name, kind: kind, unit: metric.unit, loincCode: metric.loincCode,
      minimum: metric.minimum, maximum: metric.maximum, displayName: metric.displayName,
      zeroIsNoValue: metric.zeroIsNoValue)
  }
}
