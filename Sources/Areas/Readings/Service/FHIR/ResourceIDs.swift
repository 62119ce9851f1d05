internal import Crypto
internal import Domain

/// Ids of resources: the same for the same reading in every export of this database, whatever is exported with it, and
/// others in another database. They tell nothing about what they are of.
struct ResourceIDs: Sendable {
  /// Of the hash: an id has twice as many digits.
  private static let hashBytes = 16

  private let keyed: KeyedHash

  /// - Parameter key: 32 bytes, the same on every server of a database. No other message that is hashed with it begins
  ///   as those here.
  init(key: [UInt8]) { keyed = KeyedHash(key: key) }

  /// - Parameters:
  ///   - metric: nil for both blood pressures of a moment.
  ///   - granularity: nil for a reading as it was taken. A mean is another resource than a reading at its start.
  func observation(
    of person: PersonID, _ metric: MetricID?, _ source: SourceID, at time: Microseconds, _ granularity: Granularity?
  ) -> String {
    var message = Array("FHIR Observation".utf8)
    for number in [person, Int64(metric ?? 0), Int64(source), time, Int64(granularity?.rawValue ?? 0)] {
      withUnsafeBytes(of: number.littleEndian) { message += $0 }
    }
    return text(of: message)
  }

  /// The id of what tells where some observations come from.
  func provenance(of observations: [String]) -> String {
    text(of: Array("FHIR Provenance".utf8) + observations.joined().utf8)
  }

  private func text(of message: [UInt8]) -> String {
    var hash = [UInt8](repeating: 0, count: Self.hashBytes)
    message.withUnsafeBufferPointer { message in
      hash.withUnsafeMutableBufferPointer { keyed.write(of: message, to: $0) }
    }
    return Hexadecimal.text(of: hash)
  }
}
