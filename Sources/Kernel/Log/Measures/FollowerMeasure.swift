package import Domain
package import Metering

extension Measure {
  /// How far somebody who follows the log is behind it.
  ///
  /// - Parameters:
  ///   - name: a constant, such as "compaction".
  ///   - position: up to where it has everything; nil: that can't be known now.
  package static func follower(
    _ name: String, of tail: LogTail, _ position: @escaping @Sendable () async -> LogPosition?
  ) -> Measure {
    Measure([.followerPositions, .followerTime]) {
      guard let position = await position() else { return [] }
      let lag = tail.lag(after: position)
      return [
        MetricSample(.followerPositions, [name], Double(lag.positions)),
        MetricSample(.followerTime, [name], lag.time.seconds),
      ]
    }
  }
}

extension MetricFamily {
  fileprivate static let followerPositions = MetricFamily(
    .gauge, "trackme_follower_lag_positions", "Positions of the log that a follower does not have yet.",
    labels: [Label("follower")])
  fileprivate static let followerTime = MetricFamily(
    .gauge, "trackme_follower_lag_seconds", "For how long the first of those positions has been committed.",
    labels: [Label("follower")])
}

extension Duration {
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
