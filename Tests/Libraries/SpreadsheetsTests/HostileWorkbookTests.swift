import CZip
import Foundation
import TestSupport
import Testing

@testable import Spreadsheets

@Suite("XLSX workbooks that are damaged or mean harm")
struct HostileWorkbookTests {
  private let files: TableFiles

  init() throws { files = try TableFiles() }

  private static let row = #"<row r="1"><c r="A1"><v>1</v></c></row>"#

  private func error(
    limits: TableLimits = TableLimits(), _ change: (inout [String: String]) -> Void
  ) throws -> String? {
    var parts = WorkbookParts(Self.row, strings: ["<t>x</t>"]).parts
    change(&parts)
    return TableContent(try files.zip(parts), limits: limits).error?.description
  }

  @Test("Parts that are missing or no XML are named")
  func parts() throws {
    #expect(try error { _ in } == nil)
    #expect(try error { $0["_rels/.rels"] = nil } == "is a ZIP archive, and no .xlsx workbook")
    #expect(try error { $0["xl/workbook.xml"] = "<document/>" } == "is a ZIP archive, and no .xlsx workbook")
    for name in ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"] {
      #expect(try error { $0[name] = nil } == "has no part \(name)")
      #expect(try error { $0[name] = "<a><b></a>" } != nil)
      #expect(try error { $0[name] = "" } == "\(name), line 1: no element found")
    }
    #expect(try error { $0["xl/_rels/workbook.xml.rels"] = nil } == "has no visible sheet")
    #expect(try error { $0["xl/worksheets/sheet1.xml"] = "<chartsheet/>" } == "the sheet is no table")
    let binary = WorkbookParts.relationships([("a", "officeDocument", "xl/workbook.bin")])
    #expect(try error { $0["_rels/.rels"] = binary } == "is a binary workbook: save it as .xlsx or CSV")
  }

  @Test("Entities, deep nesting, long tags and many names are refused")
  func xml() throws {
    let sheet = "xl/worksheets/sheet1.xml"
    #expect(
      try error { $0[sheet] = "<!DOCTYPE a [<!ENTITY e \"ee\">]><worksheet>&e;</worksheet>" }
        == "\(sheet), line 1: declares a type of documents, as no workbook does")
    let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
    #expect(try error { $0[sheet] = deep.replacing("<a>", with: "<worksheet>") }?.contains("too deep") == true)
    let limits = TableLimits(ratio: 1_000_000)
    let long = "<worksheet a=\"\(String(repeating: "x", count: 1_000_000))\"/>"
    #expect(try error(limits: limits) { $0[sheet] = long }?.contains("a tag has more than") == true)
    let elements = (0..<3_000).map { "<name\($0)/>" }.joined()
    #expect(try error { $0[sheet] = "<worksheet>\(elements)</worksheet>" }?.contains("different names") == true)
    let attributes = (0..<3_000).map { "<a name\($0)=\"\"/>" }.joined()
    #expect(try error { $0[sheet] = "<worksheet>\(attributes)</worksheet>" }?.contains("different names") == true)
  }

  @Test("What unpacks to much more than it is, is refused, whatever it says of its size")
  func bombs() throws {
    let sheet = "xl/worksheets/sheet1.xml"
    let spaces = String(repeating: " ", count: 4 << 20)
    let bomb = WorkbookParts.sheet(Self.row + spaces)
    #expect(try error { $0[sheet] = bomb }?.contains("unpacks to more than") == true)
    #expect(try error(limits: TableLimits(ratio: 10_000)) { $0[sheet] = bomb } == nil)
    #expect(try error(limits: TableLimits(unpackedBytes: 100)) { _ in }?.contains("more than 100 bytes") == true)
    #expect(try error(limits: TableLimits(entries: 6)) { _ in } == "is a ZIP archive with more than 6 entries")
    let texts = (0..<100).map { "<t>\($0)</t>" }
    let parts = WorkbookParts(Self.row, strings: texts).parts
    let content = TableContent(try files.zip(parts), limits: TableLimits(sharedStringBytes: 1_000))
    #expect(content.error?.message == "has more than 1000 bytes of texts")
    #expect(
      try error(limits: TableLimits(cellBytes: 3)) { $0["xl/sharedStrings.xml"] = "<sst><si><t>1234</t></si></sst>" }
        == "has a text of more than 3 bytes")
    #expect(try error(limits: TableLimits(rows: 0)) { _ in } == "row 1: at most 0 rows are read")
  }

  @Test("Merged ranges are bounded in number and cannot overlap without end")
  func merges() throws {
    let sheet = "xl/worksheets/sheet1.xml"
    func merged(_ ranges: [String]) -> String {
      let all = ranges.map { "<mergeCell ref=\"\($0)\"/>" }.joined()
      return WorkbookParts.sheet(Self.row, after: "<mergeCells>\(all)</mergeCells>")
    }
    #expect(try error { $0[sheet] = merged(["A1:Q9"]) } == nil)
    #expect(try error { $0[sheet] = merged(["A1"]) } == nil)
    // One that begins beyond the columns that are read takes no memory.
    let beyond = WorkbookParts(Self.row, after: "<mergeCells><mergeCell ref=\"IW1:XFD9\"/></mergeCells>").parts
    #expect(TableContent(try files.zip(beyond)).cells == [["1"]])
    #expect(try error { $0[sheet] = merged(["B:C"]) }?.contains("which is no range") == true)
    #expect(
      try error { $0[sheet] = merged(Array(repeating: "A1:B9", count: 129)) } == "row 1: its merged cells overlap")
    let many = (1...10_001).map { "A\($0):B\($0)" }
    #expect(try error { $0[sheet] = merged(many) } == "has more than 10000 merged ranges")
  }

  @Test("Places, numbers, texts and attributes have their bounds")
  func bounds() throws {
    let sheet = "xl/worksheets/sheet1.xml"
    func sheetError(_ rows: String, limits: TableLimits = TableLimits()) throws -> String? {
      try error(limits: limits) { $0[sheet] = WorkbookParts.sheet(rows) }
    }
    let empty = String(repeating: "<c/>", count: 16_384)
    #expect(try sheetError("<row>\(empty)</row>") == nil)
    #expect(try sheetError("<row>\(empty)<c/></row>") == "row 1, column 16385: stands beyond a sheet")
    #expect(try sheetError("<c/>") == "has a cell outside rows")
    let digits = String(repeating: "1", count: 65)
    #expect(try sheetError("<row><c><v>\(digits)</v></c></row>") == "row 1, column 1: stores a number that is none")
    #expect(
      try sheetError("<row><c t=\"str\"><v>1234</v></c></row>", limits: TableLimits(cellBytes: 3))
        == "row 1, column 1: the cell has more than 3 bytes")
    let padded = String(repeating: "0", count: 1_100) + "7"
    #expect(try sheetError("<row r=\"\(padded)\"/>")?.contains("which does not follow row 0") == true)
  }

  @Test("Sheets, relations and styles are bounded in number, and relations to elsewhere are none")
  func counts() throws {
    let sheets = String(repeating: "<sheet r:id=\"rId1\"/>", count: 10_001)
    #expect(
      try error { $0["xl/workbook.xml"] = "<workbook><sheets>\(sheets)</sheets></workbook>" }
        == "has more than 10000 sheets")
    let relations = Array(repeating: (id: "a", type: "worksheet", target: "x.xml"), count: 10_001)
    #expect(
      try error(limits: TableLimits(ratio: 10_000)) {
        $0["xl/_rels/workbook.xml.rels"] = WorkbookParts.relationships(relations)
      }
        == "xl/_rels/workbook.xml.rels has too many entries")
    let styles = String(repeating: "<xf/>", count: 65_537)
    #expect(
      try error { $0["xl/styles.xml"] = "<styleSheet><cellXfs>\(styles)</cellXfs></styleSheet>" }
        == "has too many styles")
    let elsewhere = #"<Relationship Id="z" Type="a/officeDocument" Target="http://b/c.xml" TargetMode="External"/>"#
    #expect(
      try error {
        $0["_rels/.rels"] = $0["_rels/.rels"]?.replacing("<Relationships>", with: "<Relationships>\(elsewhere)")
      } == nil)
  }

  @Test("An encrypted part is refused")
  func encrypted() throws {
    let path = try files.zip(WorkbookParts(Self.row).parts) { archive in
      let index = zip_name_locate(archive, "xl/worksheets/sheet1.xml", 0)
      zip_file_set_encryption(archive, zip_uint64_t(index), zip_uint16_t(ZIP_EM_AES_256), "word")
    }
    #expect(
      TableContent(path).error?.message
        == "xl/worksheets/sheet1.xml is encrypted: save the workbook without a password")
  }

  @Test("A part that is packed otherwise than workbooks are is refused")
  func packing() throws {
    let path = try files.zip(WorkbookParts(Self.row).parts) { archive in
      let index = zip_name_locate(archive, "xl/worksheets/sheet1.xml", 0)
      #expect(zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_BZIP2, 0) == 0)
    }
    #expect(TableContent(path).error?.message.contains("is packed in a way that workbooks are not") == true)
  }

  @Test("A workbook that is cut anywhere is an error")
  func cuts() throws {
    let path = try files.zip(WorkbookParts(Self.row, strings: ["<t>x</t>"]).parts)
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    #expect(TableContent(path).error == nil)
    for count in 0..<bytes.count {
      let content = TableContent(try files.write(bytes[..<count]))
      // "P" alone is CSV.
      #expect(content.error != nil || count == 1)
    }
  }

  /// Every seventh: each takes some milliseconds.
  @Test("A workbook with one byte changed gives its rows or an error")
  func changes() throws {
    let path = Repository.fixtures.appending(path: "spreadsheets/expenses.xlsx").path
    let whole = TableContent(path).rows
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    var generator = SeededGenerator(seed: 1)
    for at in stride(from: 0, to: bytes.count, by: 7) {
      var changed = bytes
      changed[at] ^= UInt8.random(in: 1...255, using: &generator)
      let content = TableContent(try files.write(changed))
      #expect(content.error != nil || content.rows == whole)
    }
  }

  @Test("A sheet with pieces removed, doubled or moved never ends the process")
  func shuffled() throws {
    let pieces = [
      "<row r=\"1\">", "<row>", "</row>", "<c r=\"A1\" t=\"s\">", "<c>", "</c>", "<v>", "</v>", "<is>", "</is>", "<t>",
      "</t>",
      "0", "1", "<f>", "</f>", "<sheetData>", "</sheetData>", "<c r=\"C1\"/>", "<mergeCell ref=\"A1:B2\"/>", "<rPh>",
      "</rPh>",
    ]
    var seen: Set<String> = []
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let body = (0..<Int.random(in: 1...12, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
        .joined()
      seen.insert(try error { $0["xl/worksheets/sheet1.xml"] = WorkbookParts.sheet(body) } ?? "")
    }
    #expect(seen.count > 1)
  }
}
