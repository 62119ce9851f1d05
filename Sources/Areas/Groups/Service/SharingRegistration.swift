internal import Domain
internal import Identity
internal import Log
internal import ServiceKit

extension RegistrationAddition {
  /// What is shared anonymously from registration (B-UC.1): nothing, if the person does not choose it.
  static func anonymousSharing(
    metrics: MetricRegistry, clock: @escaping @Sendable () -> Microseconds
  ) -> RegistrationAddition {
    RegistrationAddition { request, _, violations in
      let chosen = violations.metrics(
        request.anonymousMetrics, "anonymous_metrics", count: 0...GroupService.metricsMax, in: metrics.catalog)
      return { try AnonymousSharingStore.register($1, sharing: chosen, at: clock(), $0) }
    } registered: {
    }
  }
}
