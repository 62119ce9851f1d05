/// Why a reading is refused.
public enum RejectionReason: Int32, Sendable {
  case unknownMetric = 1
  case wrongKind
  case notANumber
  case outOfRange
  case timeInFuture
  case timeTooOld
  case notYours
  case invalidPerson
  case invalidSource
  case invalidWaveform
  case tooManyInHour
  case tooManyStored
  case noValue
}

/// A refused reading of a batch.
public struct Rejection: Sendable, Equatable {
  /// The reading's number in its batch, from 0: scalars first, then positions, then waveforms.
  public let index: Int
  public let reason: RejectionReason
  /// The field at fault, as the protocol names it.
  public let field: String

  public init(index: Int, reason: RejectionReason, field: String) {
    self.index = index
    self.reason = reason
    self.field = field
  }
}

/// The rules that every reading must meet before it is stored.
public struct ReadingRules: Sendable {
  /// A reading may be this far ahead of the server's clock: devices' clocks drift by seconds, seldom by minutes.
  public static let futureTolerance: Microseconds = 5 * 60 * 1_000_000
  /// 1970-01-01T00:00:00Z, from which times are counted: nothing was measured by a wearable before, and the clock of a device
  /// that was never set begins there. Each hour that readings have is work, so there is a first one.
  public static let oldestTime: Microseconds = 0
  /// The source that a wire index out of range resolves to.
  public static let invalidSource: SourceID = -1
  public static let maxWaveformSamples = 50_000
  public static let maxWaveformRate = 100_000.0

  public let catalog: MetricCatalog
  private let scalarLimits: [ClosedRange<Double>?]

  public init(catalog: MetricCatalog) {
    self.catalog = catalog
    scalarLimits = catalog.scalarLimits()
  }

  /// Checks a batch. All columns have one entry a reading.
  ///
  /// - Parameters:
  ///   - columns: the batch; on return only the readings that were accepted, in their order.
  ///   - principal: who pushes.
  ///   - bridged: the persons who let the caller push, if it is a bridge.
  ///   - ended: persons of the batch whose accounts have ended: nobody may push for them.
  ///   - now: the server's clock.
  /// - Returns: the refused readings in the order of their numbers; each with the first rule that it breaks.
  public func validate(
    _ columns: inout ReadingColumns, by principal: Principal, bridged: Set<PersonID> = [], ended: Set<PersonID> = [],
    now: Microseconds
  ) -> [Rejection] {
    var rejections: [Rejection] = []
    let pusher = Pusher(principal: principal, bridged: bridged, ended: ended)
    let latest = now + Self.futureTolerance
    validateScalars(columns.scalars, pusher, latest, &rejections)
    validatePositions(columns.positions, pusher, latest, base: columns.scalars.count, &rejections)
    validateWaveforms(
      columns.waveforms, pusher, latest, base: columns.scalars.count + columns.positions.count, &rejections)
    guard !rejections.isEmpty else { return rejections }

    columns.remove(rejections.map(\.index))
    return rejections
  }

  private struct Pusher {
    let principal: Principal
    let bridged: Set<PersonID>
    let ended: Set<PersonID>

    @inline(__always)
    func mayPush(for person: PersonID) -> Bool {
      AccessPolicy.mayPush(principal, for: person, bridged: bridged) && (ended.isEmpty || !ended.contains(person))
    }
  }

  private func validateScalars(
    _ columns: ScalarColumns, _ pusher: Pusher, _ latest: Microseconds, _ rejections: inout [Rejection]
  ) {
    let limits = scalarLimits
    let (times, values) = (columns.time.span, columns.value.span)
    let (persons, metrics, sources) = (columns.person.span, columns.metric.span, columns.source.span)
    /// For whom the caller may push, found out for the reading before.
    var known: PersonID = 0
    for index in 0..<columns.count {
      let metric = Int(metrics[index])
      let value = values[index]
      let time = times[index]
      let person = persons[index]
      // The one test that nearly every reading passes; what is wrong with the others is found out after it.
      if metric > 0, metric < limits.count, let range = limits[metric], value >= range.lowerBound,
        value <= range.upperBound, time <= latest, time >= Self.oldestTime, sources[index] >= 0, person > 0,
        person == known || pusher.mayPush(for: person)
      {
        known = person
        continue
      }
      let fault =
        commonFault(
          person: columns.person[index], metric: columns.metric[index], source: columns.source[index], time: time,
          kind: .scalar, pusher, latest)
        ?? scalarFault(value, metric: columns.metric[index])
      if let fault { rejections.append(Rejection(index: index, reason: fault.0, field: fault.1)) }
    }
  }

