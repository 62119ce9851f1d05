public import Domain

extension PersonMonitor {
  /// What a call says about the person, in 16 bytes.
  struct Profile: Sendable {
    /// 0: none.
    var callbackDigits: UInt64 = 0
    /// Days since 1970; the least number: not known.
    var birthDay: Int32 = .min
    /// 0: not known.
    var sex: UInt8 = 0
  }

  /// What few persons have.
  struct Extras: Sendable {
    var contacts: [EmergencyContact] = []
    var exertions: [Range<Microseconds>] = []
    var silence: SilenceWatch?
  }

  /// The newest position: degrees in steps of a centimetre.
  struct Place: Sendable {
    private static let steps = 1e7
    var time: Microseconds = .min
    private var latitude: Int32 = 0
    private var longitude: Int32 = 0
    private var accuracy: Float = .nan

    init() {}

    init(_ position: LastPosition) {
      time = position.time
      latitude = Int32((position.latitude * Self.steps).rounded())
      longitude = Int32((position.longitude * Self.steps).rounded())
      accuracy = position.accuracy.map { Float($0) } ?? .nan
    }

    var position: LastPosition? {
      guard time != .min else { return nil }
      return LastPosition(
        latitude: Double(latitude) / Self.steps, longitude: Double(longitude) / Self.steps,
        accuracy: accuracy.isNaN ? nil : Double(accuracy), time: time)
    }
  }

  public var dateOfBirth: CalendarDate? {
    profile.birthDay == .min ? nil : CalendarDate(daysSinceEpoch: Int(profile.birthDay))
  }
  public var sex: Sex? { profile.sex == 0 ? nil : profile.sex == 1 ? .female : .male }
  public var callbackNumber: PhoneNumber? {
    profile.callbackDigits == 0 ? nil : PhoneNumber("+\(profile.callbackDigits)")
  }
  public var contacts: [EmergencyContact] { extras.isEmpty ? [] : extras[0].contacts }
  /// The newest position that has come.
  public var position: LastPosition? { place.position }

  /// The newest reading of each metric, none older than an hour, by the metrics' numbers.
  public func vitals(at now: Microseconds) -> [Vital] {
    guard Self.isTime(now) else { return [] }
    var newest: [MetricID: Vital] = [:]
    for index in 0..<trackCount {
      let track = self[track: index]
      guard now - track.newest <= Self.wordLasts, track.newest > newest[track.metric]?.time ?? .min else { continue }
      newest[track.metric] = Vital(
        metric: track.metric, source: track.source, time: track.newest, value: track.value)
    }
    return newest.values.sorted { $0.metric < $1.metric }
  }

  mutating func set(_ person: MonitoredPerson) {
    profile.callbackDigits = person.settings.callbackNumber?.digits ?? 0
    profile.birthDay = person.dateOfBirth.map { Int32($0.daysSinceEpoch) } ?? .min
    profile.sex = person.sex.map { $0 == .female ? 1 : 2 } ?? 0
    var extras = Extras(contacts: person.settings.contacts, exertions: person.exertions)
    if let rule = person.settings.silence {
      extras.silence = self.extras.first?.silence ?? SilenceWatch(rule: rule)
      extras.silence?.rule = rule
    }
    let isEmpty = extras.contacts.isEmpty && extras.exertions.isEmpty && extras.silence == nil
    self.extras = isEmpty ? [] : [extras]
  }
}
