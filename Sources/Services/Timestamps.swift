internal import Domain
internal import RPCRuntime
internal import WireCodec

extension Google_Protobuf_Timestamp {
  init(_ time: Microseconds) {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: 1_000_000)
    let fraction = remainder < 0 ? remainder + 1_000_000 : remainder
    self.init(seconds: remainder < 0 ? quotient - 1 : quotient, nanos: Int32(fraction * 1_000))
  }

  /// The time in microseconds since the Unix epoch; finer parts are cut off.
  /// - Throws: INVALID_ARGUMENT outside the years 1 to 9999.
  func microseconds(field: String) throws -> Microseconds {
    // The range of google.protobuf.Timestamp: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z.
    guard (-62_135_596_800...253_402_300_799).contains(seconds), (0...999_999_999).contains(nanos) else {
      throw RPCStatus.invalidArgument(field: field, problem: "must be a time from year 1 to year 9999")
    }
    return seconds * 1_000_000 + Microseconds(nanos / 1_000)
  }
}
