internal import Domain
internal import Payments
internal import RacesRules
internal import ServiceKit
internal import WireCodec

extension RacePlan {
  static let maxNameCharacters = 100
  static let maxDescriptionCharacters = 4_000
  private static let defaultTimeLimit: Microseconds = 6 * 3_600 * 1_000_000
  private static let minTimeLimit: Microseconds = 60 * 1_000_000
  /// What is wrong with a route that can't be used.
  static let routeProblem =
    "must be of a route that PlanRoutes gave you in the last \(Course.routeLasts / 3_600_000_000) hours"

  /// The plan of a request; what is wrong with it is added to the violations, and then it may be anything.
  ///
  /// - Parameter courseID: of the course that an empty route_id means; nil: there must be one.
  init(_ wire: Trackme_Races_V1_RacePlan?, courseID: String? = nil, _ violations: inout Violations) {
    if wire == nil { violations.add("plan", "must be given") }
    let wire = wire ?? .init()
    if !violations.has("plan") {
      violations.add("plan.name", PlainText.problem(wire.name, length: 1...Self.maxNameCharacters))
      violations.add(
        "plan.description",
        PlainText.problem(wire.description, length: 0...Self.maxDescriptionCharacters, isParagraph: true))
      violations.add("plan.place_name", PlainText.problem(wire.placeName, length: 1...Self.maxNameCharacters))
      if !(0...Self.maxCapacity).contains(wire.capacity) {
        violations.add("plan.capacity", "must be 0 to \(Self.maxCapacity)")
      }
      if !(courseID != nil && wire.routeID.isEmpty), !Self.isRouteID(wire.routeID) {
        violations.add("plan.route_id", Self.routeProblem)
      }
    }
    self.init(
      name: wire.name, description: wire.description, placeName: wire.placeName,
      schedule: Self.schedule(wire, &violations), byInvitation: wire.byInvitation,
      capacity: wire.capacity == 0 ? Self.maxCapacity : wire.capacity, fee: Self.fee(wire.fee, &violations),
      courseID: wire.routeID.isEmpty ? courseID ?? "" : wire.routeID)
  }

  /// Adds what is wrong with dates at a time.
  func check(at now: Microseconds, _ violations: inout Violations) {
    if !violations.has("plan.starts"), schedule.starts <= now {
      violations.add("plan.starts", "must be in the future")
    }
    if !violations.has("plan.enrolment_ends"), schedule.enrolmentEnds <= now {
      violations.add("plan.enrolment_ends", "must be in the future")
    }
  }

  private static func schedule(_ wire: Trackme_Races_V1_RacePlan, _ violations: inout Violations) -> RaceSchedule {
    let starts = time(wire.starts, "plan.starts", &violations)
    let ends = time(wire.enrolmentEnds, "plan.enrolment_ends", &violations)
    if let starts, let ends, ends >= starts { violations.add("plan.enrolment_ends", "must be before plan.starts") }
    let limit = wire.timeLimit.map { $0.microseconds ?? 0 } ?? defaultTimeLimit
    if !(minTimeLimit...RaceSchedule.maxTimeLimit).contains(limit) {
      violations.add("plan.time_limit", "must be 1 minute to 48 hours")
    }
    return RaceSchedule(starts: starts ?? 0, enrolmentEnds: ends ?? 0, timeLimit: limit)
  }

  private static func time(
    _ wire: Google_Protobuf_Timestamp?, _ field: String, _ violations: inout Violations
  ) -> Microseconds? {
    if violations.has("plan") { return nil }
    guard let wire else {
      violations.add(field, "must be given")
      return nil
    }
    do { return try wire.microseconds(field: field) } catch {
      violations.add(field, "must be a time from year 1 to year 9999")
      return nil
    }
  }

  private static func fee(_ wire: Trackme_Races_V1_Money?, _ violations: inout Violations) -> Money? {
    guard let wire else { return nil }
    if wire.currencyCode.utf8.count != 3 || !wire.currencyCode.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
      violations.add("plan.fee.currency_code", "must be three capital letters, as ISO 4217 has them")
    }
    if !Money.minorUnitsRange.contains(wire.minorUnits) {
      violations.add("plan.fee.minor_units", "must be 1 to 100,000,000")
    }
    return Money(currency: wire.currencyCode, minorUnits: wire.minorUnits)
  }

  /// Whether a text is a UUID as PlanRoutes gives it.
  private static func isRouteID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }
  }
}
