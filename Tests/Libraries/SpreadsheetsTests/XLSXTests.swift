import Foundation
import TestSupport
import Testing

@testable import Spreadsheets

@Suite("Tables in XLSX workbooks")
struct XLSXTests {
  private let files: TableFiles

  init() throws { files = try TableFiles() }

  private func read(_ parts: WorkbookParts, limits: TableLimits = TableLimits()) throws -> TableContent {
    TableContent(try files.zip(parts.parts), limits: limits)
  }

  @Test("A workbook of openpyxl: the first visible sheet, merged headings, dates, runs of text and numbers")
  func fixture() {
    let content = TableContent(Repository.fixtures.appending(path: "spreadsheets/expenses.xlsx").path)
    #expect(content.error == nil)
    #expect(content.rows.map(\.number) == [1, 2, 3, 4, 6])
    #expect(
      content.cells == [
        Array(repeating: "Spesa sanitaria 2025", count: 6),
        ["Ente", "Importi", "Importi", "Data", "Attivo", "Nota"],
        ["Ente", "Previsto", "Pagato", "Data", "Attivo", "Nota"],
        ["ASL Città di Forlì", "144707368.86", "0.1", "2025-01-31", "TRUE", "uno due tre"],
        ["=cost & co.", "1000000000000000000000", "-12", "2025-12-01T08:30:15", "FALSE", "prima\nseconda"],
      ])
  }

  @Test("Cells of each type")
  func types() throws {
    let content = try read(
      WorkbookParts(
        """
        <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v> 1 </v></c><c r="C1" t="s"><v>2</v></c></row>
        <row r="2"><c r="A2" t="inlineStr"><is><r><t>a</t></r><r><rPr><b/></rPr><t> b</t></r></is></c>
          <c r="B2" t="str"><f>UPPER("x")</f><v>X_x000D_</v></c><c r="C2"><f>1+1</f><v>2.50</v></c></row>
        <row r="3"><c r="A3" t="b"><v>1</v></c><c r="B3" t="d"><v>2025-01-31T00:00:00</v></c>
          <c r="C3" t="n"><v>1E3</v></c></row>
        <row r="4"><c r="A4" t="str"><f>""</f><v></v></c><c r="B4"/>
          <c r="C4" t="inlineStr"><is><t>&#233;&lt;</t></is></c></row>
        """,
        strings: [
          "<t>uno</t>", "<r><t>du</t></r><r><t>e</t></r>", "<t>東京</t><rPh sb=\"0\" eb=\"2\"><t>トウ</t></rPh>",
        ]))
    #expect(content.error == nil)
    #expect(
      content.cells == [
        ["uno", "due", "東京"], ["a b", "X\r", "2.5"], ["TRUE", "2025-01-31", "1000"], ["", "", "é<"],
      ])
  }

  @Test("Places that are not written are counted, gaps are empty, and rows are filled to the widest")
  func places() throws {
    let content = try read(
      WorkbookParts(
        """
        <row><c><v>1</v></c><c/><c><v>3</v></c></row><row r="5"><c r="B5"><v>2</v></c></row><row/>
        <row><c><v>7</v></c><c r="D7"><v>4</v></c><c><v>5</v></c></row><row r="20"><c><v>0</v></c></row>
        """))
    #expect(content.error == nil)
    #expect(content.rows.map(\.number) == [1, 5, 7, 20])
    #expect(content.cells == [["1", "", "3"], ["", "2", ""], ["7", "", "", "4", "5"], ["0", "", "", "", ""]])
  }

  @Test("Prefixes and the names of the strict form make no difference; hidden sheets and charts are passed over")
  func forms() throws {
    var parts = WorkbookParts("").parts
    parts["xl/workbook.xml"] = """
      <x:workbook xmlns:x="urn:x" xmlns:rel="urn:r"><x:sheets>
      <x:sheet name="H" sheetId="4" state="veryHidden" rel:id="a"/>
      <x:sheet name="C" sheetId="3" rel:id="b"/><x:sheet name="T" sheetId="9" state="visible" rel:id="c"/></x:sheets>
      </x:workbook>
      """
    parts["xl/_rels/workbook.xml.rels"] = WorkbookParts.relationships([
      ("a", "worksheet", "worksheets/sheet1.xml"), ("b", "chartsheet", "chartsheets/sheet1.xml"),
      ("c", "worksheet", "./../xl/Other/T.xml"),
    ]).replacing(
      WorkbookParts.types, with: "http://purl.oclc.org/ooxml/officeDocument/relationships")
    parts["xl/other/t.xml"] =
      """
      <x:worksheet xmlns:x="urn:x"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>5</x:v></x:c></x:row></x:sheetData>
      </x:worksheet>
      """
    #expect(TableContent(try files.zip(parts)).cells == [["5"]])
  }

  @Test("Dates are told by the style, from 1900 or 1904")
  func dates() throws {
    let styles = """
      <numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="20"/></cellXfs>
      <dxfs><dxf><numFmt numFmtId="164" formatCode="0"/></dxf></dxfs>
      """
    let row = #"<row r="1">"# + (0...5).map { #"<c s="\#($0)"><v>45688.5</v></c>"# }.joined() + "</row>"
    #expect(
      try read(WorkbookParts(row, styles: styles)).cells
        == [["45688.5", "2025-01-31", "2025-01-31", "2025-01-31T12:00:00", "45688.5", "45688.5"]])
    let book = #"<workbookPr date1904="1"/>"#
    #expect(try read(WorkbookParts(row, styles: styles, book: book)).cells[0][1] == "2029-02-01")
  }

  @Test("Merged cells have the first one's value, as far as there are rows and columns")
  func merged() throws {
    let content = try read(
      WorkbookParts(
        #"""
        <row r="1"><c r="A1"><v>1</v></c></row>
        <row r="2"><c r="A2"><v>2</v></c><c r="B2"><v>9</v></c><c r="C2"><v>3</v></c></row>
        <row r="3"><c r="C3"><v>4</v></c></row><row r="9"><c r="A9"><v>5</v></c></row>
        """#,
        after: #"""
          <mergeCells><mergeCell ref="C7:C9"/><mergeCell ref="A1:XFD1"/><mergeCell ref="A2:B3"/>
          <mergeCell ref="C4:D5"/></mergeCells>
          """#))
    #expect(content.error == nil)
    #expect(content.cells == [["1"], ["2", "2", "3"], ["2", "2", "4"], ["5", "", ""]])
  }

  @Test(
    "An error names the row and the column, after the rows before it",
    arguments: [
      (#"<row r="2"><c r="B2" t="e"><v>#REF!</v></c></row>"#, 2, 2, "has the error #REF!"),
      (#"<row r="2"><c r="A2" t="s"><v>7</v></c></row>"#, 2, 1, "names a text that the workbook does not have"),
      (#"<row r="2"><c r="A2" t="s"><v>-1</v></c></row>"#, 2, 1, "names a text that the workbook does not have"),
      (#"<row r="2"><c r="A2"><v>1,5</v></c></row>"#, 2, 1, "stores a number that is none"),
      (
        #"<row r="2"><c r="A2"><f>NOW()</f></c></row>"#, 2, 1,
        "has a formula without its result: save it with a spreadsheet program"
      ),
      (#"<row r="2"><c r="A2" t="x"/></row>"#, 2, 1, "is of an unknown type \"x\""),
      (#"<row r="2"><c r="B2"/><c r="A2"/></row>"#, 2, 3, "is cell \"A2\", which does not follow there"),
      (#"<row r="2"><c r="A3"/></row>"#, 2, 1, "is cell \"A3\", which does not follow there"),
      (#"<row r="1"/>"#, 2, nil, "is row \"1\", which does not follow row 1"),
      (#"<row r="1048577"/>"#, 2, nil, "is row \"1048577\", which does not follow row 1"),
      (#"<row r="x"/>"#, 2, nil, "is row \"x\", which does not follow row 1"),
      (#"<row r="2"><c r="IW2"><v>1</v></c></row>"#, 2, 257, "at most 256 columns are read"),
    ] as [(String, Int?, Int?, String)])
  func errors(_ row: String, _ number: Int?, _ column: Int?, _ message: String) throws {
    let content = try read(WorkbookParts(#"<row r="1"><c r="A1"><v>1</v></c></row>"# + row))
    #expect(content.cells == [["1"]])
    #expect(content.error == TableError(row: number, column: column, message))
  }

  @Test("Many rows come in pieces")
  func many() throws {
    let rows = (1...30_000).map {
      #"<row r="\#($0)"><c r="A\#($0)"><v>\#($0)</v></c><c t="s"><v>\#($0 % 2)</v></c></row>"#
    }
    let content = try read(WorkbookParts(rows.joined(), strings: ["<t>even</t>", "<t>odd</t>"]))
    #expect(content.error == nil)
    #expect(content.cells == (1...30_000).map { ["\($0)", $0 % 2 == 0 ? "even" : "odd"] })
  }
}
