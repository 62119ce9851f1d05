/// The parameters of an address, each at most once.
package struct QueryParameters: Sendable, Hashable {
  /// What can't be read.
  package struct Fault: Error, Sendable, Hashable {
    /// The beginning of the parameter's name.
    package let parameter: String
  }

  package static let none = QueryParameters([:])

  private let values: [String: [UInt8]]

  private init(_ values: [String: [UInt8]]) { self.values = values }

  /// - Parameter query: as it came.
  package init(_ query: String) throws(Fault) {
    var values: [String: [UInt8]] = [:]
    for part in query.split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(halves[0]), let value = Self.decoded(halves.count > 1 ? halves[1] : "") else {
        throw Fault(parameter: String(halves[0].prefix(20)))
      }
      let key = String(decoding: name, as: UTF8.self)
      guard values.updateValue(value, forKey: key) == nil else { throw Fault(parameter: String(key.prefix(20))) }
    }
    self.values = values
  }

  package func bytes(_ name: String) -> [UInt8]? { values[name] }

  package func text(_ name: String) -> String? { values[name].map { String(decoding: $0, as: UTF8.self) } }

  /// With "%41" and "+" as what they stand for; nil where a "%" stands for nothing.
  private static func decoded(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? { Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) } }
}
