package import CoreMetrics
package import Metering
internal import Synchronization

/// Where swift-metrics counts, and what Prometheus reads.
///
/// What may be counted is said when this is made: a name that is not among the families, another kind than the family's,
/// and a label or a value of a label that the family does not have are dropped, and so is what would be one series more than
/// may be. What is dropped is counted, under a name of its own.
package final class PrometheusMetrics: MetricsFactory {
  private enum Series {
    case counter(CounterSeries)
    case gauge(GaugeSeries)
    case histogram(HistogramSeries, upTo: [Double])
  }

  private struct Key: Hashable {
    let name: String
    let values: [String]
  }

  /// The most series: combinations of a family and values of its labels. A server has some hundreds.
  package static let maxSeries = 4_096
  /// What was dropped.
  package static let dropped = MetricFamily(
    .counter, "trackme_metrics_dropped_total", "Numbers that were to be counted and have no place in this list.")

  private let families: [MetricFamily]
  private let byName: [String: MetricFamily]
  private let maxSeries: Int
  private let series = Mutex<[Key: Series]>([:])
  private let dropped = CounterSeries()
  private let nowhere = NOOPMetricsHandler.instance

  /// Counters and histograms whose labels have a closed set of values are there from now on, with nothing.
  /// - Parameter families: what is counted when it happens; each name once.
  package init(counting families: [MetricFamily], maxSeries: Int = PrometheusMetrics.maxSeries) {
    self.families = families
    self.maxSeries = maxSeries
    byName = Dictionary(uniqueKeysWithValues: families.map { ($0.name, $0) })
    for family in families {
      for values in family.allValues {
        switch family.kind {
        case .counter: _ = makeCounter(label: family.name, dimensions: family.dimensions(values))
        case .histogram: _ = makeTimer(label: family.name, dimensions: family.dimensions(values))
        case .gauge: break
        }
      }
    }
  }

  // MARK: What is counted

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let found = find(label, dimensions) { kind in kind == .counter ? .counter(CounterSeries()) : nil }
    if case .counter(let counter) = found { return counter }
    return nowhere
  }

  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    let found = find(label, dimensions) { kind in
      switch kind {
      case .gauge: aggregate ? nil : .gauge(GaugeSeries())
      case .histogram(let bounds): aggregate ? .histogram(HistogramSeries(upTo: bounds), upTo: bounds) : nil
      case .counter: nil
      }
    }
    switch found {
    case .gauge(let gauge): return gauge
    case .histogram(let histogram, _): return histogram
    default: return nowhere
    }
  }

  /// A histogram of seconds.
  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    let found = find(label, dimensions) { kind in
      guard case .histogram(let bounds) = kind else { return nil }
      return .histogram(HistogramSeries(upTo: bounds), upTo: bounds)
    }
    if case .histogram(let histogram, _) = found { return histogram }
    return nowhere
  }

  /// Nothing is given back: there are no more series than families have.
  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  /// - Parameter make: what a series of that kind is; nil: it is asked for as something else.
  /// - Returns: nil if it is dropped.
  private func find(
    _ label: String, _ dimensions: [(String, String)], make: (MetricFamily.Kind) -> Series?
  ) -> Series? {
    guard let family = byName[label], let values = family.values(of: dimensions), let new = make(family.kind) else {
      dropped.increment(by: 1)
      return nil
    }
    let key = Key(name: label, values: values)
    let found = series.withLock { series -> Series? in
      if let known = series[key] { return known }
      guard series.count < maxSeries else { return nil }
      series[key] = new
      return new
    }
    if found == nil { dropped.increment(by: 1) }
    return found
  }

  // MARK: What is read

  /// Everything in Prometheus's text format, version 0.0.4: families in the order of their names.
  ///
  /// - Parameters:
  ///   - measured: families of `samples`, beside those that are counted here; one may be there again.
  ///   - samples: what was looked at just now.
  package func text(_ measured: [MetricFamily], _ samples: [MetricSample]) -> [UInt8] {
    let counted = series.withLock { $0 }
    var seen = Set(counted.keys)
    var lines: [String: [(values: [String], series: Series?, number: Double)]] = [:]
    for (key, series) in counted { lines[key.name, default: []].append((key.values, series, 0)) }
    let known = Set(measured.map(\.name))
    for sample in samples {
      // A series that is there twice would spoil the whole text for its reader.
      guard known.contains(sample.family.name), sample.values.count == sample.family.labels.count,
        seen.count < maxSeries, seen.insert(Key(name: sample.family.name, values: sample.values)).inserted
      else {
        dropped.increment(by: 1)
        continue
      }
      lines[sample.family.name, default: []].append((sample.values, nil, sample.number))
    }
    lines[Self.dropped.name] = [([], nil, dropped.value)]

    var all: [String: MetricFamily] = byName
    for family in measured + [Self.dropped] { all[family.name] = family }
    var text = TextFormat()
    for family in all.values.sorted(by: { $0.name < $1.name }) {
      text.begin(family)
      for line in lines[family.name, default: []].sorted(by: { $0.values.lexicographicallyPrecedes($1.values) }) {
        switch line.series {
        case .counter(let counter): text.add(family, line.values, counter.value)
        case .gauge(let gauge): text.add(family, line.values, gauge.value)
        case .histogram(let histogram, let bounds):
          text.add(family, line.values, histogram.cumulated, upTo: bounds, sum: histogram.total)
        case nil: text.add(family, line.values, line.number)
        }
      }
    }
    return text.bytes
  }
}

extension MetricFamily {
  /// Every combination of values; none where a label has no closed set of them.
  fileprivate var allValues: [[String]] {
    labels.reduce([[]]) { combinations, label in
      combinations.flatMap { combination in (label.values ?? []).map { combination + [$0] } }
    }
  }

  fileprivate func dimensions(_ values: [String]) -> [(String, String)] { zip(labels, values).map { ($0.name, $1) } }

  /// The values in the order of the labels; nil if they are not this family's.
  fileprivate func values(of dimensions: [(String, String)]) -> [String]? {
    guard dimensions.count == labels.count else { return nil }
    var values: [String] = []
    for label in labels {
      guard let (_, value) = dimensions.first(where: { $0.0 == label.name }), label.values?.contains(value) ?? true
      else { return nil }
      values.append(value)
    }
    return values
  }
}
