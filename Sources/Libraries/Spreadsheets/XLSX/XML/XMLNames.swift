/// Counts the names in an XML file: Expat keeps each of them until its end.
struct XMLNames {
  private static let maxCount = 2_000

  private var elements: Set<String> = []
  /// Expat has each name of an attribute at one address.
  private var attributes: Set<UnsafePointer<CChar>> = []

  /// - Returns: whether there are not too many.
  mutating func take(_ element: XMLElement) -> Bool {
    let name = element.name.qualified
    // Of the shortest there cannot be many, and they are most of a sheet.
    if name.count > 2, !XMLName.is(name, "row") { elements.insert(String(decoding: name, as: UTF8.self)) }
    element.forEachName { if $0[0] != 0, $0[1] != 0, $0[2] != 0 { attributes.insert($0) } }
    return elements.count + attributes.count <= Self.maxCount
  }
}
