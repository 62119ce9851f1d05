internal import Domain

/// Numbers and times as XML Schema writes them.
enum GPXNumbers {
  /// A finite decimal number, with a comma before its decimals where an exporter wrote one; nil for everything else, such as
  /// NaN, INF, 1e999 and 0x10.
  static func number(_ text: String) -> Double? {
    var bytes = Array(trimmed(text))
    if let comma = bytes.firstIndex(of: UInt8(ascii: ",")), !bytes.contains(UInt8(ascii: ".")) {
      bytes[comma] = UInt8(ascii: ".")
    }
    guard !bytes.isEmpty, bytes.count <= 64,
      bytes.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
      let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite
    else { return nil }
    return number
  }

  /// A time such as "2026-11-21T09:30:00.25Z" or "2026-11-21T10:30:00+01:00", finer parts than a microsecond cut off;
  /// without a zone it is UTC. nil for everything else.
  static func time(_ text: String) -> Microseconds? {
    let bytes = Array(trimmed(text))
    guard bytes.count >= 19, bytes.count <= 64, bytes[10] == UInt8(ascii: "T"),
      let date = CalendarDate(iso8601: String(decoding: bytes[..<10], as: UTF8.self)),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), let hour = digits(bytes[11..<13], upTo: 23),
      let minute = digits(bytes[14..<16], upTo: 59), let second = digits(bytes[17..<19], upTo: 60)
    else { return nil }
    var rest = bytes[19...]
    var fraction: Microseconds = 0
    // ISO 8601 allows both.
    if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
      let decimals = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !decimals.isEmpty else { return nil }
      for place in 0..<6 {
        fraction =
          fraction * 10 + (place < decimals.count ? Microseconds(decimals[decimals.startIndex + place] - 0x30) : 0)
      }
      rest = rest[decimals.endIndex...]
    }
    guard let offset = zone(Array(rest)) else { return nil }
    let seconds = date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Microseconds(seconds) * 1_000_000 + fraction
  }

  private static func zone(_ bytes: [UInt8]) -> Int? {
    if bytes.isEmpty || bytes == [UInt8(ascii: "Z")] { return 0 }
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
      bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      let hours = digits(bytes[1..<3], upTo: 14), let minutes = digits(bytes[4..<6], upTo: 59)
    else { return nil }
    return (hours * 3_600 + minutes * 60) * (bytes[0] == UInt8(ascii: "+") ? 1 : -1)
  }

  private static func digits(_ bytes: ArraySlice<UInt8>, upTo limit: Int) -> Int? {
    guard bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return number <= limit ? number : nil
  }

  private static func trimmed(_ text: String) -> Substring.UTF8View {
    let isSpace = { (character: Character) in
      character == " " || character == "\n" || character == "\t" || character == "\r\n" || character == "\r"
    }
    var rest = text[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest.utf8
  }
}
