internal import Domain
internal import GroupsRules
internal import ServiceKit
internal import WireCodec

extension GroupQuestion {
  /// The question on the grid; nil where something is wrong, which is added to the violations.
  /// - Parameters:
  ///   - field: where the question is in the request.
  ///   - area: the cells of the area that it names; nil where there is none of that code.
  ///   - isExport: whether rows are asked for, and not statistics.
  init?(
    _ wire: Trackme_Groups_V1_GroupQuestion, _ field: String, in area: [Range<PlaceGrid.Cell>]?, isExport: Bool = false,
    _ catalog: MetricCatalog, _ violations: inout Violations
  ) {
    let metrics = violations.metrics(
      wire.metrics, "\(field).metrics", count: 1...Self.metricsMax, in: catalog)
    for (index, name) in wire.metrics.enumerated() where catalog[name].map({ $0.kind != .scalar }) ?? false {
      violations.add("\(field).metrics[\(index)]", "must be a kind whose readings are numbers")
    }
    let ages = AgeBands(from: Int(wire.fromAge), to: wire.toAge == 0 ? nil : Int(wire.toAge))
    if ages == nil { violations.add("\(field).to_age", "must be 18 to 150, and not below from_age") }
    let weights = WeightBands(from: wire.fromWeightKg, to: wire.toWeightKg == 0 ? nil : wire.toWeightKg)
    if weights == nil { violations.add("\(field).to_weight_kg", "must be at most 700, and above from_weight_kg") }
    var sex: Sex?
    switch wire.sex {
    case .unspecified: break
    case .female: sex = .female
    case .male: sex = .male
    case .unrecognized: violations.add("\(field).sex", "must be a GroupSex")
    }
    let times = Self.times(wire, field, &violations)
    var statistics: Set<Statistic> = isExport ? [.records] : []
    if isExport, wire.buckets != .unspecified {
      violations.add("\(field).buckets", "must be left out: rows are of all days")
    }
    for (index, statistic) in wire.statistics.enumerated() {
      switch Statistic(rawValue: Int(statistic.rawValue)) {
      case nil: violations.add("\(field).statistics[\(index)]", "must be a GroupStatistic")
      case let known? where isExport != (known == .records):
        violations.add(
          "\(field).statistics[\(index)]", isExport ? "must be left out: an export has rows" : "is for ExportGroup")
      case let known?: statistics.insert(known)
      }
    }
    var precision: Precision?
    switch wire.precision {
    case .low: precision = .low
    case .unspecified, .medium: precision = .medium
    case .high: precision = .high
    case .unrecognized: violations.add("\(field).precision", "must be a GroupPrecision")
    }
    do throws(QuestionFault) {
      let place = try Self.place(wire, area)
      guard let ages, let weights, let times, let precision, violations.isEmpty else { return nil }
      try self.init(
        metrics: metrics.compactMap { catalog[$0]?.name },
        persons: try Persons(ages: ages, weights: weights, sex: sex, address: wire.address), place: place, times: times,
        statistics: statistics, precision: precision,
        personsMin: wire.minimumPersons == 0 ? GroupThreshold.personsMin : Int(wire.minimumPersons))
    } catch {
      violations.add("\(field).\(error.field)", error.reason)
      return nil
    }
  }

  private static func place(
    _ wire: Trackme_Groups_V1_GroupQuestion, _ area: [Range<PlaceGrid.Cell>]?
  ) throws(QuestionFault) -> GroupPlace {
    if !wire.area.isEmpty {
      if wire.circle != nil || wire.box != nil {
        throw QuestionFault("area", "must not be given beside a circle or a box")
      }
      guard let area else { throw QuestionFault("area", "must be the code of an area that ListGroupAreas tells of") }
      return try GroupPlace(area: area)
    }
    if let circle = wire.circle {
      if wire.box != nil { throw QuestionFault("box", "must not be given beside a circle") }
      return try GroupPlace(latitude: circle.latitude, longitude: circle.longitude, radius: circle.radiusM)
    }
    guard let box = wire.box else { return .anywhere }
    return try GroupPlace(south: box.south, west: box.west, north: box.north, east: box.east)
  }

  private static func times(
    _ wire: Trackme_Groups_V1_GroupQuestion, _ field: String, _ violations: inout Violations
  ) -> Times? {
    let (from, to) = (CalendarDate(iso8601: wire.fromDate), CalendarDate(iso8601: wire.toDate))
    if from == nil { violations.add("\(field).from_date", "must be a day such as 2026-11-01") }
    if to == nil { violations.add("\(field).to_date", "must be a day such as 2026-11-30") }
    if let from, let to, from > to { violations.add("\(field).to_date", "must not be before from_date") }
    let slot =
      wire.fromHour == 0 && wire.toHour == 0
      ? HourSlot.day : HourSlot(from: Int(wire.fromHour), to: wire.toHour == 0 ? 24 : Int(wire.toHour))
    if slot == nil { violations.add("\(field).to_hour", "must be 1 to 24 and not from_hour, which is 0 to 23") }
    let buckets = Buckets(rawValue: Int(wire.buckets.rawValue))
    if buckets == nil { violations.add("\(field).buckets", "must be a GroupBuckets") }
    guard let from, let to, from <= to, let slot, let buckets else { return nil }
    do throws(QuestionFault) {
      return try Times(
        days: from...to, slot: slot, timeZone: wire.timeZone.isEmpty ? "UTC" : wire.timeZone, buckets: buckets)
    } catch {
      violations.add("\(field).\(error.field)", error.reason)
      return nil
    }
  }

  /// The question as it is on the grid.
  /// - Parameter asked: the place is told as it was asked for.
  func wire(_ asked: Trackme_Groups_V1_GroupQuestion) -> Trackme_Groups_V1_GroupQuestion {
    .init(
      metrics: metrics, fromAge: Int32(persons.ages.from), toAge: Int32(persons.ages.to ?? 0),
      fromWeightKg: Double(persons.weights.from ?? 0), toWeightKg: Double(persons.weights.to ?? 0), sex: asked.sex,
      address: persons.address, circle: asked.circle, box: asked.box, fromDate: times.days.lowerBound.text,
      toDate: times.days.upperBound.text, timeZone: times.timeZone, fromHour: Int32(times.slot.from),
      toHour: Int32(times.slot.to), buckets: asked.buckets,
      statistics: statistics.map(\.rawValue).sorted().map { .init(rawValue: Int32($0)) },
      precision: precision == .high ? .high : precision == .medium ? .medium : .low,
      minimumPersons: Int32(clamping: personsMin), area: asked.area)
  }
}
