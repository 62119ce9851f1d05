/// The name of a part of a workbook, such as "xl/workbook.xml".
struct PartName {
  /// As the entry in the archive is called.
  let text: String

  init(_ text: String) { self.text = text }

  /// Where the part's relationships are.
  var relationships: PartName {
    let (folder, file) = split
    return PartName("\(folder)_rels/\(file).rels")
  }

  /// - Parameter target: of one of the part's relationships: "/xl/styles.xml", "styles.xml" or "../xl/styles.xml".
  func resolving(_ target: String) -> PartName {
    var path: [Substring] = target.hasPrefix("/") ? [] : split.folder.split(separator: "/")
    for step in target.split(separator: "/") where step != "." {
      if step == ".." { _ = path.popLast() } else { path.append(step) }
    }
    return PartName(path.joined(separator: "/"))
  }

  private var split: (folder: Substring, file: Substring) {
    let file = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
    return (text[..<file], text[file...])
  }
}
