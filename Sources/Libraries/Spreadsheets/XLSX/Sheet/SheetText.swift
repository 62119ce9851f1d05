/// Collects the text of a cell or of a shared string: its runs one after the other, without phonetic ones.
struct SheetText {
  private let maxBytes: Int
  /// What was collected, as it is stored.
  private(set) var bytes: [UInt8] = []
  private var isWanted = false
  private var isPhonetic = false
  /// Whether there is more than `maxBytes`: what is beyond is not kept.
  private(set) var isTooLong = false

  init(maxBytes: Int) { self.maxBytes = maxBytes }

  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    isWanted = false
    isPhonetic = false
    isTooLong = false
  }

  mutating func start(_ name: XMLName) {
    if name == "t" { isWanted = !isPhonetic } else if name == "rPh" { isPhonetic = true }
  }

  /// A stored value begins.
  mutating func startValue() { isWanted = true }

  mutating func end(_ name: XMLName) {
    if name == "t" || name == "v" { isWanted = false } else if name == "rPh" { isPhonetic = false }
  }

  mutating func add(_ piece: UnsafeRawBufferPointer) {
    guard isWanted else { return }
    if bytes.count + piece.count > maxBytes { isTooLong = true } else { bytes.append(contentsOf: piece) }
  }

  /// Characters that XML cannot hold are written as `_x000D_`, and an underscore before such a thing as `_x005F_`
  /// (ISO/IEC 29500-1, 22.4.2.4, ST_Xstring).
  static func unescaped(_ bytes: [UInt8]) -> String {
    guard let first = bytes.firstIndex(of: UInt8(ascii: "_")), bytes.count - first >= 7 else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = String(decoding: bytes[..<first], as: UTF8.self)
    var plain = first
    var at = first
    while at + 7 <= bytes.count {
      guard let scalar = escape(bytes[at..<at + 7]) else {
        at += 1
        continue
      }
      text += String(decoding: bytes[plain..<at], as: UTF8.self)
      text.unicodeScalars.append(scalar)
      at += 7
      plain = at
    }
    return text + String(decoding: bytes[plain...], as: UTF8.self)
  }

  private static func escape(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard bytes.first == UInt8(ascii: "_"), bytes.last == UInt8(ascii: "_"),
      bytes[bytes.startIndex + 1] == UInt8(ascii: "x")
    else { return nil }
    var value: UInt32 = 0
    for byte in bytes.dropFirst(2).dropLast() {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value == 0 ? nil : Unicode.Scalar(value)
  }
}
