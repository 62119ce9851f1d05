internal import CoreMetrics
package import Metering

/// Counts commits, once for each group.
struct CommitMeter {
  private let groups = MetricFamily.commitGroups.counter()
  private let readings = MetricFamily.committedReadings.counter()
  private let bytes = MetricFamily.committedBytes.counter()
  private let failures = MetricFamily.failedCommits.counter()
  private let time = MetricFamily.commitTime.timer()

  func committed(_ group: CommitGroup, in time: Duration) {
    groups.increment()
    readings.increment(by: group.readings)
    bytes.increment(by: group.bytes)
    self.time.record(time)
  }

  /// A group was not committed, and will be tried again.
  func failed() { failures.increment() }
}

extension MetricFamily {
  /// What the log counts when it happens.
  package static let ofLog = [commitGroups, committedReadings, committedBytes, failedCommits, commitTime]

  fileprivate static let commitGroups = MetricFamily(
    .counter, "trackme_commit_groups_total", "Groups that were committed, each in one transaction.")
  fileprivate static let committedReadings = MetricFamily(
    .counter, "trackme_committed_readings_total", "Readings in these groups.")
  fileprivate static let committedBytes = MetricFamily(
    .counter, "trackme_committed_bytes_total", "Bytes of these readings in memory, about; compressed they are fewer.")
  fileprivate static let failedCommits = MetricFamily(
    .counter, "trackme_commit_failures_total", "Attempts to commit a group that failed; it is tried until it succeeds.")
  fileprivate static let commitTime = MetricFamily(
    .histogram(upTo: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30]), "trackme_commit_seconds",
    "How long the commit of a group took, failed attempts included.")
}