  private func validatePositions(
    _ columns: PositionColumns, _ pusher: Pusher, _ latest: Microseconds, base: Int,
    _ rejections: inout [Rejection]
  ) {
    for index in 0..<columns.count {
      let fault =
        commonFault(
          person: columns.person[index], metric: columns.metric[index], source: columns.source[index],
          time: columns.time[index], kind: .position, pusher, latest)
        ?? Self.fault(columns.latitude[index], in: -90...90, "latitude")
        ?? Self.fault(columns.longitude[index], in: -180...180, "longitude")
        ?? placeFault(columns.latitude[index], columns.longitude[index], metric: columns.metric[index])
        ?? Self.optionalFault(columns.altitude[index], in: -500...100_000, "altitude")
        ?? Self.optionalFault(columns.accuracy[index], in: 0...1e7, "accuracy")
        ?? Self.optionalFault(columns.speed[index], in: 0...350, "speed")
        ?? Self.optionalFault(columns.course[index], in: 0...360, "course")
      if let fault { rejections.append(Rejection(index: base + index, reason: fault.0, field: fault.1)) }
    }
  }

  private func validateWaveforms(
    _ columns: WaveformColumns, _ pusher: Pusher, _ latest: Microseconds, base: Int,
    _ rejections: inout [Rejection]
  ) {
    var start = 0
    for index in 0..<columns.count {
      let end = start + Int(columns.sampleCount[index])
      let fault =
        commonFault(
          person: columns.person[index], metric: columns.metric[index], source: columns.source[index],
          time: columns.time[index], kind: .waveform, pusher, latest)
        ?? shapeFault(rate: columns.rate[index], samples: end - start)
        ?? sampleFault(columns.samples[start..<end], metric: columns.metric[index])
      if let fault { rejections.append(Rejection(index: base + index, reason: fault.0, field: fault.1)) }
      start = end
    }
  }

  private typealias Fault = (RejectionReason, String)

  private func commonFault(
    person: PersonID, metric: MetricID, source: SourceID, time: Microseconds, kind: MetricKind,
    _ pusher: Pusher, _ latest: Microseconds
  ) -> Fault? {
    if person <= 0 { return (.invalidPerson, "person_id") }
    if !pusher.mayPush(for: person) { return (.notYours, "person_id") }
    guard let described = catalog[metric] else { return (.unknownMetric, "metric") }
    if described.kind != kind { return (.wrongKind, "metric") }
    if source < 0 { return (.invalidSource, "source") }
    if time > latest { return (.timeInFuture, "time_us") }
    if time < Self.oldestTime { return (.timeTooOld, "time_us") }
    return nil
  }

  private func scalarFault(_ value: Double, metric: MetricID) -> Fault? {
    guard let described = catalog[metric] else { return (.unknownMetric, "metric") }
    if value == 0, described.zeroIsNoValue { return (.noValue, "value") }
    return Self.fault(value, in: described.minimum...described.maximum, "value")
  }

  /// A receiver without a fix writes 0 and 0, which is a place in the Gulf of Guinea.
  private func placeFault(_ latitude: Double, _ longitude: Double, metric: MetricID) -> Fault? {
    latitude == 0 && longitude == 0 && catalog[metric]?.zeroIsNoValue == true ? (.noValue, "latitude") : nil
  }

  private func shapeFault(rate: Double, samples: Int) -> Fault? {
    guard rate.isFinite, rate > 0, rate <= Self.maxWaveformRate else { return (.invalidWaveform, "rate_hz") }
    return samples >= 1 && samples <= Self.maxWaveformSamples ? nil : (.invalidWaveform, "samples")
  }

  private func sampleFault(_ samples: ArraySlice<Double>, metric: MetricID) -> Fault? {
    guard let described = catalog[metric] else { return (.unknownMetric, "metric") }
    let range = described.minimum...described.maximum
    for sample in samples { if let fault = Self.fault(sample, in: range, "samples") { return fault } }
    return nil
  }

  private static func fault(_ value: Double, in range: ClosedRange<Double>, _ field: String) -> Fault? {
    if range.contains(value) { return nil }
    return value.isFinite ? (.outOfRange, field) : (.notANumber, field)
  }

  /// The same for a field in which NaN means not known.
  private static func optionalFault(_ value: Double, in range: ClosedRange<Double>, _ field: String) -> Fault? {
    value.isNaN ? nil : fault(value, in: range, field)
  }
}
