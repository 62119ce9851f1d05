import Domain
import SosRules
import Foundation
import Synchronization
import Testing

@testable import Emergencies

/// What has been detected is on disk before anybody is called: a power cut loses nothing that was called for (A-R15,
/// B-3.7.2). SIGKILL does not show it, because what was written stays in the system's memory.
@Suite struct JournalDurabilityTests {
  /// The emergencies that a server finds when the power comes back.
  private static func found(in folder: String) throws -> Set<EmergencyID> {
    guard let bytes = DiskWatch.afterPowerCut(folder).file("journal") else { return [] }
    let copy = Rig.folder()
    try Data(bytes).write(to: URL(fileURLWithPath: copy + "/journal"))
    return Set(try JournalBook.open(directory: copy).contents.emergencies.map(\.id))
  }

  private static func configuration(_ folder: String, _ gateway: ScriptedGateway) -> DeskConfiguration {
    var configuration = DeskConfiguration(directory: folder)
    configuration.gateways = Gateways(sms: gateway, voice: gateway, contacts: gateway)
    configuration.catalog = { Patients.catalog }
    // Only the journal lets calls out.
    configuration.journalWait = 3_600_000_000
    // Nobody is asked twice, however slow this machine is.
    configuration.takeover = 3_600_000_000
    return configuration
  }

  /// Whoever is called notes whether a power cut at this moment would lose the call.
  private final class Calls: Sendable {
    private let notes = Mutex<[(call: String, isOnDisk: Bool)]>([])
    var all: [(call: String, isOnDisk: Bool)] { notes.withLock { $0 } }

    func note(_ call: String, _ id: EmergencyID, in folder: String) {
      let isOnDisk = (try? JournalDurabilityTests.found(in: folder).contains(id)) ?? false
      notes.withLock { $0.append((call, isOnDisk)) }
    }
  }

  @Test func everyCallIsOnDiskBeforeItIsMadeHoweverSlowTheDiskIs() async throws {
    let folder = Rig.folder() + "/emergencies"
    let calls = Calls()
    let isOpen = Mutex(false)
    DiskWatch.watch(folder) {
      // A disk that takes its time: whoever does not wait for it calls meanwhile.
      guard isOpen.withLock({ $0 }) else { return }
      let before = calls.all.count
      let deadline = ContinuousClock.now + .milliseconds(100)
      while calls.all.count == before, ContinuousClock.now < deadline { usleep(2_000) }
    }
    let ids = (1...5).map { Rig.detection(PersonID($0)).emergency }
    let gateway = ScriptedGateway { message in
      if let id = ids.first(where: { message.key.hasPrefix("\($0)") }) {
        calls.note("\(message.medium)", id, in: folder)
      }
    }
    let desk = try EmergencyDesk(configuration: Self.configuration(folder, gateway))
    isOpen.withLock { $0 = true }
    desk.connect(ScriptedDispatcher(1) { _, notice in calls.note("dispatcher", notice.emergency.id, in: folder) })
    for person in 1...PersonID(5) {
      desk.handle(.detected(Rig.detection(person)))
      #expect(await Rig.eventually { calls.all.count >= Int(person) * 3 })
    }
    #expect(calls.all.count == 15)
    #expect(Set(calls.all.map(\.call)) == ["sms", "voice", "dispatcher"])
    #expect(calls.all.allSatisfy { $0.isOnDisk }, "\(calls.all)")
    desk.stop()
  }

  @Test func theJournalOfTheNextServerIsOnDiskWithItsNameBeforeItGoesOn() async throws {
    let folder = Rig.folder() + "/emergencies"
    DiskWatch.watch(folder)
    let first = try EmergencyDesk(configuration: Self.configuration(folder, ScriptedGateway()))
    #expect(DiskWatch.afterPowerCut(folder).isInItsParent, "a folder that nobody finds holds nothing")
    let ids = (1...3).map { Rig.detection(PersonID($0)).emergency }
    first.handle(.detected(Rig.detection(1)))
    first.handle(.detected(Rig.detection(2)))
    #expect(await Rig.eventually { (try? Self.found(in: folder)) == Set(ids[..<2]) })
    first.stop()
    // It writes the file anew, under another name first.
    let calls = Calls()
    let gateway = ScriptedGateway { message in
      if message.key.hasPrefix("\(ids[2])") { calls.note("\(message.medium)", ids[2], in: folder) }
    }
    let next = try EmergencyDesk(configuration: Self.configuration(folder, gateway))
    #expect(try Self.found(in: folder) == Set(ids[..<2]))
    next.handle(.detected(Rig.detection(3)))
    #expect(await Rig.eventually { calls.all.count == 2 })
    #expect(calls.all.allSatisfy { $0.isOnDisk })
    #expect(try Self.found(in: folder) == Set(ids))
    next.stop()
  }

  @Test func whatAGatewayHasIsOnDiskToo() async throws {
    let folder = Rig.folder() + "/emergencies"
    DiskWatch.watch(folder)
    let gateway = ScriptedGateway(.placed(sid: "SM77", .queued))
    let desk = try EmergencyDesk(configuration: Self.configuration(folder, gateway))
    desk.handle(.detected(Rig.detection()))
    #expect(
      await Rig.eventually {
        String(decoding: DiskWatch.afterPowerCut(folder).file("journal") ?? [], as: UTF8.self).contains("SM77")
      })
    desk.stop()
  }
}
