public import Domain

/// Somebody to tell of an emergency.
public struct EmergencyContact: Sendable, Hashable, Codable {
  public var name: String
  public var phone: PhoneNumber?
  /// Or empty.
  public var email: String

  public init(name: String, phone: PhoneNumber?, email: String) {
    self.name = name
    self.phone = phone
    self.email = email
  }
}

/// When no heart rate is an alarm.
public struct SilenceRule: Sendable, Hashable, Codable {
  /// Minutes without a heart rate until the person and the contacts are told; at least 1.
  public var notifyAfterMinutes: Int
  /// Minutes after that until the emergency service is called; 0: never.
  public var callAfterMinutes: Int

  public init(notifyAfterMinutes: Int, callAfterMinutes: Int) {
    self.notifyAfterMinutes = notifyAfterMinutes
    self.callAfterMinutes = callAfterMinutes
  }
}

/// A person's choices about AutomatedSOS.
public struct SosSettings: Sendable, Hashable {
  /// Who has not chosen has it on from registration at this age and above (A-R14).
  public static let onFromAge = 60
  public static let maxContacts = 5

  public var isEnabled = false
  public var callbackNumber: PhoneNumber?
  /// As the person has named them; of a `MonitoredPerson`, those of them who have agreed to be told.
  public var contacts: [EmergencyContact] = []
  /// Nil: silence is no alarm.
  public var silence: SilenceRule?
  public var usesOxygenScale2 = false
  public var usesSupplementalOxygen = false

  public init() {}

  /// Whether it is on from registration: as the person chooses, and without a choice by the age (A-R14, B-UC.1).
  ///
  /// - Parameters:
  ///   - choice: nil: the person has not chosen.
  ///   - age: whole years on the day of registration.
  public static func isOnFromRegistration(choice: Bool?, age: Int) -> Bool { choice ?? (age >= onFromAge) }
}

/// A person whose readings are checked: settings, limits, and what a call says about the person.
public struct MonitoredPerson: Sendable {
  public var person: PersonID
  public var settings: SosSettings
  /// Nil where it is not known.
  public var dateOfBirth: CalendarDate?
  public var sex: Sex?
  /// The person's own limits by metric; others have the defaults for the age.
  public var thresholds: [MetricID: Threshold]
  /// Counts the changes of `thresholds`; 0: never any.
  public var thresholdsVersion: Int64
  /// Declared exertions, by their beginning; without the time of recovery.
  public var exertions: [Range<Microseconds>]

  public init(
    person: PersonID, settings: SosSettings, dateOfBirth: CalendarDate? = nil, sex: Sex? = nil,
    thresholds: [MetricID: Threshold] = [:], thresholdsVersion: Int64 = 0, exertions: [Range<Microseconds>] = []
  ) {
    self.person = person
    self.settings = settings
    self.dateOfBirth = dateOfBirth
    self.sex = sex
    self.thresholds = thresholds
    self.thresholdsVersion = thresholdsVersion
    self.exertions = exertions
  }
}
