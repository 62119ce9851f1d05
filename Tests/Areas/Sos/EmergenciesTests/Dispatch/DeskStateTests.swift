import Domain
import SosRules
import Testing

@testable import Emergencies

/// What becomes of an emergency at the desk, without threads and with a clock that the tests move (A-R15, B-R.S3).
@Suite struct DeskStateTests {
  private let first = ScriptedDispatcher(1, priority: 1)
  private let second = ScriptedDispatcher(2, priority: 2)

  @Test func aCallWaitsForTheJournalButNotLongerThan200Milliseconds() {
    let desk = Desk()
    desk.state.connect(first)
    desk.detect(isSafe: false)
    desk.pass(199_000)
    #expect(desk.takeTold() == [] && desk.current == .detected)
    desk.pass(1_000)
    #expect(desk.takeTold() == ["1 call"] && desk.current == .dispatching)
  }

  @Test func aFurtherCrossingJoinsAndTheOneWhoAcceptedIsTold() {
    let desk = Desk()
    desk.state.connect(first)
    desk.detect()
    desk.answer(.accepted, 1)
    _ = desk.takeTold()
    desk.detect(Rig.detection(metric: 6, kind: .low, isFirst: false))
    #expect(desk.takeTold() == ["1 update"])
    #expect(desk.emergency.crossings.map(\.metric) == [1, 6] && desk.current == .accepted)
    let changed = desk.emergency.changed
    desk.detect(Rig.detection(metric: 6, kind: .low, isFirst: false))
    desk.detect()
    #expect(desk.takeTold() == [] && desk.emergency.changed == changed && desk.state.cases.count == 1)
  }

  @Test func aCancelGoesToEverybodyWhoWasTold() {
    let desk = Desk(webhooks: 1, gateway: true)
    desk.state.connect(first)
    desk.state.connect(second)
    desk.detect(Rig.detection(contacts: [Rig.anna]))
    desk.finish(.sms)
    desk.finish(.voice, .failed("busy"))
    desk.finish(.contact(0))
    desk.pass(2_000_000)
    _ = desk.takeTold()
    _ = desk.takeSent()
    guard case .cancelled(let emergency) = desk.cancel(by: 7, reason: "I am well") else {
      Issue.record("must be cancelled")
      return
    }
    desk.perform()
    #expect(emergency.transitions.last?.note == "I am well" && emergency.transitions.last?.actor == "person")
    #expect(Set(desk.takeTold()) == ["1 cancel", "2 cancel"])
    #expect(Set(desk.takeSent()) == [.smsCancel, .contactCancel(0)])
    desk.finish(.smsCancel, .failed("busy"))
    desk.pass(1_000_000)
    #expect(desk.takeSent() == [.smsCancel])
    desk.pass(60_000_000)
    #expect(desk.takeTold() == [] && desk.takeSent() == [])
    guard case .cancelled = desk.cancel(by: 7, reason: "") else {
      Issue.record("cancelling again changes nothing")
      return
    }
    #expect(desk.cancel(by: 8, reason: "") == .unknown)
  }

  @Test func nobodyCancelsAfterTenMinutesOrWhatIsOver() {
    let desk = Desk()
    desk.state.connect(first)
    desk.detect()
    desk.pass(Emergency.cancellable + 1_000)
    #expect(desk.cancel(by: 7, reason: "") == .tooLate(.dispatching))
    desk.answer(.resolved, 1)
    #expect(desk.cancel(by: 7, reason: "") == .tooLate(.resolved))
  }

  @Test func timesOfTransitionsRiseStrictlyAlsoWhenTheClockGoesBack() {
    let desk = Desk(gateway: true)
    desk.state.connect(first)
    desk.state.last = Patients.now + 3_600_000_000
    for person in 1...5 { desk.detect(Rig.detection(PersonID(person))) }
    let times = desk.state.cases.values.flatMap { $0.emergency.transitions.map(\.at) }.sorted()
    #expect(Set(times).count == times.count && times[0] > Patients.now + 3_600_000_000)
  }

  @Test func aPersonIsForgotten() {
    let desk = Desk(gateway: true)
    desk.state.connect(first)
    desk.detect()
    desk.state.forget(7)
    desk.perform()
    _ = desk.takeSent()
    desk.finish(.sms, .failed("late"))
    desk.pass(600_000_000)
    #expect(desk.state.cases.isEmpty && desk.takeSent() == [])
  }

  @Test func whatIsOverIsForgottenAfterHoursAndOnlyWhenTheArchiveHasIt() {
    let desk = Desk()
    desk.state.connect(first)
    desk.detect()
    desk.answer(.resolved, 1)
    desk.pass(desk.state.configuration.retention + DeskState.sweepInterval)
    #expect(desk.state.cases.count == 1)
    desk.state.recorded(desk.id, changed: desk.emergency.changed)
    desk.pass(DeskState.sweepInterval)
    #expect(desk.state.cases.isEmpty)
  }
}
