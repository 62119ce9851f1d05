public import Domain
public import Payments
public import RacesRules

/// What an organiser decides about a race.
public struct RacePlan: Sendable, Hashable {
  /// The most runners of any race.
  public static let maxCapacity: Int32 = 20_000

  public var name: String
  public var description: String
  public var placeName: String
  /// Whether it is opened, finished or cancelled is not part of a plan.
  public var schedule: RaceSchedule
  public var byInvitation: Bool
  /// 1 to 20,000 runners.
  public var capacity: Int32
  /// What each runner pays.
  public var fee: Money?
  /// A UUID.
  public var courseID: String

  public init(
    name: String, description: String = "", placeName: String, schedule: RaceSchedule, byInvitation: Bool = false,
    capacity: Int32 = maxCapacity, fee: Money? = nil, courseID: String
  ) {
    self.name = name
    self.description = description
    self.placeName = placeName
    self.schedule = schedule
    self.byInvitation = byInvitation
    self.capacity = capacity
    self.fee = fee
    self.courseID = courseID
  }
}

/// Somebody who manages a race.
public struct RaceOrganizer: Sendable, Hashable {
  public let account: AccountID
  public let username: String
  public let name: String

  public init(account: AccountID, username: String, name: String) {
    self.account = account
    self.username = username
    self.name = name
  }
}

/// A race as it is stored.
public struct RaceRecord: Sendable, Hashable {
  public let id: RaceID
  public let plan: RacePlan
  /// The etag: another one after each change of what organisers decide.
  public let version: Int64
  /// Another one after each change of the race or, after the deadline, of its runners.
  public let stamp: String
  public let createdBy: AccountID
  /// Runners who are enrolled.
  public let enrolledCount: Int32
  /// Persons on the waiting list.
  public let waitingCount: Int32
  /// Those whose accounts are active; the one who created the race comes first.
  public let organizers: [RaceOrganizer]

  public var name: String { plan.name }
  public var description: String { plan.description }
  public var placeName: String { plan.placeName }
  public var schedule: RaceSchedule { plan.schedule }
  public var byInvitation: Bool { plan.byInvitation }
  public var capacity: Int32 { plan.capacity }
  public var fee: Money? { plan.fee }
  public var courseID: String { plan.courseID }
}

/// What an account is to a race.
public struct RaceRoles: Sendable, Hashable {
  public let isOrganizer: Bool
  public let isObserver: Bool
  /// Whether there is an invitation of the person and the race has a link with this hash.
  public let isInvited: Bool
  /// As `trackme.races.v1.EnrolmentState`; nil without an enrolment.
  public let enrolment: Int16?

  /// Whether the person is enrolled, awaits payment or waits.
  public var isRunner: Bool { enrolment.map { (1...3).contains($0) } ?? false }
}
