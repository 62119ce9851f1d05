import Domain
import SosRules
import Testing

@testable import Emergencies

/// One person's many emergencies, and the first ones of others.
@Suite struct CallTurnsTests {
  private let minute: Microseconds = 60_000_000
  private let dispatcher = ScriptedDispatcher(1)

  /// An emergency of a person, detected now.
  private func detection(_ person: PersonID, at desk: Desk) -> Detection {
    var detection = Rig.detection(person, contacts: [Rig.anna])
    detection.decided = desk.state.configuration.clock.wall()
    detection.emergency = EmergencyID(person: person, metric: 1, began: detection.decided)
    return detection
  }

  @discardableResult
  private func detect(_ person: PersonID, at desk: Desk) -> EmergencyID {
    let detection = detection(person, at: desk)
    desk.detect(detection)
    return detection.emergency
  }

  /// A number of emergencies of a person, one second apart, each cancelled before the next.
  private func cancelled(_ count: Int, of person: PersonID, at desk: Desk) {
    for _ in 0..<count {
      let id = detect(person, at: desk)
      _ = desk.state.cancel(id, by: person, reason: "again")
      desk.perform()
      desk.pass(1_000_000)
    }
  }

  @Test func withinTheBudgetEveryChannelIsCalledAtOnce() {
    let desk = Desk(gateway: true)
    desk.state.connect(dispatcher)
    for number in 0..<Emergency.callBudget {
      let id = detect(7, at: desk)
      #expect(Set(desk.takeSent()) == [.sms, .voice, .contact(0)])
      #expect(desk.state.cases[id]?.emergency.earlier == number)
      for delivery in [Delivery.sms, .voice, .contact(0)] { desk.state.finished(.emergency(id, delivery), .taken) }
      desk.pass(1_000_000)
    }
  }

  @Test func beyondItDispatchersAreToldAtOnceAndTheRestWaitsForTenMinutesAtMost() {
    let desk = Desk(gateway: true)
    desk.state.connect(dispatcher)
    cancelled(Emergency.callBudget, of: 7, at: desk)
    _ = (desk.takeSent(), desk.takeTold())
    let id = detect(7, at: desk)
    #expect(desk.takeTold() == ["1 call"] && desk.takeSent() == [])
    let known = desk.state.cases[id]?.emergency
    #expect(known?.earlier == 3 && known?.transitions.last?.note.hasPrefix("repeated caller: 3 ") == true)
    #expect(desk.journaled?.id == id)
    // Another person's first call is not held back.
    detect(8, at: desk)
    #expect(Set(desk.takeSent()) == [.sms, .voice, .contact(0)])
    desk.pass(Emergency.callWindow - 1)
    #expect(desk.takeSent() == [])
    desk.pass(1)
    #expect(Set(desk.takeSent()) == [.sms, .voice, .contact(0)])
  }

  @Test func whatADispatcherHasIsNotCalledAgainUnlessItIsGivenBack() {
    let desk = Desk(gateway: true)
    desk.state.connect(dispatcher)
    cancelled(3, of: 7, at: desk)
    let id = detect(7, at: desk)
    _ = desk.takeSent()
    desk.answer(.accepted, 1, to: id)
    desk.pass(Emergency.callWindow)
    #expect(desk.takeSent() == [])
    desk.answer(.refused, 1, to: id)
    #expect(Set(desk.takeSent()) == [.sms, .voice, .contact(0)])
  }

  @Test func whereNobodyElseCanTakeItNothingIsHeldBack() {
    let desk = Desk(gateway: true)
    cancelled(3, of: 7, at: desk)
    _ = desk.takeSent()
    let first = detect(7, at: desk)
    #expect(Set(desk.takeSent()) == [.sms, .voice, .contact(0)])
    desk.state.cases[first] = nil
    // Nor when the last one who could goes away.
    desk.state.connect(dispatcher)
    detect(7, at: desk)
    #expect(desk.takeSent() == [])
    desk.state.disconnect(dispatcher)
    desk.perform()
    #expect(Set(desk.takeSent()) == [.sms, .voice, .contact(0)])
  }

  @Test func afterTenMinutesAPersonHasTheWholeBudgetAgain() {
    let desk = Desk(gateway: true)
    desk.state.connect(dispatcher)
    cancelled(20, of: 7, at: desk)
    desk.pass(Emergency.callWindow)
    _ = desk.takeSent()
    detect(7, at: desk)
    #expect(Set(desk.takeSent()) == [.sms, .voice, .contact(0)])
    desk.pass(minute)
    #expect(desk.state.lately.count == 1)
    desk.pass(Emergency.callWindow)
    #expect(desk.state.lately.isEmpty)
  }

  @Test func aPersonsLaterCallsStandBehindTheFirstOnesOfOthersAndLeaveHalfOfTheChannelFree() {
    let desk = Desk(gateway: true)
    let most = desk.state.configuration.channelCallsMax
    let mine = (0..<most).map { _ in
      let id = detect(7, at: desk)
      desk.pass(1_000)
      return id
    }
    // Its first one and as many as half of the channel takes.
    #expect(desk.state.channels[.sms]?.underWay == most / 2)
    for person in 101...PersonID(100 + most / 2) { detect(person, at: desk) }
    #expect(desk.state.channels[.sms]?.underWay == most)
    let late = detect(200, at: desk)
    desk.state.finished(.emergency(mine[0], .sms), .taken)
    #expect(desk.state.cases[late]?.attempts[.sms]?.phase == .underWay)
    #expect(desk.state.cases[mine[most - 1]]?.attempts[.sms]?.phase == .queued)
    // In the end nothing is forgotten.
    for id in Array(desk.state.cases.keys) + mine {
      if desk.state.cases[id]?.attempts[.sms]?.phase == .underWay {
        desk.state.finished(.emergency(id, .sms), .taken)
      }
    }
    for id in mine where desk.state.cases[id]?.attempts[.sms]?.phase == .underWay {
      desk.state.finished(.emergency(id, .sms), .taken)
    }
    #expect(mine.allSatisfy { desk.state.cases[$0]?.emergency.delivered.contains("sms") == true })
  }

  @Test func aCrashForgetsNeitherTheCountNorWhatIsHeldBack() {
    let before = Desk(gateway: true)
    before.state.connect(dispatcher)
    cancelled(3, of: 7, at: before)
    let id = detect(7, at: before)
    let after = Desk(gateway: true)
    after.state.connect(dispatcher)
    after.time.advance(by: 3_000_000 + minute)
    for known in before.state.cases.values { after.state.restore(known.emergency, recorded: .min, isSafe: true) }
    after.perform()
    #expect(after.takeSent().filter { !$0.isCancel } == [])
    #expect(after.state.cases[id]?.heldUntil == after.state.now + 9 * minute)
    detect(7, at: after)
    #expect(after.takeSent() == [])
    after.pass(9 * minute)
    #expect(Set(after.takeSent()) == [.sms, .voice, .contact(0)])
  }

  @Test func aDispatcherThatConnectsHearsOfFirstCallsFirst() {
    let desk = Desk()
    for _ in 0..<3 {
      detect(7, at: desk)
      desk.pass(1_000)
    }
    detect(8, at: desk)
    let late = ScriptedDispatcher(2)
    desk.state.connect(late)
    for effect in desk.state.effects {
      if case .tell(_, _, let told) = effect { late.tell(.init(kind: .call, emergency: told, text: "")) }
    }
    #expect(late.notices.map(\.emergency.person) == [7, 8, 7, 7])
    #expect(late.notices.map(\.emergency.earlier) == [0, 0, 1, 2])
  }
}
