import Domain
import SosRules
import Testing

@testable import Emergencies

/// A call is taken when somebody took it, not when a gateway has queued it (A-R15, B-UC.4).
@Suite struct FollowedCallTests {
  private static let second: Microseconds = 1_000_000

  private func calling(_ contacts: [EmergencyContact] = []) -> Desk {
    let desk = Desk(gateway: true)
    desk.detect(Rig.detection(contacts: contacts))
    _ = desk.takeSent()
    return desk
  }

  @Test func queuedIsNotTakenAndDeliveredIs() throws {
    let desk = calling()
    desk.finish(.sms, .placed(sid: "SM1", .queued))
    #expect(desk.current == .dispatching && desk.emergency.delivered.isEmpty)
    #expect(desk.emergency.placed["sms"] == PlacedCall(attempt: 1, sid: "SM1", status: .queued))
    desk.pass(Self.second - 1)
    #expect(desk.takeLooked() == [])
    desk.pass(1)
    #expect(desk.takeLooked() == ["SM1"])
    desk.say(.sms, .placed(sid: "SM1", .sent))
    desk.pass(2 * Self.second)
    #expect(desk.takeLooked() == ["SM1"] && desk.current == .dispatching)
    desk.say(.sms, .placed(sid: "SM1", .delivered))
    #expect(desk.current == .accepted && desk.emergency.delivered == ["sms"] && desk.emergency.placed.isEmpty)
    #expect(desk.steps(.sms) == [.queued, .sent, .delivered])
    let taken = try #require(desk.emergency.transitions.last)
    #expect(taken.state == .accepted && taken.note == "delivered, SM1")
    desk.pass(3_600 * Self.second)
    #expect(desk.takeLooked() == [] && desk.takeSent() == [])
  }

  @Test func whatIsSaidTwiceIsToldOnce() {
    let desk = calling()
    desk.finish(.voice, .placed(sid: "CA1", .queued))
    for _ in 0..<5 {
      desk.pass(5 * Self.second)
      desk.say(.voice, .placed(sid: "CA1", .ringing))
    }
    #expect(desk.steps(.voice) == [.queued, .ringing])
    #expect(desk.takeLooked().count == 5, "every five seconds at most")
  }

  @Test(arguments: [CallStatus.busy, .noAnswer, .failed])
  func whatHasFailedIsCalledAgainAsAnAttemptOfItsOwn(status: CallStatus) {
    let desk = calling()
    desk.finish(.voice, .placed(sid: "CA1", .queued))
    desk.pass(Self.second)
    desk.say(.voice, .placed(sid: "CA1", status))
    #expect(desk.takeSent() == [] && desk.current == .dispatching)
    for (attempt, pause) in zip(2..., [1, 2, 4, 8, 16, 30, 30] as [Microseconds]) {
      desk.pass(pause * Self.second - 1)
      #expect(desk.takeSent() == [])
      desk.pass(1)
      #expect(desk.takeSent() == [.voice] && desk.attempts[.voice]?.last == attempt)
      // At once, as some gateways do.
      desk.finish(.voice, .placed(sid: "CA\(attempt)", status))
    }
    desk.pass(30 * Self.second)
    desk.finish(.voice, .placed(sid: "CA9", .answered))
    #expect(desk.current == .accepted && desk.steps(.voice).last == .answered)
    #expect(desk.emergency.transitions.last?.note == "answered, attempt 9, CA9")
    #expect(Delivery.voice.key(desk.id, attempt: 9) == "\(desk.id)/voice/9")
    #expect(Delivery.voice.key(desk.id, attempt: 1) == "\(desk.id)/voice")
  }

  /// The gateway's silence ends after a time, and the pauses become longer: no flood.
  @Test func neverMoreThanQueuedIsCalledAgainWithPausesThatGrow() {
    let desk = calling()
    var times: [Microseconds] = [0]
    desk.finish(.sms, .placed(sid: "SM1", .queued))
    while times.count < 14, desk.state.now < 7_200 * Self.second {
      desk.pass(Self.second / 2)
      if desk.takeLooked().contains(where: { $0.hasPrefix("SM") }) {
        desk.say(.sms, .placed(sid: "SM\(times.count)", .queued))
      }
      if desk.takeSent().contains(.sms) {
        times.append(desk.state.now)
        desk.finish(.sms, .placed(sid: "SM\(times.count)", .queued))
      }
    }
    let gaps = zip(times.dropFirst(), times).map { ($0 - $1) / Self.second }
    #expect(gaps == [91, 92, 94, 98, 106, 122, 154, 218, 346, 602, 1_114, 1_890, 1_890])
    #expect(desk.current == .dispatching, "nobody has taken it")
    #expect(desk.steps(.sms).prefix(4) == [.queued, .unconfirmed, .queued, .unconfirmed])
    #expect(desk.emergency.placed["sms"]?.attempt == 14)
  }

  @Test func aCallThatTheGatewayDoesNotKnowIsMadeAgain() {
    let desk = calling()
    desk.finish(.sms, .placed(sid: "SM1", .queued))
    desk.pass(Self.second)
    desk.say(.sms, .declined("HTTP status 404"))
    desk.pass(2 * Self.second)
    #expect(desk.takeLooked() == ["SM1", "SM1"] && desk.takeSent() == [], "once may be too early")
    desk.say(.sms, .declined("HTTP status 404"))
    #expect(desk.steps(.sms) == [.queued, .unconfirmed])
    desk.pass(Self.second)
    #expect(desk.takeSent() == [.sms] && desk.attempts[.sms] == [1, 2])
  }

