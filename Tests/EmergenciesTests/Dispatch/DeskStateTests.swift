import Domain
import Testing

@testable import Emergencies

/// The rules of dispatch, without threads and with a clock that the tests move (A-R15, B-R.S3).
@Suite struct DeskStateTests {
  /// A desk's state whose effects are noted; calls to others are answered by the test.
  final class Desk {
    let time = ManualClock()
    var state: DeskState
    var told: [(AccountID, NoticeKind)] = []
    var sent: [Delivery] = []
    /// The number of the attempt of everything that was ever sent.
    var attempts: [Delivery: [Int]] = [:]
    var looked: [String] = []
    /// As the journal was given it last.
    var journaled: Emergency?
    let id = Rig.detection().emergency

    init(webhooks: Int = 0, gateway: Bool = false) {
      var configuration = DeskConfiguration(directory: "")
      configuration.clock = time.clock
      configuration.webhooks = (0..<webhooks).map { _ in ScriptedWebhook() }
      if gateway {
        configuration.gateways = Gateways(sms: ScriptedGateway(), voice: ScriptedGateway(), contacts: ScriptedGateway())
      }
      state = DeskState(configuration)
    }

    func perform() {
      for effect in state.effects {
        switch effect {
        case .tell(let dispatcher, let kind, _): told.append((dispatcher.account, kind))
        case .send(let delivery, _, let attempt, _):
          sent.append(delivery)
          attempts[delivery, default: []].append(attempt)
        case .look(_, let sid): looked.append(sid)
        case .journal(let emergency, _): journaled = emergency
        default: break
        }
      }
      state.effects = []
    }

    func detect(_ detection: Detection = Rig.detection(), isSafe: Bool = true) {
      state.detected(detection, number: ("112", "IT"))
      if isSafe { state.safe(upTo: state.sequence) }
      perform()
    }

    func pass(_ microseconds: Microseconds) {
      time.advance(by: microseconds)
      state.fire()
      perform()
    }

    @discardableResult
    func answer(
      _ answer: DispatcherAnswer, _ account: AccountID, note: String = "", to other: EmergencyID? = nil
    ) -> Bool {
      let stands = state.answer(other ?? id, answer, note: note, from: account)
      perform()
      return stands
    }

    @discardableResult
    func cancel(by person: PersonID, reason: String) -> CancelOutcome {
      let outcome = state.cancel(id, by: person, reason: reason)
      perform()
      return outcome
    }

    func finish(_ delivery: Delivery, _ outcome: DeliveryOutcome = .taken) {
      state.finished(.emergency(id, delivery), outcome)
      perform()
    }

    /// What a gateway says when it is asked.
    func say(_ delivery: Delivery, _ outcome: DeliveryOutcome) {
      state.finished(.look(.emergency(id, delivery)), outcome)
      perform()
    }

    /// What is told of a delivery.
    func steps(_ delivery: Delivery) -> [CallStatus?] {
      emergency.transitions.filter { $0.actor == delivery.name }.map(\.call)
    }

    func takeLooked() -> [String] {
      defer { looked = [] }
      return looked
    }

    func takeTold() -> [String] {
      defer { told = [] }
      return told.map { "\($0.0) \($0.1)" }
    }

    func takeSent() -> [Delivery] {
      defer { sent = [] }
      return sent
    }

    var emergency: Emergency { state.cases[id]!.emergency }
    var current: EmergencyState { emergency.state }
  }

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

