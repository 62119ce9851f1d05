/// The parts of a small workbook, as XML.
struct WorkbookParts {
  static let types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

  var parts: [String: String]

  /// - Parameters:
  ///   - rows: what stands in `sheetData`.
  ///   - after: what stands behind it.
  init(_ rows: String, after: String = "", strings: [String] = [], styles: String = "", book: String = "") {
    parts = [
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": Self.relationships([("rId1", "officeDocument", "xl/workbook.xml")]),
      "xl/workbook.xml": """
      <workbook xmlns:r="\(Self.types)">\(book)<sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>
      """,
      "xl/_rels/workbook.xml.rels": Self.relationships([
        ("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "sharedStrings", "sharedStrings.xml"),
        ("rId3", "styles", "/xl/styles.xml"),
      ]),
      "xl/sharedStrings.xml": "<sst>\(strings.map { "<si>\($0)</si>" }.joined())</sst>",
      "xl/styles.xml": "<styleSheet>\(styles)</styleSheet>",
      "xl/worksheets/sheet1.xml": Self.sheet(rows, after: after),
    ]
  }

  static func sheet(_ rows: String, after: String = "") -> String {
    "<worksheet><sheetData>\(rows)</sheetData>\(after)</worksheet>"
  }

  static func relationships(_ all: [(id: String, type: String, target: String)]) -> String {
    let lines = all.map { #"<Relationship Id="\#($0.id)" Type="\#(types)/\#($0.type)" Target="\#($0.target)"/>"# }
    return "<Relationships>\(lines.joined())</Relationships>"
  }
}
