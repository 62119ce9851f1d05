/// What a workbook says of its sheets.
final class Workbook: XMLHandler {
  private static let maxSheets = 10_000

  /// Whether its days are counted from 1904-01-01, not from 1899-12-31.
  private(set) var isFrom1904 = false
  /// The relationships of those that are not hidden, in their order.
  private var visible: [String] = []
  private var hasRoot = false
  private let name: PartName
  private let relationships: Relationships

  init(in archive: ZipArchive) throws(TableError) {
    guard let name = try Relationships(of: PartName(""), in: archive).part(.workbook) else { throw Self.noWorkbook }
    guard !name.text.hasSuffix(".bin") else { throw TableError("is a binary workbook: save it as .xlsx or CSV") }
    self.name = name
    relationships = try Relationships(of: name, in: archive)
    guard let entry = try archive.open(name.text) else { throw TableError("has no part \(name.text)") }
    try XMLPart(entry, for: self).readAll()
  }

  /// The first visible one that is a table; there may be sheets of charts.
  func sheet() throws(TableError) -> PartName {
    guard let sheet = visible.lazy.compactMap({ self.relationships.worksheet($0) }).first else {
      throw TableError("has no visible sheet")
    }
    return sheet
  }

  var sharedStrings: PartName? { relationships.part(.sharedStrings) }
  var styles: PartName? { relationships.part(.styles) }

  func start(_ element: XMLElement) throws(TableError) {
    if !hasRoot {
      hasRoot = true
      guard element.name == "workbook" else { throw Self.noWorkbook }
    } else if element.name == "workbookPr" {
      isFrom1904 = element.isTrue("date1904")
    } else if element.name == "sheet", ["visible", nil].contains(element.text("state")) {
      guard visible.count < Self.maxSheets else { throw TableError("has more than \(Self.maxSheets) sheets") }
      if let relationship = element.relationship { visible.append(relationship) }
    }
  }

  private static let noWorkbook = TableError("is a ZIP archive, and no .xlsx workbook")
}
