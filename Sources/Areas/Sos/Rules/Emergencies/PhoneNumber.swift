/// A telephone number in E.164 form, such as +393331234567.
public struct PhoneNumber: Sendable, Hashable {
  /// Country code and number: 7 to 15 digits, the first one not 0.
  public let digits: UInt64

  /// - Returns: nil unless the text is a plus sign and 7 to 15 digits, the first one not 0 (ITU-T E.164).
  public init?(_ text: some StringProtocol) {
    guard text.first == "+", (8...16).contains(text.utf8.count), text.utf8.dropFirst().first != UInt8(ascii: "0"),
      text.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }), let digits = UInt64(text.dropFirst())
    else { return nil }
    self.digits = digits
  }
}

extension PhoneNumber: CustomStringConvertible {
  public var description: String { "+\(digits)" }
}

extension PhoneNumber: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let number = PhoneNumber(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an E.164 number")
    }
    self = number
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
