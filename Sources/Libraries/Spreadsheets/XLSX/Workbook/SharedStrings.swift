/// The texts that a workbook keeps beside its sheets: a cell names one by its number.
final class SharedStrings: XMLHandler {
  /// Of each text, beside its bytes.
  private static let overheadBytes = 16

  private(set) var texts: [String] = []
  private var text: SheetText
  private var bytes = 0
  private let name: PartName?
  private let limits: TableLimits

  /// - Parameter name: nil: the workbook has none.
  init(_ name: PartName?, in archive: ZipArchive, limits: TableLimits) throws(TableError) {
    self.name = name
    self.limits = limits
    text = SheetText(maxBytes: limits.cellBytes)
    guard let name else { return }
    guard let entry = try archive.open(name.text) else { throw TableError("has no part \(name.text)") }
    try XMLPart(entry, for: self).readAll()
  }

  func start(_ element: XMLElement) throws(TableError) {
    if element.name == "si" { text.begin() } else { text.start(element.name) }
  }

  func end(_ name: XMLName) throws(TableError) {
    guard name == "si" else { return text.end(name) }
    guard !text.isTooLong else { throw TableError("has a text of more than \(limits.cellBytes) bytes") }
    let next = SheetText.unescaped(text.bytes)
    bytes += next.utf8.count + Self.overheadBytes
    guard bytes <= limits.sharedStringBytes else {
      throw TableError("has more than \(limits.sharedStringBytes) bytes of texts")
    }
    texts.append(next)
  }

  func text(_ bytes: UnsafeRawBufferPointer) throws(TableError) { text.add(bytes) }
}
