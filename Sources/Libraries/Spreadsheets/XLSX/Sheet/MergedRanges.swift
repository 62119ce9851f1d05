/// The merged ranges of a sheet. They stand behind its rows, so the sheet is read once for them alone.
final class MergedRanges: XMLHandler {
  private static let maxCount = 10_000

  /// In the order of their first rows.
  private(set) var all: [MergedRange] = []
  private var hasRoot = false

  init(_ sheet: ZipEntry) throws(TableError) {
    try XMLPart(sheet, for: self).readAll()
    all.sort { $0.rows.lowerBound < $1.rows.lowerBound }
  }

  func start(_ element: XMLElement) throws(TableError) {
    if !hasRoot {
      hasRoot = true
      guard element.name == "worksheet" else { throw TableError("the sheet is no table") }
    }
    guard element.name == "mergeCell" else { return }
    guard let range = element["ref"].flatMap({ MergedRange($0) }) else {
      throw TableError("has merged cells at \"\(element.text("ref") ?? "")\", which is no range")
    }
    guard all.count < Self.maxCount else { throw TableError("has more than \(Self.maxCount) merged ranges") }
    all.append(range)
  }
}
