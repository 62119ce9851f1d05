/// What a part of a workbook says of its relationships to others (ISO/IEC 29500-2, 8.5).
final class Relationships: XMLHandler {
  enum Kind: String {
    case workbook = "officeDocument"
    case worksheet
    case sharedStrings
    case styles
  }

  private static let maxCount = 10_000

  private var parts: [(id: String, kind: Kind, part: PartName)] = []
  private let source: PartName

  /// - Parameter source: the part; its name is "" for the workbook as a whole.
  init(of source: PartName, in archive: ZipArchive) throws(TableError) {
    self.source = source
    guard let entry = try archive.open(source.relationships.text) else { return }
    try XMLPart(entry, for: self).readAll()
  }

  /// The first of a kind.
  func part(_ kind: Kind) -> PartName? { parts.first { $0.kind == kind }?.part }

  func worksheet(_ id: String) -> PartName? { parts.first { $0.id == id && $0.kind == .worksheet }?.part }

  func start(_ element: XMLElement) throws(TableError) {
    guard element.name == "Relationship", element.text("TargetMode") != "External",
      // The names of types begin in two ways: those of Office, and those of the standard's strict form.
      let kind = element.text("Type")?.split(separator: "/").last.flatMap({ Kind(rawValue: String($0)) }),
      let id = element.text("Id"), let target = element.text("Target")
    else { return }
    guard parts.count < Self.maxCount else { throw TableError("\(source.relationships.text) has too many entries") }
    parts.append((id, kind, source.resolving(target)))
  }
}
