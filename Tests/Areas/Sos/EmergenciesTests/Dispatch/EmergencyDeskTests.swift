import Domain
import SosRules
import Foundation
import Testing

@testable import Emergencies

/// The desk with its threads, its journal and an archive (A-R15).
@Suite struct EmergencyDeskTests {
  private func configuration(
    _ folder: String = Rig.folder(), webhooks: [any AlertWebhook] = [], gateway: ScriptedGateway? = nil
  ) -> DeskConfiguration {
    var configuration = DeskConfiguration(directory: folder)
    configuration.takeover = 50_000
    configuration.firstPause = 20_000
    configuration.longestPause = 50_000
    configuration.webhooks = webhooks
    configuration.exerciseNumber = "+390000000"
    configuration.catalog = { Patients.catalog }
    if let gateway { configuration.gateways = Gateways(sms: gateway, voice: gateway, contacts: gateway) }
    return configuration
  }

  private func accepting(_ account: AccountID, _ desk: EmergencyDesk, priority: Int32 = 0) -> ScriptedDispatcher {
    ScriptedDispatcher(account, priority: priority) { dispatcher, notice in
      if notice.kind == .call { desk.answer(notice.emergency.id, .accepted, note: "", from: dispatcher) }
    }
  }

  @Test func aDetectionReachesDispatcherGatewayJournalAndArchive() async throws {
    let folder = Rig.folder()
    let gateway = ScriptedGateway()
    let desk = try EmergencyDesk(configuration: configuration(folder, gateway: gateway))
    let archive = ScriptedArchive()
    try await desk.attach(archive: archive)
    let run = Task { await desk.run() }
    let dispatcher = accepting(1, desk)
    desk.connect(dispatcher)
    let detection = Rig.detection(contacts: [Rig.anna])
    desk.handle(.detected(detection))
    let id = detection.emergency
    #expect(
      await Rig.eventually {
        archive.kept[id]?.delivered == ["sms", "voice", "contact 0 sms"] && archive.kept[id]?.owner == .dispatcher(1)
      })
    #expect(dispatcher.notices.first?.text.hasPrefix("EXERCISE, NOT A REAL EMERGENCY") == true)
    #expect(Set(gateway.sent.map(\.key)) == ["\(id)/sms", "\(id)/voice", "\(id)/contact-0/sms"])
    #expect(gateway.sent.allSatisfy { $0.to == "+390000000" && $0.text.hasPrefix("EXERCISE") })
    run.cancel()
    await run.value
  }

  @Test func whenCallsAreMeantTheNumberOfThePlaceIsCalled() async throws {
    let gateway = ScriptedGateway()
    var configuration = configuration(gateway: gateway)
    configuration.numberAt = { latitude, _ in latitude > 45 ? ("112", "IT") : ("911", "US") }
    configuration.elsewhere = "000"
    let desk = try EmergencyDesk(configuration: configuration)
    desk.status = .actual
    desk.handle(.detected(Rig.detection(1)))
    desk.handle(
      .detected(Rig.detection(2, position: LastPosition(latitude: 40, longitude: -74, accuracy: nil, time: 0))))
    desk.handle(.detected(Rig.detection(3, position: nil)))
    #expect(await Rig.eventually { gateway.sent.count == 6 })
    #expect(Set(gateway.sent.map(\.to)) == ["112", "911", "000"])
    #expect(gateway.sent.allSatisfy { !$0.text.contains("EXERCISE") })
    desk.stop()
  }

  @Test func aThousandAtOnceAllReachADispatcherOnce() async throws {
    let desk = try EmergencyDesk(configuration: configuration())
    let dispatcher = accepting(1, desk)
    desk.connect(dispatcher)
    for person in 1...1_000 { desk.handle(.detected(Rig.detection(PersonID(person)))) }
    #expect(await Rig.eventually { desk.active().count { $0.owner == .dispatcher(1) } == 1_000 })
    #expect(Set(dispatcher.notices.map(\.emergency.id)).count == 1_000)
    desk.stop()
  }

  @Test func beyondTheInboxTheCallerDoesTheWorkAndNothingIsLost() async throws {
    var configuration = configuration()
    configuration.inboxMax = 3
    let desk = try EmergencyDesk(configuration: configuration)
    for person in 1...500 { desk.handle(.detected(Rig.detection(PersonID(person)))) }
    #expect(await Rig.eventually { desk.active().count { $0.state == .dispatching } == 500 })
    desk.stop()
  }

  @Test func theNextServerGoesOnFromTheJournalWithTheSameKeysAndNobodyIsToldTwice() async throws {
    let folder = Rig.folder()
    let gateway = ScriptedGateway(.failed("away"))
    let desk = try EmergencyDesk(configuration: configuration(folder, gateway: gateway))
    let before = accepting(1, desk)
    desk.handle(.detected(Rig.detection(1)))
    desk.handle(.detected(Rig.detection(2)))
    #expect(await Rig.eventually { Set(gateway.sent.map(\.key)).count == 4 })
    desk.connect(before)
    #expect(await Rig.eventually { desk.active().count { $0.owner != nil } == 2 })
    let keys = Set(gateway.sent.map(\.key))
    // As after SIGKILL: another process finds what is on the disk at this moment.
    let copy = Rig.folder()
    let active = desk.active()
    #expect(
      await Rig.eventually {
        try? FileManager.default.removeItem(atPath: copy + "/journal")
        try? FileManager.default.copyItem(atPath: folder + "/journal", toPath: copy + "/journal")
        let text = (try? String(contentsOfFile: copy + "/journal", encoding: .utf8)) ?? ""
        return text.components(separatedBy: "dispatcher 1").count >= 3
      })
    desk.stop()

    let gatewayAfter = ScriptedGateway()
    let next = try EmergencyDesk(configuration: configuration(copy, gateway: gatewayAfter))
    #expect(await Rig.eventually { Set(gatewayAfter.sent.map(\.key)) == keys })
    #expect(Set(next.active().map(\.id)) == Set(active.map(\.id)))
    let other = ScriptedDispatcher(2)
    next.connect(other)
    let after = ScriptedDispatcher(1)
    next.connect(after)
    #expect(await Rig.eventually { after.kinds == [.call, .call] })
    #expect(other.kinds == [])
    // The evaluator finds the same crossings again.
    next.handle(.detected(Rig.detection(1)))
    next.handle(.detected(Rig.detection(3)))
    #expect(await Rig.eventually { next.active().count == 3 })
    next.stop()
  }

  @Test func anArchiveThatIsAwayKeepsNoCallBackAndGetsEverythingLater() async throws {
    let archive = ScriptedArchive()
    let desk = try EmergencyDesk(configuration: configuration())
    try await desk.attach(archive: archive)
    let run = Task { await desk.run() }
    archive.setAway(true)
    let dispatcher = accepting(1, desk)
    desk.connect(dispatcher)
    for person in 1...50 { desk.handle(.detected(Rig.detection(PersonID(person)))) }
    #expect(await Rig.eventually { desk.active().count { $0.owner != nil } == 50 })
    #expect(archive.kept.isEmpty)
    archive.setAway(false)
    #expect(await Rig.eventually { archive.kept.values.count { $0.owner == .dispatcher(1) } == 50 })
    run.cancel()
    await run.value
  }

  @Test func ofJournalAndArchiveTheNewerWins() async throws {
    let folder = Rig.folder()
    let first = try EmergencyDesk(configuration: configuration(folder))
    first.handle(.detected(Rig.detection(1)))
    first.handle(.detected(Rig.detection(2)))
    #expect(await Rig.eventually { first.active().count { $0.state == .dispatching } == 2 })
    let (one, two) = (Rig.detection(1).emergency, Rig.detection(2).emergency)
    var newer = try #require(first.emergency(one))
    newer.transitions.append(EmergencyTransition(state: .cancelled, at: newer.changed + 1_000, actor: "person"))
    var older = try #require(first.emergency(two))
    older.transitions.removeLast()
    first.stop()
    var lost = Patients.emergency()
    lost.transitions = [EmergencyTransition(state: .detected, at: newer.changed + 5_000, actor: "evaluator")]
    let desk = try EmergencyDesk(configuration: configuration(folder))
    let archive = ScriptedArchive([newer, older, lost])
    try await desk.attach(archive: archive)
    #expect(desk.emergency(one)?.state == .cancelled)
    #expect(desk.emergency(two)?.state == .dispatching)
    #expect(await Rig.eventually { desk.emergency(lost.id)?.state == .dispatching })
    let run = Task { await desk.run() }
    #expect(await Rig.eventually { archive.kept[two]?.state == .dispatching })
    run.cancel()
    await run.value
  }

  @Test func aCancelIsInTheJournalBeforeThePersonIsAnswered() async throws {
    let folder = Rig.folder()
    let desk = try EmergencyDesk(configuration: configuration(folder))
    var detection = Rig.detection()
    // The person can cancel for a while only.
    detection.decided = DeskClock().wall()
    let id = detection.emergency
    desk.handle(.detected(detection))
    #expect(await Rig.eventually { desk.emergency(id) != nil })
    guard case .cancelled = await desk.cancel(detection.emergency, by: 7, reason: "a test") else {
      Issue.record("must be cancelled")
      return
    }
    let text = try String(contentsOfFile: folder + "/journal", encoding: .utf8)
    #expect(text.contains("a test"))
    desk.stop()
  }

  @Test func aPersonIsGoneFromTheJournalToo() async throws {
    let folder = Rig.folder()
    let desk = try EmergencyDesk(configuration: configuration(folder))
    desk.handle(.detected(Rig.detection(1)))
    desk.handle(.detected(Rig.detection(2)))
    #expect(await Rig.eventually { desk.active().count { $0.state == .dispatching } == 2 })
    try await desk.forget(1, archived: [])
    let text = try String(contentsOfFile: folder + "/journal", encoding: .utf8)
    #expect(!text.contains("\(Rig.detection(1).emergency)") && text.contains("\(Rig.detection(2).emergency)"))
    #expect(desk.active().map(\.person) == [2])
    desk.stop()
  }

  @Test("C-23: of emergencies that were over, too, nothing is left in the journal when their person is forgotten")
  func whatWasOverIsGoneFromTheJournal() async throws {
    let folder = Rig.folder()
    var configuration = configuration(folder)
    // It is kept in memory for no time, in the file until that is written anew.
    configuration.retention = -1
    let manual = ManualClock()
    configuration.clock = manual.clock
    let desk = try EmergencyDesk(configuration: configuration)
    let archive = ScriptedArchive()
    try await desk.attach(archive: archive)
    let run = Task { await desk.run() }
    let dispatcher = ScriptedDispatcher(1) { dispatcher, notice in
      if notice.kind == .call { desk.answer(notice.emergency.id, .resolved, note: "", from: dispatcher) }
    }
    desk.connect(dispatcher)
    desk.handle(.detected(Rig.detection(1)))
    let id = Rig.detection(1).emergency
    #expect(await Rig.eventually { archive.kept[id]?.state == .resolved })
    manual.advance(by: 120_000_000)
    desk.connect(dispatcher)
    #expect(await Rig.eventually { desk.active().isEmpty })
    func journal() throws -> String { try String(contentsOfFile: folder + "/journal", encoding: .utf8) }
    #expect(try journal().contains("\(id)"), "the file is not written anew each time that one is over")
    try await desk.forget(1, archived: [])
    #expect(try !journal().contains("\(id)"))
    run.cancel()
    await run.value
  }

  @Test func whoHasAPersonForgottenHearsThatTheDiskDoesNotTakeIt() async throws {
    let folder = Rig.folder()
    var configuration = configuration(folder)
    configuration.forgetWait = 50_000
    let desk = try EmergencyDesk(configuration: configuration)
    try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
    await #expect(throws: JournalError.self) { try await desk.forget(1, archived: []) }
    try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
    // It is tried again until it works.
    var isForgotten = false
    while !isForgotten { isForgotten = (try? await desk.forget(1, archived: [])) != nil }
    desk.stop()
    await #expect(throws: JournalError.self) { try await desk.forget(1, archived: []) }
  }

  @Test("C-23: files of messages about a person go, those about others stay")
  func messagesAreForgotten() async throws {
    let folder = Rig.folder() + "/gateway"
    let gateway = FileGateway(path: folder)
    try await gateway.forget(7, [])
    let (mine, other) = (Rig.detection(7).emergency, Rig.detection(8).emergency)
    for key in [
      "\(mine)/sms", "\(mine)/contact-0/sms/2", "silence-7-5/contact-0/sms", "\(other)/sms", "silence-71-5/x",
    ] {
      await withCheckedContinuation { continuation in
        gateway.send(GatewayMessage(medium: .sms, to: "112", text: "Anna", key: key)) { _ in continuation.resume() }
      }
    }
    try Data().write(to: URL(fileURLWithPath: "\(folder)/.\(mine).sms.77"))
    try await gateway.forget(7, [mine])
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(left == ["\(other).sms.txt", "silence-71-5.x.txt"].sorted())
  }

  @Test func observersHearEveryTransitionInOrder() async throws {
    let desk = try EmergencyDesk(configuration: configuration())
    let heard = Heard()
    desk.observe { heard.add($0.changed) }
    let dispatcher = accepting(1, desk)
    desk.connect(dispatcher)
    for person in 1...100 { desk.handle(.detected(Rig.detection(PersonID(person)))) }
    #expect(await Rig.eventually { heard.times.count == 300 })
    #expect(zip(heard.times, heard.times.dropFirst()).allSatisfy { $0 < $1 })
    desk.stop()
  }

  @Test func aWebhookThatHangsDelaysNoOtherChannel() async throws {
    let (hanging, working, gateway) = (ScriptedWebhook(nil), ScriptedWebhook(), ScriptedGateway())
    let desk = try EmergencyDesk(configuration: configuration(webhooks: [hanging, working], gateway: gateway))
    for person in 1...100 { desk.handle(.detected(Rig.detection(PersonID(person)))) }
    #expect(await Rig.eventually { desk.active().count { $0.owner == .webhook(1) } == 100 })
    #expect(await Rig.eventually { gateway.sent.count == 200 })
    #expect(hanging.keys.count == 16)
    #expect(working.alerts.allSatisfy { $0.contains("<status>Exercise</status>") })
    desk.stop()
  }
}

private final class Heard: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [Microseconds] = []
  func add(_ time: Microseconds) { lock.withLock { list.append(time) } }
  var times: [Microseconds] { lock.withLock { list } }
}
