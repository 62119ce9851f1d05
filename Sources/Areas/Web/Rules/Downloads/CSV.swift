/// Lines of comma-separated values (RFC 4180), each ended by a line feed alone.
package enum CSV {
  /// - Parameter cells: a nil one is empty.
  package static func line(_ cells: [String?]) -> String {
    cells.map { cell($0 ?? "") }.joined(separator: ",") + "\n"
  }

  private static func cell(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
