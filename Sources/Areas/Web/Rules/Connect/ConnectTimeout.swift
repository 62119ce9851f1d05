/// How long a client waits.
package enum ConnectTimeout {
  /// - Parameter text: of the header `Connect-Timeout-Ms`: 1 to 10 digits.
  /// - Returns: nil where it is none.
  package static func duration(_ text: String) -> Duration? {
    guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text).map { .milliseconds($0) }
  }
}
