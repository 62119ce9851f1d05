public import Domain

/// A race's number, positive.
public typealias RaceID = Int64
/// The number on a runner's bib, positive; unique in its race.
public typealias BibNumber = Int32

/// Where a race is in its life.
public enum RaceState: Int16, Sendable, Hashable, CaseIterable {
  /// Its organisers alone see it.
  case draft = 1
  /// Until the deadline runners enrol.
  case enrolmentOpen = 2
  /// Between the deadline and the start.
  case enrolmentClosed = 3
  /// From the start on.
  case running = 4
  /// After its time limit, or ended by an organiser.
  case finished = 5
  /// By an organiser.
  case cancelled = 6
  /// By an administrator, until it is enabled again: its organisers alone see it, and nothing can be done with it.
  case disabled = 7
}

/// What can be done with a race.
public enum RaceAction: Sendable, Hashable, CaseIterable {
  /// Name, description, place and a larger capacity.
  case editTexts
  /// Course, start, deadline and time limit. Once enrolment is open, those concerned are told and free to leave.
  case changeCourseAndDates
  /// Entry, fee and a smaller capacity.
  case editPlan
  case openEnrolment
  case postpone
  case cancel
  /// Cancels it because the account of its last organiser has ended.
  case abandon
  case finish
  case enrol
  /// Gives a place back before the start.
  case withdraw
  /// Gives up while the race runs.
  case retire
  case invite
  case revokeInvitations
  /// Who runs, with usernames.
  case listEnrolments
  case observe
  case changeOrganizers
  case markPresent
  case disqualify
  case reinstate
  case correctResult
  case readResults
  /// Where the runners are, live and afterwards.
  case follow
}

/// An action that the state of a race does not allow.
public struct RaceActionError: Error, Sendable, Hashable {
  public let action: RaceAction
  /// The state that the race is in.
  public let state: RaceState

  public init(action: RaceAction, state: RaceState) {
    self.action = action
    self.state = state
  }
}

extension RaceState {
  /// Whether an action is possible in this state; who may take it is decided elsewhere.
  public func allows(_ action: RaceAction) -> Bool {
    switch action {
    case .editTexts, .changeCourseAndDates: self == .draft || self == .enrolmentOpen
    case .editPlan, .openEnrolment: self == .draft
    case .postpone: self == .draft || self == .enrolmentOpen || self == .enrolmentClosed
    case .cancel: self != .finished && self != .cancelled && self != .disabled
    case .abandon: self != .finished && self != .cancelled
    case .finish, .retire: self == .running
    case .enrol: self == .enrolmentOpen
    case .withdraw: self == .enrolmentOpen || self == .enrolmentClosed
    case .invite: self == .draft || self == .enrolmentOpen
    case .observe: self != .draft && self != .cancelled && self != .disabled
    case .changeOrganizers: self != .cancelled && self != .disabled
    case .markPresent: self == .enrolmentClosed || self == .running
    case .disqualify, .reinstate: self == .enrolmentClosed || self == .running || self == .finished
    case .correctResult: self == .running || self == .finished
    case .readResults: self == .finished
    case .follow, .listEnrolments, .revokeInvitations: self != .disabled
    }
  }

  /// The states in which at least one of some actions is possible.
  public static func allowing(_ actions: RaceAction...) -> [RaceState] {
    allCases.filter { state in actions.contains { state.allows($0) } }
  }

  /// - Throws: `RaceActionError` if the action is not possible in this state.
  public func check(_ action: RaceAction) throws(RaceActionError) {
    if !allows(action) { throw RaceActionError(action: action, state: self) }
  }
}

/// The dates of a race; its state follows from them, so that nothing has to happen for a race to begin or to end.
public struct RaceSchedule: Sendable, Hashable {
  /// The longest time limit: 48 hours.
  public static let maxTimeLimit: Microseconds = 48 * 3_600 * 1_000_000

  /// The gun.
  public var starts: Microseconds
  /// The deadline, before the start.
  public var enrolmentEnds: Microseconds
  /// After the start, when the race is over: 1 minute to 48 hours.
  public var timeLimit: Microseconds
  /// Whether it was published; otherwise it is a draft, and never runs.
  public var isOpened: Bool
  /// When an organiser ended it.
  public var finished: Microseconds?
  /// When an organiser cancelled it.
  public var cancelled: Microseconds?
  /// Whether an administrator has disabled it: then it is nothing else, whatever its dates.
  public var isDisabled: Bool

  public init(
    starts: Microseconds, enrolmentEnds: Microseconds, timeLimit: Microseconds, isOpened: Bool = false,
    finished: Microseconds? = nil, cancelled: Microseconds? = nil, isDisabled: Bool = false
  ) {
    self.starts = starts
    self.enrolmentEnds = enrolmentEnds
    self.timeLimit = timeLimit
    self.isOpened = isOpened
    self.finished = finished
    self.cancelled = cancelled
    self.isDisabled = isDisabled
  }

  /// When the race is over, if it is not cancelled.
  public var ends: Microseconds { min(finished ?? .max, starts + timeLimit) }

  /// A date of a race.
  public enum Date: Sendable, Hashable {
    case enrolmentEnds, starts, ends, cancelled
  }

  /// Something that holds of a race at a time.
  public enum Condition: Sendable, Hashable {
    case isDisabled
    case isNotOpened
    /// The date has come; one that is not set never does.
    case since(Date)
    case before(Date)
  }

  /// The conditions of states, in their order: a race is in the state of the first one that holds, and otherwise finished.
  /// The database is given these too.
  public static let states: [(condition: Condition, state: RaceState)] = [
    (.isDisabled, .disabled),
    (.since(.cancelled), .cancelled),
    (.isNotOpened, .draft),
    (.before(.enrolmentEnds), .enrolmentOpen),
    (.before(.starts), .enrolmentClosed),
    (.before(.ends), .running),
  ]

  /// The state at a time, also in the past.
  public func state(at time: Microseconds) -> RaceState {
    Self.states.first { holds($0.condition, at: time) }?.state ?? .finished
  }

  private func holds(_ condition: Condition, at time: Microseconds) -> Bool {
    switch condition {
    case .isDisabled: isDisabled
    case .isNotOpened: !isOpened
    case .since(let date): self[date].map { time >= $0 } ?? false
    case .before(let date): self[date].map { time < $0 } ?? false
    }
  }

  private subscript(date: Date) -> Microseconds? {
    switch date {
    case .enrolmentEnds: enrolmentEnds
    case .starts: starts
    case .ends: ends
    case .cancelled: cancelled
    }
  }

  /// The same race later: every date moves by as much.
  /// - Parameter start: later than the one it has.
  public func postponed(to start: Microseconds) -> RaceSchedule {
    var moved = self
    moved.enrolmentEnds += start - starts
    moved.starts = start
    return moved
  }
}
