import Foundation
import Testing

@testable import Spreadsheets

@Suite("ZIP archives whose own lists lie")
struct HostileArchiveTests {
  private let files: TableFiles

  init() throws { files = try TableFiles() }

  /// Little endian.
  private func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  /// The record at an archive's end (APPNOTE.TXT, 4.3.16).
  private func end(entries: UInt64, directoryBytes: UInt64 = 0, comment: [UInt8] = []) -> [UInt8] {
    [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + bytes(entries, 2) + bytes(entries, 2) + bytes(directoryBytes, 4) + bytes(0, 4)
      + bytes(UInt64(comment.count), 2) + comment
  }

  private func problem(_ content: [UInt8]) throws -> String? {
    do throws(TableError) {
      try ZipDirectory.check(try InputFile(try path(content), maxBytes: 1 << 20), maxEntries: 100)
      return nil
    } catch { return error.message }
  }

  private func path(_ content: [UInt8]) throws(TableError) -> String {
    do { return try files.write(content) } catch { throw TableError("\(error)") }
  }

  private let tooMany = "is a ZIP archive with more than 100 entries"

  @Test("The number of entries and the room that their list takes are bounded before anything is read")
  func lists() throws {
    #expect(try problem(end(entries: 100)) == nil)
    #expect(try problem(end(entries: 101)) == tooMany)
    #expect(try problem(end(entries: 1, directoryBytes: 102_400)) == nil)
    #expect(try problem(end(entries: 1, directoryBytes: 102_401)) == tooMany)
    #expect(try problem(Array("PK no end of an archive".utf8)) == "is a damaged ZIP archive: its end is missing")
  }

  @Test("Each record that may be the last is looked at: readers do not agree which one is")
  func ends() throws {
    #expect(try problem(end(entries: 101, comment: end(entries: 1))) == tooMany)
    #expect(try problem(end(entries: 1, comment: end(entries: 101))) == tooMany)
    #expect(try problem(end(entries: 1, comment: end(entries: 1))) == nil)
  }

  @Test("The records of large archives count instead, where there are any")
  func large() throws {
    func large(entries: UInt64, directoryBytes: UInt64 = 0, offset: UInt64 = 0) -> [UInt8] {
      let record =
        [0x50, 0x4B, 6, 6] + bytes(44, 8) + bytes(0, 12) + bytes(entries, 8) + bytes(entries, 8)
        + bytes(directoryBytes, 8) + bytes(0, 8)
      let locator = [0x50, 0x4B, 6, 7] + bytes(0, 4) + bytes(offset, 8) + bytes(1, 4)
      return record + locator + end(entries: 0xFFFF)
    }
    #expect(try problem(large(entries: 100)) == nil)
    #expect(try problem(large(entries: 101)) == tooMany)
    #expect(try problem(large(entries: .max)) == tooMany)
    #expect(try problem(large(entries: 1, directoryBytes: 102_401)) == tooMany)
    for offset in [UInt64(1_000), .max] {
      #expect(
        try problem(large(entries: 1, offset: offset)) == "is a damaged ZIP archive: its directory is missing")
    }
  }

  /// Of a workbook: its archive with each header of the sheet changed.
  private func workbook(_ sheet: String, _ change: (inout [UInt8], _ header: Int, _ isInList: Bool) -> Void) throws
    -> String
  {
    var parts = WorkbookParts("").parts
    let name = "xl/worksheets/sheet1.xml"
    parts[name] = sheet
    var content = Array(try Data(contentsOf: URL(filePath: try files.zip(parts))))
    var found = 0
    for at in content.indices.dropLast(46) where content[at] == 0x50 && content[at + 1] == 0x4B {
      // Where the name stands behind a local header, and behind one of the list.
      let isInList = content[at + 2] == 1 && content[at + 3] == 2
      guard isInList || content[at + 2] == 3 && content[at + 3] == 4 else { continue }
      guard content[(at + (isInList ? 46 : 30))...].starts(with: Array(name.utf8)) else { continue }
      found += 1
      change(&content, at, isInList)
    }
    #expect(found == 2)
    return try files.write(content)
  }

  @Test("A part that unpacks to more than the archive says is refused as soon as there is too much")
  func sizes() throws {
    let spaces = String(repeating: " ", count: 4 << 20)
    let path = try workbook(WorkbookParts.sheet(spaces)) { content, header, isInList in
      let place = header + (isInList ? 24 : 22)
      content.replaceSubrange(place..<place + 4, with: bytes(100, 4))
    }
    #expect(TableContent(path).error?.message.contains("unpacks to more than 1048576 bytes") == true)
  }

  @Test("An archive whose list does not fit its parts is damaged")
  func inconsistent() throws {
    let path = try workbook(WorkbookParts.sheet(#"<row><c><v>1</v></c></row>"#)) { content, header, isInList in
      if !isInList { content[header + 30] = UInt8(ascii: "y") }
    }
    #expect(TableContent(path).error?.message.hasPrefix("is a damaged ZIP archive") == true)
  }
}
