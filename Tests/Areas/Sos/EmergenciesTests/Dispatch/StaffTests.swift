import Domain
import Foundation
import SosRules
import Testing

@testable import Emergencies

/// People at dispatchers' desks: when they are asked, whose answer counts, and what they and programs see of it.
@Suite struct StaffTests {
  private let anna = DeskOperator(account: 101, name: "Anna Bianchi")
  private let bruno = DeskOperator(account: 102, name: "Bruno Verdi")

  private func answer(
    _ desk: Desk, _ kind: DispatcherAnswer, _ person: DeskOperator, of dispatcher: AccountID = 1, note: String = "",
    gone: Set<AccountID> = []
  ) -> DeskVerdict? {
    let verdict = desk.state.answer(
      desk.id, DeskAnswer(kind: kind, person: person), note: note, of: dispatcher, isGone: gone.contains)
    desk.perform()
    return verdict
  }

  private func place(_ desk: Desk, _ dispatcher: AccountID = 1) -> CallPlace? {
    desk.state.calls(of: dispatcher, after: nil, limit: 10).calls.first?.call.place
  }

  @Test func aDispatcherWhosePeopleWatchIsAskedAndTheNextOneAfterTwoSeconds() {
    let desk = Desk()
    desk.state.joinStaff(of: 1, priority: 1)
    desk.state.joinStaff(of: 2, priority: 2)
    desk.detect()
    #expect(place(desk, 1) == .waiting && place(desk, 2) == nil)
    desk.pass(1_999_999)
    #expect(place(desk, 2) == nil)
    desk.pass(1)
    #expect(place(desk, 2) == .waiting && place(desk, 1) == .waiting)
  }

  @Test func theFirstAnswerHasTheCallAndIsKeptWithWhoGaveIt() {
    let desk = Desk()
    desk.state.joinStaff(of: 1, priority: 1)
    desk.detect()
    #expect(answer(desk, .accepted, anna, note: "4711") == .taken)
    #expect(answer(desk, .accepted, bruno) == .late(.person(anna)))
    #expect(answer(desk, .resolved, bruno) == .late(.person(anna)) && desk.current == .accepted)
    #expect(answer(desk, .accepted, anna) == .known)
    let said = desk.emergency.transitions.filter { $0.answer != nil }
    #expect(said.map(\.answer) == [DeskAnswer(kind: .accepted, person: anna)])
    #expect(said.first?.actor == "dispatcher 1" && said.first?.note == "4711")
    #expect(desk.journaled?.transitions.last?.answer?.person == anna, "the journal has it")
    #expect(desk.state.call(desk.id, of: 1)?.holder == .person(anna))
    #expect(answer(desk, .enRoute, anna) == .taken && answer(desk, .resolved, anna) == .taken)
    #expect(answer(desk, .accepted, bruno) == .over(.resolved) && desk.current == .resolved)
  }

  @Test func whoWasNotToldHasNoSay() {
    let desk = Desk()
    desk.state.joinStaff(of: 1, priority: 1)
    desk.state.joinStaff(of: 2, priority: 2)
    desk.detect()
    #expect(answer(desk, .accepted, bruno, of: 2) == nil && desk.current == .dispatching)
    #expect(answer(desk, .accepted, bruno, of: 3) == nil)
  }

  @Test func aRefusedCallGoesToTheNextAtOnceAndCanStillBeAccepted() {
    let desk = Desk()
    desk.state.joinStaff(of: 1, priority: 1)
    desk.state.joinStaff(of: 2, priority: 2)
    desk.detect()
    #expect(answer(desk, .refused, anna, note: "no ambulance") == .taken)
    #expect(place(desk, 1) == .refused && place(desk, 2) == .waiting)
    #expect(desk.emergency.transitions.last?.note == "refused: no ambulance")
    _ = answer(desk, .refused, anna)
    _ = answer(desk, .refused, bruno)
    #expect(desk.emergency.transitions.compactMap(\.answer?.person) == [anna, bruno], "each once")
    #expect(answer(desk, .accepted, bruno) == .taken && place(desk, 2) == nil)
    #expect(desk.state.call(desk.id, of: 2)?.place == .taken)
    #expect(desk.emergency.owner == .dispatcher(1))
  }

  @Test func theProgramOfTheSameDispatcherIsToldThatACallIsTaken() {
    let desk = Desk()
    let program = ScriptedDispatcher(1, priority: 1)
    desk.state.connect(program)
    desk.state.joinStaff(of: 1, priority: 1)
    desk.detect()
    #expect(desk.takeTold() == ["1 call"] && place(desk) == .waiting)
    #expect(answer(desk, .accepted, anna) == .taken && desk.takeTold() == ["1 taken"])
    #expect(!desk.answer(.accepted, 1) && !desk.answer(.resolved, 1) && !desk.answer(.refused, 1))
    #expect(desk.current == .accepted && desk.takeTold() == ["1 taken", "1 taken", "1 taken"])
    desk.detect(Rig.detection(metric: 6, kind: .low, isFirst: false))
    #expect(desk.takeTold() == [], "news of a call are its holder's")
    #expect(answer(desk, .falseAlarm, anna) == .taken && desk.takeTold() == ["1 cancel"])
  }

