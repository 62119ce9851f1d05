import Domain
import SosRules
import Foundation
import Logging
import Synchronization
import Testing

@testable import Emergencies

/// Nothing that was detected is forgotten, whenever the process dies (A-R15).
@Suite struct JournalTests {
  private func emergency(_ person: PersonID, _ transitions: Int = 1) -> Emergency {
    var emergency = Emergency(
      id: EmergencyID(person: person, metric: 1, began: 5), person: person, status: .actual, detected: 10,
      crossings: [Patients.heartRate], vitals: Patients.emergency().vitals, position: Patients.milan, age: 67,
      sex: .female, callbackNumber: PhoneNumber("+393331234567"), contacts: [Rig.anna], number: "112", country: "IT",
      transitions: [], delivered: ["sms"])
    emergency.transitions = (0..<transitions).map {
      EmergencyTransition(state: $0 == 0 ? .detected : .dispatching, at: 10 + Microseconds($0), actor: "evaluator")
    }
    return emergency
  }

  private func written(_ emergencies: [Emergency]) throws -> (folder: String, bytes: [UInt8]) {
    let folder = Rig.folder()
    try change(folder) { book in
      for emergency in emergencies {
        book.take([emergency], recorded: [:], retired: [])
        try book.write()
      }
    }
    return (folder, [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/journal"))))
  }

  fileprivate func contents(_ folder: String) throws -> Journal.Contents {
    try JournalBook.open(directory: folder).contents
  }

  /// Opens a journal and adds to it.
  fileprivate func change(_ folder: String, _ body: (JournalBook) throws -> Void) throws {
    let book = try JournalBook.open(directory: folder).book
    try body(book)
  }

  @Test func whatWasWrittenIsThereAgain() throws {
    let emergencies = [emergency(1), emergency(2, 2), emergency(1, 3)]
    let (folder, _) = try written(emergencies)
    let contents = try contents(folder)
    #expect(contents.emergencies.sorted { $0.person < $1.person } == [emergencies[2], emergencies[1]])
    #expect(contents.last == 12 && contents.brokenLines == 0)
    var status = stat()
    #expect(stat(folder + "/journal", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func aJournalThatIsCutAnywhereHoldsEveryWholeLine() throws {
    let emergencies = [emergency(1), emergency(2), emergency(3)]
    let (folder, bytes) = try written(emergencies)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    for length in 0...bytes.count {
      try Data(bytes[..<length]).write(to: URL(fileURLWithPath: folder + "/journal"))
      let contents = try JournalBook(file: JournalFile(directory: folder)).load()
      let whole = ends.count { $0 < length }
      // The first line is no emergency.
      #expect(contents.emergencies.count == max(0, whole - 1), "cut after \(length) bytes")
      if length % 97 == 0 {
        try change(folder) { book in
          book.take([emergency(9)], recorded: [:], retired: [])
          try book.write()
        }
        let again = try self.contents(folder)
        #expect(again.emergencies.count == max(0, whole - 1) + 1 && again.brokenLines == 0)
      }
    }
  }

  @Test func aLineThatWasChangedDoesNotCount() throws {
    let (folder, bytes) = try written([emergency(1), emergency(2), emergency(3)])
    var changed = bytes
    let place = bytes.firstIndex(of: UInt8(ascii: "\n"))! + 40
    changed[place] ^= 1
    try Data(changed).write(to: URL(fileURLWithPath: folder + "/journal"))
    let contents = try contents(folder)
    #expect(contents.emergencies.map(\.person).sorted() == [2, 3] && contents.brokenLines == 1)
  }

  @Test func whatIsOverAndRecordedGoesAndWhatIsForgottenGoesAtOnce() throws {
    let folder = Rig.folder()
    var over = emergency(1)
    over.transitions.append(EmergencyTransition(state: .cancelled, at: 20, actor: "person"))
    try change(folder) { book in
      book.take([over, emergency(2), emergency(3)], recorded: [over.id: 20], retired: [])
      try book.write()
      book.take([], recorded: [:], retired: [], forgotten: [emergency(3).id])
      try book.write()
    }
    let text = try String(contentsOfFile: folder + "/journal", encoding: .utf8)
    #expect(!text.contains("\(emergency(3).id)") && text.contains("\(over.id)"))
    #expect(try contents(folder).recorded == [over.id: 20])
    let after = try String(contentsOfFile: folder + "/journal", encoding: .utf8)
    #expect(!after.contains("\(over.id)") && after.contains("\(emergency(2).id)"))
  }

  @Test func whatIsOverAndRecordedWhileTheDiskIsBusyIsNotOpenAgain() throws {
    let folder = Rig.folder()
    var over = emergency(1)
    try change(folder) { book in
      book.take([over], recorded: [:], retired: [])
      try book.write()
      over.transitions.append(EmergencyTransition(state: .resolved, at: 20, actor: "dispatcher"))
      book.take([over], recorded: [over.id: 20], retired: [over.id])
      try book.write()
    }
    #expect(try contents(folder).emergencies == [over])
    #expect(try contents(folder).emergencies.isEmpty)
  }

  @Test func whatIsOverIsNotInAFileThatIsWrittenAnewForSomebodyElse() throws {
    let folder = Rig.folder()
    let (over, ends) = (emergency(1), emergency(2))
    try change(folder) { book in
      book.take([over, emergency(3)], recorded: [:], retired: [])
      try book.write()
      book.take([ends], recorded: [:], retired: [over.id, ends.id], forgotten: [emergency(3).id])
      try book.write()
    }
    let text = try String(contentsOfFile: folder + "/journal", encoding: .utf8)
    for emergency in [over, ends, emergency(3)] { #expect(!text.contains("\(emergency.id)")) }
  }

  @Test func whatHasChangedAgainWhileTheDiskFailedIsKept() throws {
    let folder = Rig.folder()
    try change(folder) { book in
      book.take([], recorded: [:], retired: [emergency(1).id], forgotten: [])
      try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
      #expect(throws: JournalError.self) { try book.write() }
      try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
      book.take([emergency(1)], recorded: [:], retired: [])
      try book.write()
    }
    #expect(try contents(folder).emergencies == [emergency(1)])
  }

  @Test func theThreadWritesTheNewestStateAndSaysWhatIsSafe() async throws {
    let folder = Rig.folder()
    let journal = Journal()
    let safe = Mutex(0)
    let thread = journal.start(try JournalBook.open(directory: folder).book, logger: Logger(label: "test")) {
      sequence in
      safe.withLock { $0 = max($0, sequence) }
    }
    for sequence in 1...500 { journal.append(emergency(PersonID(sequence % 10 + 1), sequence), sequence: sequence) }
    #expect(await Rig.eventually { safe.withLock { $0 } == 500 })
    journal.close()
    thread.join()
    let contents = try contents(folder)
    #expect(contents.emergencies.map(\.transitions.count).sorted() == Array(491...500))
  }

  @Test func theChecksumIsTheOneOfTheStandard() {
    #expect(Checksum.crc32(Array("123456789".utf8)) == 0xcbf4_3926)
  }
}

extension JournalTests {
  @Test func twoServersCannotHaveOneJournal() throws {
    let folder = Rig.folder()
    try change(folder) { _ in
      #expect(throws: JournalError.self) { _ = try JournalBook.open(directory: folder) }
    }
    _ = try contents(folder)
  }
}
