package import Domain
internal import RPCRuntime
package import WireCodec

extension Google_Protobuf_Timestamp {
  package init(_ time: Microseconds) {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: 1_000_000)
    let fraction = remainder < 0 ? remainder + 1_000_000 : remainder
    self.init(seconds: remainder < 0 ? quotient - 1 : quotient, nanos: Int32(fraction * 1_000))
  }

  /// The time in microseconds since the Unix epoch; finer parts are cut off.
  /// - Throws: INVALID_ARGUMENT outside the years 1 to 9999.
  package func microseconds(field: String) throws -> Microseconds {
    let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !isTooFar, OutsideTimes.range.contains(whole), (0...999_999_999).contains(nanos) else {
      throw RPCStatus.invalidArgument(field: field, problem: "must be a time from year 1 to year 9999")
    }
    return whole + Microseconds(nanos / 1_000)
  }
}
