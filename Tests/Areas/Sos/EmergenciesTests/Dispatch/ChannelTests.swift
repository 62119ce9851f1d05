import Domain
import SosRules
import Testing

@testable import Emergencies

/// Calls by SMS, voice and webhook, and what contacts are told (A-R15, B-R.S3).
@Suite struct ChannelTests {
  private let first = ScriptedDispatcher(1, priority: 1)

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
}
