import Domain
import SosRules
import Testing

@testable import Emergencies

/// Which dispatcher is asked when, and whose answer counts (A-R15, B-R.S3).
@Suite struct AskingTests {
  private let first = ScriptedDispatcher(1, priority: 1)
  private let second = ScriptedDispatcher(2, priority: 2)

  @Test func theNextOneIsAskedAfterTwoSeconds() {
    let desk = Desk(webhooks: 1)
    desk.state.connect(second)
    desk.state.connect(first)
    desk.detect()
    #expect(desk.takeTold() == ["1 call"])
    desk.pass(1_999_999)
    #expect(desk.takeTold() == [])
    desk.pass(1)
    #expect(desk.takeTold() == ["2 call"] && desk.takeSent() == [])
    desk.pass(2_000_000)
    #expect(desk.takeTold() == [] && desk.takeSent() == [.alert(webhook: 0)])
  }

  @Test func afterTheLastOneItBeginsAgainWithTheFirstForEver() {
    let desk = Desk()
    desk.state.connect(first)
    desk.detect()
    #expect(desk.takeTold() == ["1 call"])
    for pause: Microseconds in [1, 2, 4, 8, 16, 30, 30, 30] {
      desk.pass(2_000_000)
      #expect(desk.takeTold() == [])
      desk.pass(pause * 1_000_000 - 1)
      #expect(desk.takeTold() == [])
      desk.pass(1)
      #expect(desk.takeTold() == ["1 call"])
    }
  }

  @Test func whoRefusesOrVanishesIsFollowedAtOnce() {
    let desk = Desk()
    let third = ScriptedDispatcher(3, priority: 3)
    for dispatcher in [first, second, third] { desk.state.connect(dispatcher) }
    desk.detect()
    #expect(desk.takeTold() == ["1 call"])
    desk.answer(.refused, 1, note: "no ambulance")
    #expect(desk.takeTold() == ["2 call"])
    desk.state.disconnect(second)
    desk.perform()
    #expect(desk.takeTold() == ["3 call"])
    #expect(desk.emergency.transitions.contains { $0.actor == "dispatcher 1" && $0.note == "refused: no ambulance" })
    desk.answer(.refused, 1, note: "no ambulance")
    #expect(desk.emergency.transitions.count { $0.actor == "dispatcher 1" } == 1)
  }

  @Test func theFirstAcceptanceWinsAndTheOthersAreToldSo() {
    let desk = Desk()
    desk.state.connect(first)
    desk.state.connect(second)
    desk.detect()
    desk.pass(2_000_000)
    #expect(desk.takeTold() == ["1 call", "2 call"])
    #expect(desk.answer(.accepted, 2))
    #expect(desk.takeTold() == ["1 taken"] && desk.current == .accepted)
    #expect(!desk.answer(.accepted, 1))
    #expect(desk.takeTold() == ["1 taken"])
    #expect(desk.answer(.accepted, 2))
    #expect(desk.emergency.transitions.count { $0.actor.hasPrefix("dispatcher") } == 1)
    desk.pass(120_000_000)
    #expect(desk.takeTold() == [])
    #expect(desk.answer(.enRoute, 2) && desk.answer(.resolved, 2))
    #expect(desk.current == .resolved && desk.emergency.transitions.last?.actor == "dispatcher 2")
    #expect(!desk.answer(.enRoute, 1) && desk.current == .resolved)
  }

  @Test func whoWasNotToldOfACallHasNoSayInIt() {
    let desk = Desk()
    desk.state.connect(first)
    desk.state.connect(second)
    desk.detect()
    #expect(!desk.answer(.accepted, 2) && desk.current == .dispatching)
    #expect(!desk.answer(.accepted, 1, to: EmergencyID(person: 9, metric: 1, began: 1)))
  }

  @Test func whoConnectsIsToldAtOnceOfWhatNobodyHasAcceptedAndOfItsOwn() {
    let desk = Desk()
    desk.detect()
    desk.pass(60_000_000)
    desk.state.connect(second)
    desk.perform()
    #expect(desk.takeTold() == ["2 call"])
    desk.answer(.accepted, 2)
    desk.state.disconnect(second)
    desk.state.connect(first)
    desk.perform()
    #expect(desk.takeTold() == [])
    desk.state.connect(ScriptedDispatcher(2, priority: 2))
    desk.perform()
    #expect(desk.takeTold() == ["2 call"])
  }

  @Test func whoHasAcceptedAndRefusesLaterIsReplaced() {
    let desk = Desk()
    desk.state.connect(first)
    desk.state.connect(second)
    desk.detect()
    desk.answer(.accepted, 1)
    _ = desk.takeTold()
    #expect(desk.answer(.refused, 1, note: "broken down"))
    #expect(desk.takeTold() == ["2 call"])
    #expect(desk.answer(.accepted, 2) && desk.emergency.owner == .dispatcher(2))
  }

  @Test func whoAcceptsIsToldOfWhatJoinedMeanwhile() {
    let desk = Desk()
    desk.state.connect(first)
    desk.detect()
    desk.detect(Rig.detection(metric: 6, kind: .low, isFirst: false))
    _ = desk.takeTold()
    desk.answer(.accepted, 1)
    #expect(desk.takeTold() == ["1 update"])
  }

  @Test func dispatchersAreAskedOnWhenOnlyTheGatewayHasTakenTheCall() {
    let desk = Desk(gateway: true)
    desk.detect()
    desk.finish(.sms)
    #expect(desk.current == .accepted)
    desk.state.connect(first)
    desk.perform()
    #expect(desk.takeTold() == ["1 call"] && desk.answer(.accepted, 1))
  }
}
