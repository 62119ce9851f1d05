internal import Domain
internal import GroupsRules
internal import Log
internal import ServiceKit
internal import WireCodec

extension Trackme_Groups_V1_GroupEstimate {
  init(_ estimate: Estimate) { self.init(value: estimate.value, error: estimate.error) }
}

extension Trackme_Groups_V1_PrivacyCost {
  init(_ loss: PrivacyLoss) { self.init(rho: loss.rho, epsilon: loss.epsilon) }
}

extension Trackme_Groups_V1_GroupBudget {
  init(_ state: GroupBudgetState, _ budgets: GroupBudgets, year: Int) {
    let renewed = CalendarDate(year: year + 1, month: 1, day: 1)?.daysSinceEpoch ?? 0
    self.init(
      total: .init(budgets.ofThirdParty), spent: .init(state.spent), left: .init(state.left.now),
      renewed: Google_Protobuf_Timestamp(Microseconds(renewed) * 86_400_000_000), reserved: .init(state.left.reserved),
      leftInYear: .init(state.left.inYear))
  }
}

/// An answer that noise was drawn for.
struct DrawnAnswer {
  /// As it is put down.
  let answer: [UInt8]
  /// How many noisy statistics were drawn.
  let count: Int
  /// Whether everything is withheld.
  let isRefused: Bool
}

/// An answer in the making: noise is drawn once, of what may be told.
struct NoisyAnswer {
  private var answer = Trackme_Groups_V1_GroupAnswer()
  private var count = 0

  var drawn: DrawnAnswer {
    let isTold =
      answer.results.contains { !$0.isWithheld } || answer.profiles.contains { $0.hours.contains { !$0.isWithheld } }
    return DrawnAnswer(answer: answer.encoded(), count: count, isRefused: !isTold)
  }

  /// - Parameter generator: a cryptographic one.
  init(
    _ tallies: GroupTallies, to question: GroupQuestion, _ catalog: MetricCatalog,
    using generator: inout some RandomNumberGenerator
  ) {
    let boundaries = question.times.boundaries
    for name in question.metrics {
      guard let metric = catalog[name] else { continue }
      let scale = ValueScale(of: metric)
      for (bucket, tally) in (tallies.buckets[name] ?? []).enumerated() {
        let releases = question.releases.subtracting(.hours)
        let noisy = NoisyTally(tally, releases, question.precision, question.threshold, using: &generator)
        count += noisy == nil ? 1 : releases.cost(buckets: 1)
        var result = Trackme_Groups_V1_GroupResult(
          metric: name, fromDate: boundaries[bucket].text,
          toDate: boundaries[bucket + 1].adding(days: -1)?.text ?? "", isWithheld: noisy == nil)
        if let noisy { result.tell(GroupEstimate(noisy, scale), scale, question.statistics) }
        answer.results.append(result)
      }
      if let hours = tallies.hours[name] { profile(name, hours, scale, question, &generator) }
    }
  }

  private mutating func profile(
    _ name: String, _ hours: [Tally], _ scale: ValueScale, _ question: GroupQuestion,
    _ generator: inout some RandomNumberGenerator
  ) {
    var profile = Trackme_Groups_V1_GroupProfile(metric: name)
    for (hour, tally) in hours.enumerated() where question.times.slot.contains(hour) {
      let noisy = NoisyTally(tally, [.count, .sum], question.precision, question.threshold, using: &generator)
      count += noisy == nil ? 1 : 2
      let estimate = noisy.map { GroupEstimate($0, scale) }
      profile.hours.append(
        .init(
          hour: Int32(hour), isWithheld: noisy == nil, persons: estimate.map { .init($0.persons) },
          mean: estimate?.mean.map { .init($0) }))
    }
    answer.profiles.append(profile)
  }
}

extension Trackme_Groups_V1_GroupResult {
  fileprivate mutating func tell(_ estimate: GroupEstimate, _ scale: ValueScale, _ statistics: Set<Statistic>) {
    persons = .init(estimate.persons)
    mean = estimate.mean.map { .init($0) }
    standardDeviation = estimate.standardDeviation.map { .init($0) }
    histogram = (estimate.histogram ?? []).map { .init($0) }
    if statistics.contains(.quantiles) {
      quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].compactMap { share in
        estimate.quantile(share).map { .init(share: share, estimate: .init($0)) }
      }
    }
    (scaleFrom, scaleTo) = (scale.lower, scale.upper)
  }
}
