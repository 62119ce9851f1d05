internal import Domain
internal import Log

/// What is the same of all observations of an export.
struct ObservationScope: Sendable {
  /// Whose readings they are.
  let person: PersonID
  /// What is exported.
  let metrics: Set<MetricID>
  /// The length of the intervals whose means are shown under a grant; nil for readings as they were taken.
  var granularity: Granularity?
  /// The granted request; nil for a person's own export.
  var accessRequest: Int64?
}

/// Makes observations of readings.
struct ObservationWriter: Sendable {
  let scope: ObservationScope
  private let ids: ResourceIDs
  private let metrics: [MetricID: Metric]
  private let kinds: [MetricID: ObservationKind]
  private let subject: FHIR.Reference
  private let method: FHIR.CodeableConcept?

  init(_ scope: ObservationScope, catalog: MetricCatalog, ids: ResourceIDs) {
    self.scope = scope
    self.ids = ids
    metrics = Dictionary(uniqueKeysWithValues: catalog.metrics.map { ($0.id, $0) })
    kinds = metrics.mapValues(ObservationKind.init)
    subject = FHIR.Reference(type: "Patient", identifier: .init(system: FHIR.persons, value: String(scope.person)))
    method = scope.granularity.map { FHIR.CodeableConcept(text: "mean of the readings of one \($0)") }
  }

  /// - Parameter source: the name of where it comes from; empty if it is not known.
  /// - Returns: nil for a metric that the registry has not.
  func observation(of reading: ScalarReading, from source: String) -> FHIR.Observation? {
    guard let metric = metrics[reading.metric], let kind = kinds[reading.metric] else { return nil }
    let id = ids.observation(of: scope.person, metric.id, reading.source, at: reading.time, scope.granularity)
    var observation = observation(id, kind, at: reading.time, from: source)
    observation.valueQuantity = FHIR.Quantity(reading.value, ucum: metric.unit)
    return observation
  }

  /// Of the two blood pressures of a moment one may be nil: nobody knows it.
  func bloodPressure(systolic: ScalarReading?, diastolic: ScalarReading?, from source: String) -> FHIR.Observation? {
    guard let any = systolic ?? diastolic else { return nil }
    let id = ids.observation(of: scope.person, nil, any.source, at: any.time, scope.granularity)
    var observation = observation(id, .bloodPressure, at: any.time, from: source)
    observation.component = [
      component(ObservationKind.systolic, systolic), component(ObservationKind.diastolic, diastolic),
    ]
    return observation
  }

  private func component(_ code: String, _ reading: ScalarReading?) -> FHIR.Component {
    let metric = reading.flatMap { metrics[$0.metric] }
    let text = code == ObservationKind.systolic ? "Systolic blood pressure" : "Diastolic blood pressure"
    var component = FHIR.Component(code: FHIR.CodeableConcept([.init(system: FHIR.loinc, code: code)], text: text))
    if let reading, let metric {
      component.valueQuantity = FHIR.Quantity(reading.value, ucum: metric.unit)
    } else {
      component.dataAbsentReason = FHIR.CodeableConcept("data-absent-reason", "unknown")
    }
    return component
  }

  /// - Parameter place: of a waveform in the columns.
  func observation(
    ofWaveform place: Int, _ samples: ArraySlice<Double>, in columns: WaveformColumns, from source: String
  ) -> FHIR.Observation? {
    let (time, rate) = (columns.time[place], columns.rate[place])
    guard let metric = metrics[columns.metric[place]], let kind = kinds[metric.id] else { return nil }
    let id = ids.observation(of: scope.person, metric.id, columns.source[place], at: time, scope.granularity)
    var observation = observation(id, kind, at: time, from: source)
    // A waveform is never the mean of several.
    observation.method = nil
    observation.effectivePeriod = Self.period(from: time, seconds: Double(samples.count - 1) / rate)
    observation.effectiveDateTime = observation.effectivePeriod == nil ? ISO8601.text(of: time) : nil
    // A rate of almost nothing would make an infinite period.
    let period = min(1_000 / rate, .greatestFiniteMagnitude)
    observation.valueSampledData = FHIR.SampledData(
      origin: FHIR.Quantity(0, ucum: metric.unit), period: period,
      data: samples.map(FHIRText.decimal).joined(separator: " "))
    return observation
  }

  /// What observations of numbers have, but for the value.
  private func observation(
    _ id: String, _ kind: ObservationKind, at time: Microseconds, from source: String
  ) -> FHIR.Observation {
    var observation = FHIR.Observation(
      id: id, meta: kind.meta, category: kind.category, code: kind.code, subject: subject)
    if let granularity = scope.granularity {
      observation.effectivePeriod = Self.period(from: time, to: time + granularity.length - 1)
      observation.method = method
    } else {
      observation.effectiveDateTime = ISO8601.text(of: time)
    }
    observation.device = FHIRText.string(source).map {
      FHIR.Reference(type: "Device", identifier: .init(system: FHIR.sources, value: $0), display: $0)
    }
    return observation
  }

  /// Nil where the end is not a time that FHIR has.
  private static func period(from start: Microseconds, seconds: Double) -> FHIR.Period? {
    let length = (seconds * 1_000_000).rounded()
    guard length < Double(OutsideTimes.range.upperBound) else { return nil }
    return period(from: start, to: start + Microseconds(length))
  }

  private static func period(from start: Microseconds, to end: Microseconds) -> FHIR.Period? {
    guard let first = ISO8601.text(of: start), let last = ISO8601.text(of: end) else { return nil }
    return FHIR.Period(start: first, end: last)
  }
}
