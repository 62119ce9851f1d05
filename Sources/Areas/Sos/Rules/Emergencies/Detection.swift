public import Domain

/// What the evaluator has decided about a person.
public struct Detection: Sendable, Equatable {
  public var person: PersonID
  /// The episode: the same for every crossing that joins it.
  public var emergency: EmergencyID
  /// Whether it opens the episode.
  public var isFirst: Bool
  public var crossing: Crossing
  /// The server's time of the decision.
  public var decided: Microseconds
  /// The newest reading of each vital sign.
  public var vitals: [Vital]
  public var position: LastPosition?
  public var dateOfBirth: CalendarDate?
  public var sex: Sex?
  public var callbackNumber: PhoneNumber?
  public var contacts: [EmergencyContact]

  public init(
    person: PersonID, emergency: EmergencyID, isFirst: Bool, crossing: Crossing, decided: Microseconds,
    vitals: [Vital], position: LastPosition?, dateOfBirth: CalendarDate?, sex: Sex?, callbackNumber: PhoneNumber?,
    contacts: [EmergencyContact]
  ) {
    self.person = person
    self.emergency = emergency
    self.isFirst = isFirst
    self.crossing = crossing
    self.decided = decided
    self.vitals = vitals
    self.position = position
    self.dateOfBirth = dateOfBirth
    self.sex = sex
    self.callbackNumber = callbackNumber
    self.contacts = contacts
  }
}

/// No heart rate has come for the time that a person has set: the person and the contacts are to be told.
public struct SilenceNotice: Sendable, Equatable {
  public var person: PersonID
  /// When the last heart rate was received.
  public var since: Microseconds
  /// The server's time of the notice.
  public var at: Microseconds
  public var cause: SilenceCause
  public var position: LastPosition?
  public var contacts: [EmergencyContact]

  public init(
    person: PersonID, since: Microseconds, at: Microseconds, cause: SilenceCause, position: LastPosition?,
    contacts: [EmergencyContact]
  ) {
    self.person = person
    self.since = since
    self.at = at
    self.cause = cause
    self.position = position
    self.contacts = contacts
  }
}

/// What the monitor of readings tells.
public enum MonitorEvent: Sendable, Equatable {
  /// Limits were crossed.
  case detected(Detection)
  /// A silence to tell of.
  case silence(SilenceNotice)
  /// Readings beyond a limit came too late to call for: for the log, without their values.
  case late(person: PersonID, metric: MetricID, age: Microseconds)
}
