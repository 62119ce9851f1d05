internal import Glibc

/// A name in an XML file. Valid while the callback lasts that it is given to.
struct XMLName {
  /// Without its prefix.
  let local: UnsafeRawBufferPointer
  /// With its prefix.
  let qualified: UnsafeRawBufferPointer

  init(_ name: UnsafePointer<CChar>) {
    let all = UnsafeRawBufferPointer(start: name, count: strlen(name))
    let colon = all.lastIndex(of: UInt8(ascii: ":"))
    qualified = all
    local = colon.map { UnsafeRawBufferPointer(rebasing: all[($0 + 1)...]) } ?? all
  }

  static func == (name: XMLName, text: StaticString) -> Bool { Self.is(name.local, text) }

  static func `is`(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    bytes.count == text.utf8CodeUnitCount && memcmp(bytes.baseAddress!, text.utf8Start, bytes.count) == 0
  }
}