  @Test func aGatewayThatCannotBeAskedIsAskedOnAndNothingIsSentTwiceUntilItsTimeIsOver() {
    let desk = calling()
    desk.finish(.sms, .placed(sid: "SM1", .queued))
    while desk.state.now < 90 * Self.second {
      desk.pass(Self.second)
      if !desk.takeLooked().isEmpty, desk.state.now < 90 * Self.second { desk.say(.sms, .failed("unreachable")) }
      #expect(desk.takeSent() == [])
    }
    desk.say(.sms, .failed("unreachable"))
    #expect(desk.steps(.sms) == [.queued, .unconfirmed])
    desk.pass(Self.second)
    #expect(desk.takeSent() == [.sms])
  }

  @Test func aGatewayThatNamesNothingToAskAboutIsInDoubtAtOnce() {
    let desk = calling()
    desk.finish(.sms, .placed(sid: nil, .queued))
    #expect(desk.current == .dispatching && desk.steps(.sms) == [.unconfirmed])
    desk.pass(Self.second)
    #expect(desk.takeSent() == [.sms] && desk.takeLooked() == [])
  }

  @Test func afterACrashItIsAskedFirstAndSentOnlyIfNobodyHasIt() {
    for (status, sent) in [(CallStatus.delivered, false), (.failed, true)] {
      let before = calling([Rig.anna])
      before.finish(.sms, .placed(sid: "SM1", .queued))
      before.finish(.contact(0), .placed(sid: "SM2", .sent))
      before.finish(.voice, .placed(sid: "CA1", .busy))
      let desk = Desk(gateway: true)
      desk.state.restore(before.emergency, recorded: .min, isSafe: true)
      desk.perform()
      #expect(desk.takeSent() == [.voice] && desk.attempts[.voice] == [2], "the line was busy: that is known")
      #expect(desk.takeLooked().sorted() == ["SM1", "SM2"])
      desk.say(.sms, .placed(sid: "SM1", status))
      desk.say(.contact(0), .placed(sid: "SM2", .delivered))
      desk.pass(Self.second)
      #expect(desk.takeSent() == (sent ? [.sms] : []))
      #expect(desk.emergency.delivered == (sent ? ["contact 0 sms"] : ["sms", "contact 0 sms"]))
    }
  }

  @Test func questionsHangOnTheirOwn() {
    let desk = Desk(gateway: true)
    for person in 1...PersonID(20) { desk.detect(Rig.detection(person)) }
    for person in 1...PersonID(20) {
      desk.state.finished(
        .emergency(Rig.detection(person).emergency, .sms), .placed(sid: "SM\(person)", .queued))
    }
    desk.perform()
    desk.pass(Self.second)
    // Nobody answers the questions. Messages go out all the same.
    #expect(desk.takeLooked().count == desk.state.configuration.channelCallsMax)
    _ = desk.takeSent()
    desk.detect(Rig.detection(99))
    #expect(desk.takeSent().contains(.sms))
  }

  @Test func whoeverWasPerhapsToldGetsTheCancelAndTheCallEnds() {
    let desk = calling([Rig.anna])
    desk.finish(.sms, .placed(sid: "SM1", .queued))
    desk.finish(.contact(0), .placed(sid: "SM2", .failed))
    desk.finish(.voice, .failed("gone"))
    desk.cancel(by: 7, reason: "")
    #expect(Set(desk.takeSent()) == [.smsCancel, .contactCancel(0)])
    desk.finish(.smsCancel, .placed(sid: "SM3", .queued))
    desk.pass(Self.second)
    #expect(desk.takeLooked() == ["SM3"], "the message itself is not followed any more")
    desk.say(.smsCancel, .placed(sid: "SM3", .delivered))
    desk.finish(.contactCancel(0), .placed(sid: "SM4", .delivered))
    desk.pass(3_600 * Self.second)
    #expect(desk.takeSent() == [] && desk.takeLooked() == [])
  }

  @Test func hoursInVainMakeNoEndlessListAndTheEndIsTold() {
    let desk = calling()
    for attempt in 1...200 {
      desk.finish(.voice, .placed(sid: "CA\(attempt)", .busy))
      desk.pass(30 * Self.second)
    }
    #expect(desk.steps(.voice).count == DeskState.maxCallSteps)
    #expect(desk.emergency.placed["voice"]?.attempt == 200)
    #expect(desk.journaled?.placed["voice"]?.attempt == 200, "a crash begins none of them again")
    desk.finish(.voice, .placed(sid: "CA201", .answered))
    #expect(desk.steps(.voice).last == .answered && desk.current == .accepted)
  }

  @Test func aContactWhoIsToldOfASilenceIsFollowedToo() {
    let desk = Desk(gateway: true)
    let job = DeliveryJob.silence(7, since: 1, contact: 0)
    desk.state.silent(
      SilenceNotice(person: 7, since: 1, at: 600_000_001, cause: .unknown, position: nil, contacts: [Rig.anna]))
    desk.perform()
    desk.state.finished(job, .placed(sid: "SM1", .queued))
    #expect(desk.state.silences[job] != nil)
    desk.pass(Self.second)
    #expect(desk.takeLooked() == ["SM1"])
    desk.state.finished(.look(job), .placed(sid: "SM1", .delivered))
    #expect(desk.state.silences.isEmpty)
  }

  @Test func whatWasWrittenBeforeCallsWereFollowedIsRead() throws {
    let line = try JournalLine(emergency: Patients.emergency()).encoded()
    let text = String(decoding: line, as: UTF8.self)
    #expect(!text.contains("placedCalls") && !text.contains("\"call\""))
    #expect(JournalLine(line.dropLast()[...])?.emergency == Patients.emergency())
  }
}
