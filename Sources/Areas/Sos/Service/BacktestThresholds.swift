internal import Domain
internal import Identity
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension SosService {
  private static let maxBacktestLength: Microseconds = 31 * 86_400 * 1_000_000
  /// The most readings that are in memory at once, but for an hour that has more.
  private static let backtestPart = 50_000
  /// Backtests that run at once, of a person one: each reads a month of readings.
  static let maxBacktestsAtOnce = 4

  /// What would have called, by the limits of today with those of the request in their place; nothing is stored, and
  /// nobody is called.
  /// - Throws: INVALID_ARGUMENT, also for more than 31 days; FAILED_PRECONDITION with reason NO_ACCOUNT;
  ///   RESOURCE_EXHAUSTED where too many wait; `CancellationError`.
  public func backtestThresholds(
    _ request: Trackme_Sos_V1_BacktestThresholdsRequest, context: CallContext
  ) async throws -> Trackme_Sos_V1_BacktestThresholdsResponse {
    let caller = try context.account()
    let (time, tried) = try check(request)
    let now = clock()
    guard var person = try await store.rules(of: caller, at: now) else { throw RPCStatus.noAccount }
    person.thresholds.merge(tried) { _, tried in tried }
    person.exertions = try await store.exertions(of: caller, touching: time)
    let today = CalendarDate(utc: now)
    let metrics = RuleSet(RuleSet.Key(person, on: today)).thresholds.keys.sorted()
    let run = try await backtests.run(for: .account(caller), orThrow: .backtestsUnderWay) { [person] in
      var run = try await readings.fold(
        of: caller, metrics: metrics, in: time, readings: Self.backtestPart, into: Backtest(person, on: today)
      ) { run, columns in
        run.take(columns.scalars)
        return !run.isTruncated
      }
      run.finish(at: time.upperBound)
      return run
    }
    return await response(run, ruleVersion: tried.isEmpty ? nil : "trial")
  }

  private func check(
    _ request: Trackme_Sos_V1_BacktestThresholdsRequest
  ) throws -> (time: Range<Microseconds>, tried: [MetricID: Threshold]) {
    let from = try request.from?.microseconds(field: "from")
    let to = try request.to?.microseconds(field: "to")
    var violations = Violations()
    if from == nil { violations.add("from", "must be given") }
    if to == nil { violations.add("to", "must be given") }
    if let from, let to {
      if to <= from { violations.add("to", "must be after from") }
      if to - from > Self.maxBacktestLength { violations.add("to", "must be at most 31 days after from") }
    }
    let catalog = metrics.catalog
    if request.thresholds.count > catalog.metrics.count { violations.add("thresholds", "must be one for each metric") }
    var tried: [MetricID: Threshold] = [:]
    for (index, wire) in request.thresholds.prefix(catalog.metrics.count).enumerated() {
      let path = "thresholds[\(index)]"
      guard let metric = catalog.scalar(wire.metric, "\(path).metric", &violations) else { continue }
      if tried[metric.id] != nil { violations.add("\(path).metric", "must be named once") }
      tried[metric.id] = Threshold(wire, of: metric, path, &violations)
    }
    try violations.check()
    guard let from, let to else { preconditionFailure("a missing time has been refused") }
    return (from..<to, tried)
  }

  /// - Parameter ruleVersion: in place of the version of the limits that hold.
  private func response(
    _ run: Backtest, ruleVersion: String?
  ) async -> Trackme_Sos_V1_BacktestThresholdsResponse {
    let readings = run.episodes.lazy.flatMap(\.crossings).flatMap(\.readings)
    let names = await EmergencyNames(Set(readings.map(\.source)), metrics: metrics, sources: sources)
    return .init(
      episodes: run.episodes.map { episode in
        .init(
          crossings: episode.crossings.map { crossing in
            var crossing = crossing
            if let ruleVersion { crossing.ruleVersion = ruleVersion }
            return .init(crossing, names)
          })
      }, evaluatedReadings: run.evaluatedReadings, isTruncated: run.isTruncated)
  }
}
