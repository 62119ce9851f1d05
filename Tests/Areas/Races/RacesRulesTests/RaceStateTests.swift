import Domain
import RacesRules
import Testing

@Suite struct RaceStateTests {
  /// Which actions are possible in which states: draft, open, closed, running, finished, cancelled, disabled.
  private static let table: [RaceAction: String] = [
    .editTexts: "++-----", .changeCourseAndDates: "++-----", .editPlan: "+------", .openEnrolment: "+------",
    .postpone: "+++----", .cancel: "++++---",
    .finish: "---+---", .enrol: "-+-----", .withdraw: "-++----", .retire: "---+---", .invite: "++-----",
    .observe: "-++++--", .changeOrganizers: "+++++--", .markPresent: "--++---", .disqualify: "--+++--",
    .reinstate: "--+++--", .correctResult: "---++--", .readResults: "----+--",
    .follow: "++++++-", .listEnrolments: "++++++-", .revokeInvitations: "++++++-", .abandon: "++++--+",
  ]

  @Test("A-R18, A-R19: in every state every action is possible or refused, and the refusal names both")
  func everyActionInEveryState() throws {
    #expect(Set(Self.table.keys) == Set(RaceAction.allCases))
    for (action, cells) in Self.table {
      #expect(cells.count == RaceState.allCases.count)
      for (state, cell) in zip(RaceState.allCases, cells) {
        #expect(state.allows(action) == (cell == "+"), "\(action) in \(state)")
        if cell == "+" {
          try state.check(action)
        } else {
          #expect(throws: RaceActionError(action: action, state: state)) { try state.check(action) }
        }
      }
    }
  }

  private static let schedule = RaceSchedule(
    starts: 1_000_000, enrolmentEnds: 500_000, timeLimit: 60_000_000, isOpened: true)

  @Test("the state changes in the microsecond of each date")
  func boundaries() {
    let race = Self.schedule
    for (time, state) in [
      (-1, .enrolmentOpen), (499_999, .enrolmentOpen), (500_000, .enrolmentClosed), (999_999, .enrolmentClosed),
      (1_000_000, .running), (60_999_999, .running), (61_000_000, .finished), (.max, .finished),
    ] as [(Microseconds, RaceState)] {
      #expect(race.state(at: time) == state, "at \(time)")
    }
    #expect(race.ends == 61_000_000)
  }

  @Test("a race that is disabled is nothing else, whatever the time, and is again what it was when it is enabled")
  func disabled() {
    var race = Self.schedule
    race.cancelled = 1_500_000
    race.isDisabled = true
    for time in [0, 500_000, 1_000_000, 1_500_000, 61_000_000, .max] as [Microseconds] {
      #expect(race.state(at: time) == .disabled)
    }
    race.isDisabled = false
    #expect(race.state(at: 1_499_999) == .running && race.state(at: 1_500_000) == .cancelled)
  }

  @Test("a draft never runs, whatever the time")
  func draft() {
    var race = Self.schedule
    race.isOpened = false
    for time in [0, 500_000, 1_000_000, 61_000_000, .max] as [Microseconds] { #expect(race.state(at: time) == .draft) }
  }

  @Test("A-R19: a race that was ended is finished from then on, and one that was cancelled is cancelled, not before")
  func ended() {
    var race = Self.schedule
    race.finished = 2_000_000
    #expect(race.state(at: 1_999_999) == .running && race.state(at: 2_000_000) == .finished)
    #expect(race.ends == 2_000_000)
    race.cancelled = 1_500_000
    #expect(race.state(at: 1_499_999) == .running && race.state(at: 1_500_000) == .cancelled)
    race.isOpened = false
    #expect(race.state(at: 0) == .draft && race.state(at: 1_500_000) == .cancelled)
  }

  @Test("A-R19: postponing moves every date by as much, and nothing else")
  func postponing() {
    let race = Self.schedule.postponed(to: 9_000_000)
    #expect(race.starts == 9_000_000 && race.enrolmentEnds == 8_500_000 && race.ends == 69_000_000)
    #expect(race.timeLimit == Self.schedule.timeLimit && race.isOpened)
    #expect(race.state(at: 8_499_999) == .enrolmentOpen, "who could enrol before can again")
  }
}