  @Test func whatTheProgramHasIsTheProgramsUnlessItIsAway() {
    let desk = Desk()
    let program = ScriptedDispatcher(1, priority: 1)
    desk.state.connect(program)
    desk.state.joinStaff(of: 1, priority: 1)
    desk.detect()
    #expect(desk.answer(.accepted, 1) && answer(desk, .accepted, anna) == .late(.program))
    #expect(desk.state.call(desk.id, of: 1)?.holder == .program)
    desk.state.disconnect(program)
    #expect(answer(desk, .enRoute, anna) == .taken && desk.state.call(desk.id, of: 1)?.holder == .person(anna))
    _ = desk.takeTold()
    desk.state.connect(program)
    desk.perform()
    #expect(desk.takeTold() == ["1 taken"])
  }

  @Test func theCallOfSomebodyWhoIsGoneIsAColleagues() {
    let desk = Desk()
    desk.state.joinStaff(of: 1, priority: 1)
    desk.detect()
    #expect(answer(desk, .accepted, anna) == .taken)
    #expect(answer(desk, .accepted, bruno, gone: [anna.account]) == .taken)
    #expect(desk.state.call(desk.id, of: 1)?.holder == .person(bruno))
    #expect(desk.emergency.ownership.holder == bruno, "so it is after a restart")
    #expect(answer(desk, .resolved, anna) == .late(.person(bruno)))
  }

  @Test func whoHasACallCanGiveItBack() {
    let desk = Desk()
    desk.state.joinStaff(of: 1, priority: 1)
    desk.state.joinStaff(of: 2, priority: 2)
    desk.detect()
    #expect(answer(desk, .accepted, anna) == .taken && answer(desk, .refused, anna) == .taken)
    #expect(place(desk, 1) == .refused && place(desk, 2) == .waiting && desk.emergency.owner == nil)
    #expect(answer(desk, .accepted, bruno, of: 2) == .taken && desk.state.call(desk.id, of: 1)?.place == .taken)
  }

  @Test func aDeskIsConnectedUntilNobodyWatchesAndItsProgramIsGone() {
    let desk = Desk()
    let (first, second) = (ScriptedDispatcher(1, priority: 1), ScriptedDispatcher(2, priority: 2))
    desk.state.connect(second)
    desk.state.connect(first)
    desk.state.joinStaff(of: 1, priority: 1)
    desk.state.joinStaff(of: 1, priority: 1)
    desk.detect()
    #expect(desk.takeTold() == ["1 call"])
    desk.state.disconnect(first)
    desk.state.leaveStaff(of: 1)
    desk.perform()
    #expect(desk.takeTold() == [])
    desk.state.leaveStaff(of: 1)
    desk.perform()
    #expect(desk.takeTold() == ["2 call"])
    desk.state.leaveStaff(of: 1)
    desk.state.joinStaff(of: 1, priority: 1)
    #expect(place(desk) == .waiting, "who comes back sees what nobody has")
  }

  @Test func afterARestartTheSamePersonHasTheCall() throws {
    let desk = Desk()
    desk.state.joinStaff(of: 1, priority: 1)
    desk.detect()
    _ = answer(desk, .accepted, anna)
    let journaled = try #require(desk.journaled)
    let next = Desk()
    next.state.restore(journaled, recorded: .min, isSafe: true)
    next.state.joinStaff(of: 1, priority: 1)
    next.perform()
    #expect(place(next) == .ours && next.state.call(next.id, of: 1)?.holder == .person(anna))
    #expect(answer(next, .accepted, bruno) == .late(.person(anna)) && answer(next, .accepted, anna) == .known)
  }

  @Test func whoIsErasedLeavesEveryDesk() {
    let desk = Desk()
    desk.state.joinStaff(of: 1, priority: 1)
    desk.detect()
    let position = desk.state.calls(of: 1, after: nil, limit: 10).head
    desk.state.forget(desk.emergency.person)
    let changes = desk.state.calls(of: 1, after: position, limit: 10)
    #expect(changes.beginsAnew && changes.calls.isEmpty)
  }

  @Test func anAnswerIsOnDiskWhenItIsAnswered() async throws {
    let folder = Rig.folder() + "/emergencies"
    DiskWatch.watch(folder)
    var configuration = DeskConfiguration(directory: folder)
    configuration.catalog = { Patients.catalog }
    let desk = try EmergencyDesk(configuration: configuration)
    defer { desk.stop() }
    desk.join(deskOf: 1, priority: 1)
    for person in 1...20 {
      let detection = Rig.detection(PersonID(person))
      desk.handle(.detected(detection))
      let id = detection.emergency
      #expect(
        await Rig.eventually {
          desk.changes(ofDesk: 1, after: nil, limit: 100).calls.contains { $0.call.emergency.id == id }
        })
      let said = DeskAnswer(kind: .accepted, person: anna)
      let outcome = await desk.answer(id, said, note: "", ofDesk: 1) { _ in false }
      let bytes = try #require(DiskWatch.afterPowerCut(folder).file("journal"))
      #expect(String(decoding: bytes, as: UTF8.self).contains(#""Anna Bianchi""#))
      let copy = Rig.folder()
      try Data(bytes).write(to: URL(fileURLWithPath: copy + "/journal"))
      let found = try JournalBook.open(directory: copy).contents.emergencies.first { $0.id == id }
      #expect(found?.transitions.last?.answer == said)
      guard case .decided(.taken, let call) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(call.place == .ours && call.answers.map(\.answer) == [said])
      // The same again waits for nothing that is on disk already.
      let again = await desk.answer(id, said, note: "", ofDesk: 1) { _ in false }
      guard case .decided(.known, _) = again else {
        Issue.record("\(again)")
        return
      }
    }
  }
}
