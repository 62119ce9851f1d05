internal import Glibc

/// The start of an element. Valid while the callback lasts that it is given to.
struct XMLElement {
  typealias Attributes = UnsafeMutablePointer<UnsafePointer<CChar>?>

  /// No attribute that is kept is longer.
  private static let maxTextBytes = 1_024

  let name: XMLName
  private let attributes: Attributes?

  init(_ name: XMLName, _ attributes: Attributes?) {
    self.name = name
    self.attributes = attributes
  }

  /// The value of the attribute without prefix that has this name.
  subscript(_ name: StaticString) -> UnsafeRawBufferPointer? {
    first { XMLName.is($0.qualified, name) }
  }

  /// The same as text; nil also if it is longer than any that is wanted.
  func text(_ name: StaticString) -> String? { self[name].flatMap { Self.text($0) } }

  /// The name of a relationship, such as `r:id`, whatever its prefix.
  var relationship: String? {
    first { $0 == "id" && $0.qualified.count > $0.local.count }.flatMap { Self.text($0) }
  }

  /// A number such as "12".
  func number(_ name: StaticString) -> Int? { text(name).flatMap { Int($0) } }

  /// Whether it says so, as XML Schema's boolean does.
  func isTrue(_ name: StaticString) -> Bool { ["1", "true"].contains(text(name)) }

  func forEachName(_ body: (UnsafePointer<CChar>) -> Void) {
    var next = attributes
    while let pair = next, let name = pair[0] {
      body(name)
      next = pair + 2
    }
  }

  private func first(_ isWanted: (XMLName) -> Bool) -> UnsafeRawBufferPointer? {
    var next = attributes
    while let pair = next, let name = pair[0], let value = pair[1] {
      if isWanted(XMLName(name)) { return UnsafeRawBufferPointer(start: value, count: strlen(value)) }
      next = pair + 2
    }
    return nil
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    bytes.count <= maxTextBytes ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