  @Test func whoAcceptsIsToldOfWhatJoinedMeanwhile() {
    let desk = Desk()
    desk.state.connect(first)
    desk.detect()
    desk.detect(Rig.detection(metric: 6, kind: .low, isFirst: false))
    _ = desk.takeTold()
    desk.answer(.accepted, 1)
    #expect(desk.takeTold() == ["1 update"])
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

  @Test func smsAndVoiceDependOnNobodyAndAreTriedUntilTaken() {
    let desk = Desk(gateway: true)
    desk.state.connect(first)
    desk.detect(Rig.detection(contacts: [Rig.anna]))
    #expect(Set(desk.takeSent()) == [.sms, .voice, .contact(0)])
    desk.answer(.accepted, 1)
    desk.finish(.voice)
    for pause: Microseconds in [1, 2, 4, 8, 16, 30, 30] {
      desk.finish(.sms, .declined("HTTP status 500"))
      desk.pass(pause * 1_000_000 - 1)
      #expect(desk.takeSent() == [])
      desk.pass(1)
      #expect(desk.takeSent() == [.sms])
    }
    desk.finish(.sms)
    desk.pass(600_000_000)
    #expect(desk.takeSent() == [] && desk.emergency.delivered == ["sms", "voice"])
    #expect(desk.emergency.transitions.map(\.actor) == ["evaluator", "desk", "dispatcher 1", "voice", "sms"])
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

  @Test func aWebhookThatAcceptsGetsUpdatesAndTheCancel() {
    let desk = Desk(webhooks: 1)
    desk.detect()
    #expect(desk.takeSent() == [.alert(webhook: 0)])
    desk.finish(.alert(webhook: 0))
    #expect(desk.current == .accepted && desk.emergency.owner == .webhook(0))
    desk.detect(Rig.detection(metric: 6, kind: .low, isFirst: false))
    #expect(desk.takeSent() == [.update(webhook: 0, number: 1)])
    desk.finish(.update(webhook: 0, number: 1), .failed("gone"))
    desk.pass(1_000_000)
    #expect(desk.takeSent() == [.update(webhook: 0, number: 1)])
    desk.finish(.update(webhook: 0, number: 1))
    desk.cancel(by: 7, reason: "")
    desk.perform()
    #expect(desk.takeSent() == [.alertCancel(webhook: 0)])
    desk.finish(.alertCancel(webhook: 0))
    desk.pass(600_000_000)
    #expect(desk.takeSent() == [])
  }

  @Test func aWebhookThatAcceptsTooLateGetsACancel() {
    let desk = Desk(webhooks: 2)
    desk.detect()
    desk.pass(2_000_000)
    #expect(desk.takeSent() == [.alert(webhook: 0), .alert(webhook: 1)])
    desk.finish(.alert(webhook: 1))
    #expect(desk.takeSent() == [])
    desk.finish(.alert(webhook: 0))
    #expect(desk.takeSent() == [.alertCancel(webhook: 0)])
    #expect(desk.emergency.owner == .webhook(1))
  }

  @Test func aWebhookThatNeverTookTheAlertAndKnowsNoneNeedsNoCancel() {
    let desk = Desk(webhooks: 2)
    desk.detect()
    desk.finish(.alert(webhook: 0), .unknown("timed out"))
    desk.finish(.alert(webhook: 1))
    #expect(desk.takeSent() == [.alert(webhook: 0), .alert(webhook: 1), .alertCancel(webhook: 0)])
    desk.finish(.alertCancel(webhook: 0), .declined("HTTP status 404"))
    desk.pass(600_000_000)
    #expect(desk.takeSent() == [])
  }

  @Test func aChannelHasALimitOfCallsUnderWayAndForgetsNone() {
    let desk = Desk(gateway: true)
    for person in 1...100 { desk.detect(Rig.detection(PersonID(person))) }
    let sms = desk.takeSent().count { $0 == .sms }
    #expect(sms == desk.state.configuration.channelCallsMax)
    for person in 1...100 {
      desk.state.finished(.emergency(Rig.detection(PersonID(person)).emergency, .sms), .taken)
    }
    desk.perform()
    #expect(desk.takeSent().count { $0 == .sms } == 100 - sms)
  }

  @Test func timesOfTransitionsRiseStrictlyAlsoWhenTheClockGoesBack() {
    let desk = Desk(gateway: true)
    desk.state.connect(first)
    desk.state.last = Patients.now + 3_600_000_000
    for person in 1...5 { desk.detect(Rig.detection(PersonID(person))) }
    let times = desk.state.cases.values.flatMap { $0.emergency.transitions.map(\.at) }.sorted()
    #expect(Set(times).count == times.count && times[0] > Patients.now + 3_600_000_000)
  }

  @Test func contactsAreToldOfASilenceForALimitedTime() {
    let desk = Desk(gateway: true)
    let notice = SilenceNotice(
      person: 7, since: 1, at: 600_000_001, cause: .unknown, position: nil, contacts: [Rig.anna])
    desk.state.silent(notice)
    desk.state.silent(notice)
    #expect(desk.state.silences.count == 1)
    let job = DeliveryJob.silence(7, since: 1, contact: 0)
    desk.state.finished(job, .failed("gone"))
    desk.pass(1_000_000)
    #expect(desk.state.silences[job]?.attempt.phase == .underWay)
    desk.pass(desk.state.configuration.silencePatience)
    desk.state.finished(job, .failed("gone"))
    #expect(desk.state.silences.isEmpty)
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
