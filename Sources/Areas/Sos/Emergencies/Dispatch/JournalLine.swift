internal import Domain
internal import FoundationEssentials
internal import SosRules

/// One line of a journal: a checksum, and what happened, as JSON.
struct JournalLine: Codable, Sendable {
  struct Recorded: Codable, Sendable {
    var id: EmergencyID
    var changed: Microseconds
  }

  /// An emergency as it stands.
  var emergency: Emergency?
  /// The archive has an emergency as it was.
  var recorded: Recorded?
  /// The time of the newest transition that was ever written, for a journal that has lost it.
  var last: Microseconds?

  /// The line with its end: eight hexadecimal digits, a space, JSON without line breaks.
  func encoded() throws -> [UInt8] {
    let json = Array(try JSONEncoder().encode(self))
    return Checksum.digits(of: json) + [UInt8(ascii: " ")] + json + [UInt8(ascii: "\n")]
  }

  /// - Parameter line: without its end.
  /// - Returns: nil unless the whole line is there.
  init?(_ line: ArraySlice<UInt8>) {
    guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " "),
      Array(line.prefix(8)) == Checksum.digits(of: line.dropFirst(9)),
      let read = try? JSONDecoder().decode(JournalLine.self, from: Data(line.dropFirst(9)))
    else { return nil }
    self = read
  }

  init(emergency: Emergency? = nil, recorded: Recorded? = nil, last: Microseconds? = nil) {
    self.emergency = emergency
    self.recorded = recorded
    self.last = last
  }
}

/// CRC-32 as in ISO/IEC 3309 (Ethernet, zip): polynomial 0xEDB88320, reflected.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
  }

  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var value: UInt32 = 0xffff_ffff
    for byte in bytes { value = value >> 8 ^ table[Int((value ^ UInt32(byte)) & 0xff)] }
    return ~value
  }

  static func digits(of bytes: some Sequence<UInt8>) -> [UInt8] {
    let text = String(crc32(bytes), radix: 16)
    return Array((String(repeating: "0", count: 8 - text.utf8.count) + text).utf8)
  }
}
