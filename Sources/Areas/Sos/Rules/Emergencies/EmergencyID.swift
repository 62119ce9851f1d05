public import Domain

/// The number of an emergency, and the idempotency key of every call about it.
///
/// A UUID of version 8 (RFC 9562) made of what opened the episode, so whoever finds the same crossing again, after a crash
/// or in another process, calls it the same: 54 bits of the person's number, 12 bits of the metric's number and 56 bits of
/// the time at which the first reading beyond the limit was taken.
public struct EmergencyID: Sendable, Hashable {
  public let high: UInt64
  public let low: UInt64

  /// - Parameters:
  ///   - person: positive.
  ///   - metric: whose limit was crossed; 0 for a score, 4,095 for silence.
  ///   - began: when the first reading beyond the limit was taken, or the silence began.
  public init(person: PersonID, metric: UInt16, began: Microseconds) {
    let person = UInt64(truncatingIfNeeded: person) & 0x3f_ffff_ffff_ffff
    let time = UInt64(truncatingIfNeeded: began) & 0xff_ffff_ffff_ffff
    let metric = UInt64(metric) & 0xfff
    // 48 bits, the version, 12 bits; the variant, 62 bits.
    let rest = (time & 0xff) << 54 | person
    high = (time >> 8) << 16 | 0x8000 | metric
    low = 0x8000_0000_0000_0000 | rest & 0x3fff_ffff_ffff_ffff
  }

  /// - Returns: nil unless the text is a UUID: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  public init?(_ text: some StringProtocol) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Character(UnicodeScalar($0)).isHexDigit }),
      let high = UInt64(groups[0...2].joined(), radix: 16),
      let low = UInt64(groups[3...4].joined(), radix: 16)
    else { return nil }
    self.high = high
    self.low = low
  }
}

extension EmergencyID: CustomStringConvertible {
  /// In small letters, with dashes.
  public var description: String {
    let digits = [high, low].map { half -> String in
      let text = String(half, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    var groups: [Substring] = []
    var rest = digits[...]
    for length in [8, 4, 4, 4, 12] {
      groups.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return groups.joined(separator: "-")
  }
}

extension EmergencyID: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = EmergencyID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
